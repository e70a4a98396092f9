import { randomBytes, randomInt, randomUUID } from 'node:crypto';

export type Timer = { unref(): unknown };

/**
 * Everything that the server uses from its process: clocks, timers, randomness, the network, and state that exists once
 * per process. Each public function passes one runtime to all of its parts, and they use no other clock, timer or
 * source of randomness. So a simulation can supply its own runtimes.
 */
export interface Runtime {
  /** The wall clock, milliseconds since 1970. It may jump. */
  now(): number;
  /** A clock that never goes back, milliseconds. */
  monotonic(): number;
  setTimeout(work: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
  setInterval(work: () => void, ms: number): Timer;
  clearInterval(timer: Timer | undefined): void;
  /** Runs work in the next iteration of the event loop, after other connections and timers. */
  setImmediate(work: () => void): void;
  /** Returns a number from 0 to 1, for the jitter of a backoff. */
  random(): number;
  randomBytes(size: number): Buffer;
  /** Returns a random integer from `least` to `limit - 1`. */
  randomInt(least: number, limit: number): number;
  randomUUID(): string;
  fetch(...request: Parameters<typeof fetch>): Promise<Response>;
  /** Returns true only for the process's first call with this text. */
  isFirst(what: string): boolean;
  /** Logs each warning once per process, and none in production. */
  warnOnce(message: string): void;
  /**
   * Returns a value that exists once per process, such as a queue. The first call with `create` creates it, and later
   * calls return the same value.
   */
  once<T>(create: (runtime: Runtime) => T): T;
}

/** The part of a runtime that has no state. */
export type Host = Omit<Runtime, 'isFirst' | 'warnOnce' | 'once'>;

/** Adds the per-process state (`isFirst`, `warnOnce`, `once`) to a host. */
export function createRuntime(host: Host): Runtime {
  const seen = new Set<string>();
  const isFirst = (what: string) => {
    const isNew = !seen.has(what);
    seen.add(what);
    return isNew;
  };
  const created = new Map<unknown, unknown>();
  const runtime: Runtime = {
    ...host,
    isFirst,
    warnOnce: (message) => {
      if (process.env.NODE_ENV === 'production' || !isFirst(message)) return;
      // biome-ignore lint/suspicious/noConsole: the only logger that every backend has
      console.warn(`[partner-ramp] ${message}`);
    },
    once<T>(create: (runtime: Runtime) => T) {
      if (!created.has(create)) created.set(create, create(runtime));
      return created.get(create) as T;
    },
  };
  return runtime;
}

/** The runtime of this process. The globals are read at each call, so that instrumentation can replace them. */
export const processRuntime: Runtime = createRuntime({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  setInterval: (work, ms) => setInterval(work, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout | undefined),
  setImmediate: (work) => void setImmediate(work),
  random: () => Math.random(),
  randomBytes: (size) => randomBytes(size),
  randomInt: (least, limit) => randomInt(least, limit),
  randomUUID: () => randomUUID(),
  fetch: (...request) => fetch(...request),
});

/** Returns the time of the wall clock in Unix seconds. */
export const getSeconds = ({ now }: Pick<Runtime, 'now'>): number => Math.floor(now() / 1000);

/** Resolves after a pause. @throws the reason of the signal, as soon as it is aborted. */
export function sleep(runtime: Runtime, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      runtime.clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = runtime.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
