import { setTimeout as pause } from 'node:timers/promises';
import { TransientError } from './TransientError.js';

export interface RetryOptions {
  /** How often in all. */
  readonly maxTries: number;
  /** The longest pause that the service may ask for. */
  readonly maxPauseMs: number;
  /** From 0 to 1: scatters the pauses, so that not all who failed together come back together. */
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 200;

/**
 * Tries work that may fail in passing, with pauses that grow, or as long as the service asked for.
 * Any other failure ends it at once, and so does a pause that would be too long.
 *
 * @throws what the last try threw; the signal's reason, also within a pause.
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
      const asked = error.retryAfterMs ?? 0;
      if (asked > maxPauseMs) throw error;
      const grown = FIRST_PAUSE_MS * 2 ** (tries - 1);
      const pauseMs = Math.max(asked, grown * 0.5) + grown * 0.5 * random();
      await pause(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}
