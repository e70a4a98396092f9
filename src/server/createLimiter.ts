import { RampError } from '../protocol/ramp-error.js';

export interface LimiterSettings {
  readonly mostAtOnce: number;
  readonly mostWaiting: number;
  /** The longest wait for a place, milliseconds. */
  readonly maxWaitMs: number;
}

export type Limiter = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/**
 * Limits concurrency. Excess work queues in FIFO order for at most `maxWaitMs`; an aborted waiter leaves
 * the queue immediately.
 *
 * @throws RampError `ERR_NETWORK` when the queue is full, `ERR_TIMEOUT` when the wait is too long; the
 * signal's reason.
 */
export function createLimiter({ mostAtOnce, mostWaiting, maxWaitMs }: LimiterSettings): Limiter {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leave();
        reject(
          tooBusy('ERR_TIMEOUT', `No request to the service could start within ${maxWaitMs} ms`),
        );
      }, maxWaitMs);
      waiting.add(enter);
      signal?.addEventListener('abort', abort, { once: true });
    });

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < mostAtOnce) running++;
    else if (waiting.size < mostWaiting) await turn(signal);
    else
      throw tooBusy(
        'ERR_NETWORK',
        `More than ${mostWaiting} requests to the service are waiting already`,
      );
    try {
      return await work();
    } finally {
      // The next waiter takes over the place, so the count does not change.
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };
}

const tooBusy = (code: 'ERR_NETWORK' | 'ERR_TIMEOUT', what: string) =>
  new RampError(code, `${what}. Try again later.`);
