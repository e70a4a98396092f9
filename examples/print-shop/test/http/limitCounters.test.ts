import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ShopTables } from '../../src/database/shopTables.js';
import { limitCounters } from '../../src/http/limitCounters.js';

const sessionSecret = 'canary-session-secret-of-the-tests-0123';

/** Creates a counter on a database whose queries have this result. */
const createCounter = (executeQuery: () => Promise<unknown>, limit = 3) =>
  limitCounters(
    { db: { executeQuery } as unknown as Kysely<ShopTables>, dialect: 'postgres' },
    { sessionSecret },
  )('test', limit, { seconds: 60 });

describe('limitCounters', () => {
  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['does not respond', () => new Promise<never>(() => {})],
  ])('counts in memory while the database %s, and asks it rarely', async (_, respond) => {
    let queries = 0;
    const counter = createCounter(() => {
      queries++;
      return respond();
    });
    const counts: number[] = [];
    for (let i = 0; i < 3; i++) counts.push((await counter.increment('a')).count);
    expect(counts).toEqual([1, 2, 3]);
    expect((await counter.increment('b')).count).toBe(1);
    expect(queries).toBe(1);
  });

  it('does not ask the database for a key that is far above its limit', async () => {
    let queries = 0;
    const counter = createCounter(async () => {
      queries++;
      return { rows: [{ points: queries, expire: Date.now() + 60_000 }] };
    });
    for (let i = 0; i < 20; i++) await counter.increment('a');
    expect(queries).toBe(4);
    const { count, resetTime } = await counter.increment('a');
    expect(count).toBe(4);
    expect(resetTime.getTime()).toBeGreaterThan(Date.now());
  });
});
