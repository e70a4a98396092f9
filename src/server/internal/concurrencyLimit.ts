import type { Runtime } from './runtime.js';

export interface ConcurrencyLimitOptions {
  readonly runtime: Runtime;
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /**
   * Returns the error of work that did not start, because the queue was full or the wait took longer than `maxWaitMs`.
   */
  readonly createError: (reason: 'full' | 'timeout') => Error;
}

/** A function that runs work, or queues it while too much work is running. */
export type ConcurrencyLimit = <T>(
  work: () => Promise<T>,
  signal?: AbortSignal | undefined,
) => Promise<T>;

/**
 * Creates a concurrency limit. Excess work queues in FIFO order for at most `maxWaitMs`; an aborted waiter leaves the
 * queue immediately. If the work cannot start, the call rejects with the result of `createError`, or with its signal's
 * reason.
 */
export function createConcurrencyLimit({
  runtime,
  maxRunning,
  maxWaiting,
  maxWaitMs,
  createError,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  let running = 0;
  const waiting = new Set<() => void>();

  const waitForTurn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(startWork);
        runtime.clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const startWork = () => {
        leaveQueue();
        resolve();
      };
      const abort = () => {
        leaveQueue();
        reject(signal?.reason);
      };
      const timer = runtime.setTimeout(() => {
        leaveQueue();
        reject(createError('timeout'));
      }, maxWaitMs);
      waiting.add(startWork);
      signal?.addEventListener('abort', abort, { once: true });
    });

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < maxRunning) running++;
    else if (waiting.size < maxWaiting) await waitForTurn(signal);
    else throw createError('full');
    try {
      return await work();
    } finally {
      // The next waiter starts in place of this work, so the count does not change.
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };
}

export type KeyedConcurrencyLimit = <T>(
  key: string,
  work: () => Promise<T>,
  signal?: AbortSignal | undefined,
) => Promise<T>;

/** Creates a separate concurrency limit for each key. A key without work takes no memory. */
export function createKeyedConcurrencyLimit(
  options: ConcurrencyLimitOptions,
): KeyedConcurrencyLimit {
  const limits = new Map<string, { readonly run: ConcurrencyLimit; users: number }>();
  return async (key, work, signal) => {
    const limit = limits.get(key) ?? { run: createConcurrencyLimit(options), users: 0 };
    limits.set(key, limit);
    limit.users++;
    try {
      return await limit.run(work, signal);
    } finally {
      limit.users--;
      if (limit.users === 0) limits.delete(key);
    }
  };
}
