import { setTimeout } from 'node:timers/promises';
import { TransientError } from './TransientError.js';

export interface RetryOptions {
<<<<<<< HEAD
  /** The largest number of attempts, the first included. */
=======
  /** The number of tries, the first included. */
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
  readonly maxTries: number;
  /** The longest `Retry-After` that is waited for. A longer one rejects at once. */
  readonly maxPauseMs: number;
<<<<<<< HEAD
  /** Returns a number from 0 to 1, the jitter of a backoff. */
  readonly random: () => number;
}

const FIRST_BACKOFF_MS = 200;

/**
 * Retries work after a transient error, with exponential backoff and jitter. The backoff starts at 200 ms,
 * doubles with each attempt, and is never shorter than `Retry-After`. Half of it is jitter, so that clients
 * that failed together do not retry together. Any other error rejects at once.
 *
 * @throws what the last attempt threw, or the reason of the signal, which also ends a backoff.
=======
  /** Returns a number from 0 to 1, for jitter: clients that failed together should not retry together. */
  readonly random: () => number;
}

/** The backoff before the second try. It doubles with each try. */
const FIRST_BACKOFF_MS = 200;

/**
 * Retries work that fails with a {@link TransientError}, with exponential backoff and jitter, or after the
 * `Retry-After` of the service. Other errors end it at once, and so does a `Retry-After` above `maxPauseMs`.
 *
 * @throws the error of the last try; the reason of the signal, also during a pause.
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
 */
export async function retry<T>(
  work: () => Promise<T>,
  { maxTries, maxPauseMs, random }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError) || tries >= maxTries) throw error;
      const retryAfterMs = error.retryAfterMs ?? 0;
      if (retryAfterMs > maxPauseMs) throw error;
<<<<<<< HEAD
      const halfBackoffMs = FIRST_BACKOFF_MS * 2 ** (tries - 2);
      const jitterMs = halfBackoffMs * random();
      await pause(Math.max(retryAfterMs, halfBackoffMs) + jitterMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
=======
      const backoffMs = FIRST_BACKOFF_MS * 2 ** (tries - 1);
      const delayMs = Math.max(retryAfterMs, backoffMs * 0.5) + backoffMs * 0.5 * random();
      await setTimeout(delayMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
    }
  }
}
