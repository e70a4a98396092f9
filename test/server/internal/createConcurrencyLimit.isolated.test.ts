import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConcurrencyLimit } from '../../../src/server/internal/concurrencyLimit.js';
import { processRuntime } from '../../../src/server/internal/runtime.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => {});
/** Creates work that stays pending until the test calls `end`. */
function held<T>() {
  const task = { end: (_: T) => {}, work: () => ended };
  const ended = new Promise<T>((resolve) => {
    task.end = resolve;
  });
  return task;
}
const settings = {
  runtime: processRuntime,
  maxRunning: 1,
  maxWaiting: 2,
  maxWaitMs: 3000,
  createError: (reason: string) => new Error(`refused: ${reason}`),
};

describe('createConcurrencyLimit', () => {
  it('rejects work that waits longer than the limit, without running it', async () => {
    const limiter = createConcurrencyLimit(settings);
    void limiter(never, undefined);
    const work = vi.fn(async () => 1);
    const waiting = limiter(work, undefined);
    const rejected = expect(waiting).rejects.toThrow('refused: timeout');
    await vi.advanceTimersByTimeAsync(2999);
    expect(work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await rejected;
    expect(work).not.toHaveBeenCalled();
  });

  it('removes work that has waited too long from the queue', async () => {
    const limiter = createConcurrencyLimit(settings);
    const { work, end } = held<number>();
    const running = limiter(work, undefined);
    const late = [limiter(never, undefined), limiter(never, undefined)];
    const settled = Promise.allSettled(late);
    await expect(limiter(never, undefined)).rejects.toThrow('refused: full');
    await vi.advanceTimersByTimeAsync(3000);
    await settled;
    const next = limiter(async () => 2, undefined);
    end(1);
    expect(await Promise.all([running, next])).toEqual([1, 2]);
    expect(await limiter(async () => 3, undefined)).toBe(3);
  });

  it('never interrupts work that has started in time', async () => {
    const limiter = createConcurrencyLimit(settings);
    const works = [held<number>(), held<number>()] as const;
    const first = limiter(works[0].work, undefined);
    const second = limiter(works[1].work, undefined);
    await vi.advanceTimersByTimeAsync(2000);
    works[0].end(1);
    await first;
    await vi.advanceTimersByTimeAsync(60_000);
    works[1].end(2);
    expect(await second).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});
