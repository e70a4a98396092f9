import { RampError } from '../protocol/ramp-error.js';

export type Limiter = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/**
 * Lets so much work run at once and so much more wait, first come first served. Who gives up while
 * waiting is let go at once and leaves no gap.
 *
 * @throws RampError `ERR_NETWORK` when too many wait already; the signal's reason.
 */
export function createLimiter(mostAtOnce: number, mostWaiting: number): Limiter {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        reject(signal?.reason);
      };
      const enter = () => {
        waiting.delete(enter);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running < mostAtOnce) running++;
    else if (waiting.size < mostWaiting) await turn(signal);
    else
      throw new RampError(
        'ERR_NETWORK',
        `More than ${mostWaiting} requests to the service are waiting already.`,
      );
    try {
      return await work();
    } finally {
      // Whoever waits takes over the place as it is.
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };
}
