export interface TimeLimitOptions<T> {
  readonly limitMs: number;
  /** Returns the result of work that ran out of time, or throws its error. */
  readonly onTimeout: () => T;
  /** Ends the work too. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work with a time limit. At the limit, or when `signal` is aborted, the promise settles at once, even
 * if the work ignores the signal that it is called with.
 *
 * @throws whatever the work or `onTimeout` throws, and the reason of `signal`.
 */
export async function withTimeLimit<T>(
  { limitMs, onTimeout, signal: outer }: TimeLimitOptions<T>,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const limit = new AbortController();
  const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal;
  const timer = setTimeout(() => limit.abort(), limitMs);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work(signal), stopped]);
  } catch (error) {
    outer?.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    return onTimeout();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
