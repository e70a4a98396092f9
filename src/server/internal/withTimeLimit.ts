/** The options of `withTimeLimit`. */
export interface TimeLimitOptions<T> {
  readonly limitMs: number;
  /** Returns the result, or throws the error, of work that timed out. */
  readonly onTimeout: () => T;
  /** Aborts the work before the limit. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work with a time limit. At the limit, or when `signal` is aborted, the promise settles immediately,
 * even if the work ignores the signal that it is called with.
 *
 * @throws the errors of the work and of `onTimeout`, and the reason of `signal`.
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
