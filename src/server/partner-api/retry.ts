import { type Runtime, sleep } from '../internal/runtime.js';
import { TransientError } from './TransientError.js';

/** The options of `retry`. */
export interface RetryOptions {
  /** The largest number of attempts, the first included. */
  readonly maxTries: number;
  /** The longest `Retry-After` that `retry` waits for. A longer one rejects immediately. */
  readonly maxPauseMs: number;
  readonly runtime: Runtime;
}

const FIRST_BACKOFF_MS = 200;

/**
 * Retries work after a transient error, with exponential backoff and jitter. The first backoff is 100 to
 * 200 ms, and the range doubles with each attempt. The part above the minimum is jitter, so that clients that
 * failed together do not retry together. A longer `Retry-After` replaces the minimum. Any other error rejects
 * immediately.
 *
 * @throws the error of the last attempt, or the reason of the signal, which also ends a backoff.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { maxTries, maxPauseMs, runtime }: RetryOptions,
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
      const halfBackoffMs = FIRST_BACKOFF_MS * 2 ** (tries - 2);
      const jitterMs = halfBackoffMs * runtime.random();
      await sleep(runtime, Math.max(retryAfterMs, halfBackoffMs) + jitterMs, signal);
    }
  }
}
