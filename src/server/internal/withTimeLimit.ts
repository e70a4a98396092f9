import type { Runtime } from './runtime.js';

export interface TimeLimitOptions<T> {
  readonly runtime: Runtime;
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
  { runtime, limitMs, onTimeout, signal: outer }: TimeLimitOptions<T>,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  return withOwnSignal(outer, async (signal, abort) => {
    let hasTimedOut = false;
    const timer = runtime.setTimeout(() => {
      hasTimedOut = true;
      abort();
    }, limitMs);
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
    });
    signal.addEventListener('abort', stop);
    try {
      return await Promise.race([work(signal), stopped]);
    } catch (error) {
      outer?.throwIfAborted();
      if (!hasTimedOut) throw error;
      return onTimeout();
    } finally {
      runtime.clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  });
}

/**
 * Runs work with its own signal, which is aborted if `outer` is aborted before the work settles. After that, `outer`
 * keeps no reference to the signal. `AbortSignal.any` would leak: Node.js 20 keeps about 100 bytes for each signal it
 * creates, for as long as `outer` lives.
 *
 * @throws the errors of the work, and the reason of `outer` if it is already aborted.
 */
export async function withOwnSignal<T>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, abort: () => void) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const own = new AbortController();
  const stopFollowing = outer && followSignal(outer, own);
  try {
    return await work(own.signal, () => own.abort());
  } finally {
    stopFollowing?.();
  }
}

/**
 * Returns whether a value is an abort signal. Signals from another realm or package count, although they are not
 * instances of the global class.
 */
export function isAbortSignal(value: unknown): value is AbortSignal {
  const { aborted, addEventListener } = Object(value) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/**
 * The controllers to abort together with a signal. They share one listener, because Node.js warns about more than ten
 * listeners.
 */
const followers = new WeakMap<AbortSignal, Set<AbortController>>();

function followSignal(outer: AbortSignal, own: AbortController): () => void {
  const group = followers.get(outer) ?? new Set();
  if (group.size === 0) {
    followers.set(outer, group);
    outer.addEventListener('abort', abortFollowers);
  }
  group.add(own);
  return () => {
    group.delete(own);
    // Remove the unused listener, because Node.js keeps some signals in memory while they have one.
    if (group.size === 0) outer.removeEventListener('abort', abortFollowers);
  };
}

function abortFollowers(this: AbortSignal): void {
  for (const own of followers.get(this) ?? []) own.abort(this.reason);
}
