import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryWhileBusy } from '../../../../src/server/sql/transactions/retryWhileBusy.js';

const pauses: number[] = [];
vi.mock('node:timers/promises', () => ({
  setImmediate: async () => {},
  setTimeout: async (ms: number) => void pauses.push(ms),
}));

let clock = 0;
beforeEach(() => {
  pauses.length = 0;
  clock = 1_790_000_000_000;
  vi.spyOn(Date, 'now').mockImplementation(() => clock);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => void vi.restoreAllMocks());

const busy = (code = 'SQLITE_BUSY') => Object.assign(new Error('database is locked'), { code });

describe('retryWhileBusy', () => {
  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'])(
    'retries after %s with a pause',
    async (code) => {
      const work = vi.fn(async () => 'done');
      work.mockRejectedValueOnce(busy(code)).mockRejectedValueOnce(busy(code));
      expect(await retryWhileBusy(work)).toBe('done');
      expect(pauses).toEqual([10, 10]);
    },
  );

  it('throws the error after 15 seconds of retries', async () => {
    let attempts = 0;
    const work = () => {
      attempts++;
      clock += 2500;
      return Promise.reject(busy());
    };
    await expect(retryWhileBusy(work)).rejects.toThrow('locked');
    // The sixth attempt ends at 15 seconds, which is still in time.
    expect(attempts).toBe(7);
  });

  it.each<readonly [string, unknown]>([
    ['another error', new Error('SQLITE_BUSY')],
    ['an error with another code', busy('SQLITE_FULL')],
    ['an error whose code contains SQLITE_BUSY', busy('NOT_SQLITE_BUSY')],
    ['a thrown object', { code: 'SQLITE_BUSY' }],
    ['thrown text', 'SQLITE_BUSY'],
  ])('throws %s immediately', async (_, error) => {
    const work = vi.fn(() => Promise.reject(error));
    await expect(retryWhileBusy(work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledOnce();
  });

  it('runs one transaction at a time, even after one has failed', async () => {
    const log: string[] = [];
    const run = (name: string) =>
      retryWhileBusy(async () => {
        log.push(`${name} begins`);
        await new Promise((done) => setImmediate(done));
        log.push(`${name} ends`);
        if (name === 'a') throw new Error('no');
      });
    const all = await Promise.allSettled(['a', 'b', 'c'].map(run));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
