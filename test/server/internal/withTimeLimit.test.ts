import { describe, expect, it, vi } from 'vitest';
import { processRuntime } from '../../../src/server/internal/runtime.js';
import { withOwnSignal, withTimeLimit } from '../../../src/server/internal/withTimeLimit.js';

const never = () => new Promise<never>(() => {});
const late = () => 'late';

describe('withTimeLimit', () => {
  it('resolves with the result of work that ends in time', async () => {
    const limit = { runtime: processRuntime, limitMs: 10_000, onTimeout: late };
    expect(await withTimeLimit(limit, async () => 'done')).toBe('done');
    expect(await withTimeLimit(limit, () => 'done')).toBe('done');
  });

  it('resolves with the result of onTimeout and aborts the work at the limit', async () => {
    let given: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      given = signal;
      return never();
    };
    expect(
      await withTimeLimit({ runtime: processRuntime, limitMs: 5, onTimeout: late }, work),
    ).toBe('late');
    expect(given?.aborted).toBe(true);
  });

  it('rejects with the error of onTimeout', async () => {
    const onTimeout = () => {
      throw new Error('too slow');
    };
    await expect(
      withTimeLimit({ runtime: processRuntime, limitMs: 5, onTimeout }, never),
    ).rejects.toThrow('too slow');
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('failed'))],
    [
      'throws',
      () => {
        throw new Error('failed');
      },
    ],
  ])('rejects with the error of work that %s, and clears its timer', async (_, work) => {
    const onTimeout = vi.fn();
    await expect(
      withTimeLimit({ runtime: processRuntime, limitMs: 5, onTimeout }, work),
    ).rejects.toThrow('failed');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(onTimeout).not.toHaveBeenCalled();
  });

  it('rejects immediately with the reason of the signal, even if the work ignores it', async () => {
    const stop = new AbortController();
    const options = {
      runtime: processRuntime,
      limitMs: 10_000,
      onTimeout: late,
      signal: stop.signal,
    };
    const result = withTimeLimit<string>(options, never);
    stop.abort(new Error('no longer wanted'));
    await expect(result).rejects.toThrow('no longer wanted');
  });

  it('does not start the work if the signal is already aborted', async () => {
    const work = vi.fn();
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    const result = withTimeLimit(
      { runtime: processRuntime, limitMs: 10, onTimeout: late, signal },
      work,
    );
    await expect(result).rejects.toThrow('no longer wanted');
    expect(work).not.toHaveBeenCalled();
  });
});

describe('withOwnSignal', () => {
  /** Returns a function that returns how many listeners were added to `signal` and not removed. */
  function countListeners(signal: AbortSignal) {
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    return () => add.mock.calls.length - remove.mock.calls.length;
  }

  it('aborts the work of all calls with the shared signal and its reason', async () => {
    const shop = new AbortController();
    const calls = Array.from({ length: 20 }, () =>
      withOwnSignal(
        shop.signal,
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      ),
    );
    const settled = Promise.allSettled(calls);
    shop.abort('closing');
    expect(await settled).toEqual(Array(20).fill({ status: 'rejected', reason: 'closing' }));
  });

  it('adds one listener for all calls that run, and none after the last one', async () => {
    const { signal } = new AbortController();
    const count = countListeners(signal);
    const ends: (() => void)[] = [];
    const run = () => withOwnSignal(signal, () => new Promise<void>((end) => ends.push(end)));
    const calls = Array.from({ length: 20 }, run);
    expect(count()).toBe(1);
    for (const end of ends.splice(0)) end();
    await Promise.all(calls);
    expect(count()).toBe(0);
    const again = run();
    expect(count()).toBe(1);
    for (const end of ends) end();
    await again;
    expect(count()).toBe(0);
  });

  it('does not abort work that has settled', async () => {
    const shop = new AbortController();
    const own = await withOwnSignal(shop.signal, async (signal) => signal);
    shop.abort();
    expect(own.aborted).toBe(false);
  });
});
