import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrateOrderStore, sqlOrderStore } from '../../../../src/server/sql/index.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { purgeBefore } from '../../../support/server/purgeBefore.js';

type Row = Record<string, number | string>;
type AnyTables = Record<string, Record<string, unknown>>;

describe.each(sqlDatabases)('purge of sqlOrderStore on %s', (_, empty) => {
  const opened = async () => {
    const kysely = (await empty()).connect() as Kysely<AnyTables>;
    await migrateOrderStore(kysely);
    const fill = async (table: string, count: number, row: (i: number) => Row) => {
      const rows = Array.from({ length: count }, (_, i) => row(i));
      for (let start = 0; start < count; start += 200)
        await kysely
          .insertInto(`ramp_${table}`)
          .values(rows.slice(start, start + 200))
          .execute();
    };
    const count = async (table: string) => {
      const counted = sql<{
        count: number | string;
      }>`select count(*) as count from ${sql.table(table)}`;
      return Number((await counted.execute(kysely)).rows[0]?.count);
    };
    return { store: sqlOrderStore(kysely), kysely, fill, count };
  };

  it('deletes all old replays, and no others', async () => {
    const { store, fill, count } = await opened();
    await fill('replays', 510, (i) => ({
      hash: `h${i}`,
      keep_until: i < 505 ? baseTime - 1 : baseTime,
    }));
    await purgeBefore(store, baseTime);
    expect(await count('ramp_replays')).toBe(5);
  });

  it('deletes replays as soon as they need not be kept, long before the checkouts', async () => {
    const { store, fill, count } = await opened();
    await store.saveCheckout(onRampCheckout({ expiresAt: baseTime - 3600 }));
    await fill('replays', 5, (i) => ({ hash: `h${i}`, keep_until: baseTime - 1 }));
    const [before, unopenedBefore] = [baseTime - 86_400, baseTime - 86_400];
    await store.purge({ before, unopenedBefore, replaysBefore: baseTime });
    expect([await count('ramp_checkouts'), await count('ramp_replays')]).toEqual([1, 0]);
  });

  it('deletes a number of rows that is a multiple of the batch size', async () => {
    const { store, fill, count } = await opened();
    await fill('replays', 200, (i) => ({ hash: `h${i}`, keep_until: baseTime - 1 }));
    await fill('checkouts', 700, (i) => ({
      reference: `r${i}`,
      expires_at: baseTime - 5,
      terms: '{}',
      subject: 'u1',
      created_at: baseTime - 3600,
    }));
    await purgeBefore(store, baseTime);
    expect([await count('ramp_checkouts'), await count('ramp_replays')]).toEqual([0, 0]);
  });

  it('skips the checkouts that it keeps, even if they expired at the same time', async () => {
    const { store, fill, kysely, count } = await opened();
    await fill('checkouts', 600, (i) => ({
      reference: `r${i}`,
      expires_at: baseTime - 5,
      terms: '{}',
      subject: 'u1',
      created_at: baseTime - 3600,
      // Only r0 and r300 were never opened. The purge below deletes unopened checkouts as soon as they have expired,
      // and opened checkouts only 100 seconds later.
      ...(i % 300 !== 0 && { opened_at: baseTime - 9 }),
    }));
    await store.purge({ before: baseTime - 100, unopenedBefore: baseTime, replaysBefore: 0 });
    expect(await count('ramp_checkouts')).toBe(598);
    expect(
      await kysely
        .selectFrom('ramp_checkouts')
        .selectAll()
        .where('reference', 'in', ['r0', 'r300'])
        .execute(),
    ).toEqual([]);
  });

  it('keeps unopened checkouts for longer than opened ones if unopenedBefore is earlier', async () => {
    const { store } = await opened();
    await store.saveCheckout(onRampCheckout({ reference: 'unopened', expiresAt: baseTime - 50 }));
    await store.saveCheckout(onRampCheckout({ reference: 'opened', expiresAt: baseTime - 50 }));
    await store.markOpened('opened', baseTime - 90);
    await store.purge({ before: baseTime, unopenedBefore: baseTime - 100, replaysBefore: 0 });
    expect(await store.findCheckout('unopened')).toBeDefined();
    expect(await store.findCheckout('opened')).toBeUndefined();
  });

  it('keeps checkouts that expire at the given time', async () => {
    const { store } = await opened();
    for (const reference of ['unopened', 'opened'])
      await store.saveCheckout(onRampCheckout({ reference, expiresAt: baseTime }));
    await store.markOpened('opened', baseTime);
    await purgeBefore(store, baseTime);
    for (const reference of ['unopened', 'opened'])
      expect(await store.findCheckout(reference)).toBeDefined();
  });

  it('keeps a matched checkout whose order now has another reference', async () => {
    const { store, kysely } = await opened();
    await store.saveCheckout(onRampCheckout({ expiresAt: baseTime - 50 }));
    await store.recordOrders([onRampOrder()], baseTime);
    await kysely.deleteFrom('ramp_orders').execute();
    await purgeBefore(store, baseTime);
    expect(await store.findCheckout('r1')).toBeDefined();
  });
});
