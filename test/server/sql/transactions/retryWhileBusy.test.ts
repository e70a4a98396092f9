import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createRuntime,
  processRuntime,
  type Runtime,
} from '../../../../src/server/internal/runtime.js';
import { retryWhileBusy } from '../../../../src/server/sql/transactions/retryWhileBusy.js';

const pauses: number[] = [];
let clock: number;
let runtime: Runtime;
beforeEach(() => {
  pauses.length = 0;
  clock = 0;
  runtime = createRuntime({
    ...processRuntime,
    monotonic: () => clock,
    random: () => 0.5,
    setTimeout(work, ms) {
      // The queue also has a timer, for the longest wait in it.
      if (ms < 1000) {
        pauses.push(ms);
        queueMicrotask(work);
      }
      return { unref() {} };
    },
  });
});

const busy = (code = 'SQLITE_BUSY') => Object.assign(new Error('database is locked'), { code });

describe('retryWhileBusy', () => {
  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'])(
    'retries after %s with a pause',
    async (code) => {
      const work = vi.fn(async () => 'done');
      work.mockRejectedValueOnce(busy(code)).mockRejectedValueOnce(busy(code));
      expect(await retryWhileBusy(runtime, work)).toBe('done');
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
    await expect(retryWhileBusy(runtime, work)).rejects.toThrow('locked');
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
    await expect(retryWhileBusy(runtime, work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledOnce();
  });

  it('runs one transaction at a time, even after one has failed', async () => {
    const log: string[] = [];
    const run = (name: string) =>
      retryWhileBusy(runtime, async () => {
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
