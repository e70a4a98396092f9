import { RampError } from '../../protocol/errors/RampError.js';

/** The options of `createConcurrencyLimit`. */
export interface ConcurrencyLimitOptions {
  /** The largest number of running tasks. */
  readonly maxRunning: number;
  /** The largest number of tasks in the queue. */
  readonly maxWaiting: number;
  /** The longest wait in the queue. */
  readonly maxWaitMs: number;
}

/** A function that runs work, or queues it while too much work is running. */
export type ConcurrencyLimit = <T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
) => Promise<T>;

/**
 * Creates a concurrency limit. Excess work queues in FIFO order for at most `maxWaitMs`; an aborted waiter
 * leaves the queue immediately.
 *
 * @throws RampError `ERR_NETWORK` when the queue is full, `ERR_TIMEOUT` when the wait is too long; and the
 * reason of an aborted signal.
 */
export function createConcurrencyLimit({
  maxRunning,
  maxWaiting,
  maxWaitMs,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  let running = 0;
  const waiting = new Set<() => void>();

  const waitForTurn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(startWork);
        clearTimeout(timer);
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
      const timer = setTimeout(() => {
        leaveQueue();
        reject(
          createBusyError(
            'ERR_TIMEOUT',
            `No request to the service could start within ${maxWaitMs} ms`,
          ),
        );
      }, maxWaitMs);
      waiting.add(startWork);
      signal?.addEventListener('abort', abort, { once: true });
    });

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < maxRunning) running++;
    else if (waiting.size < maxWaiting) await waitForTurn(signal);
    else
      throw createBusyError(
        'ERR_NETWORK',
        `${maxWaiting} requests to the service are already waiting`,
      );
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

const createBusyError = (code: 'ERR_NETWORK' | 'ERR_TIMEOUT', what: string) =>
  new RampError(code, `${what}. Try again later.`);
