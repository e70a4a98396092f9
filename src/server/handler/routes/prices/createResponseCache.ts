import { LRUCache } from 'lru-cache';

export interface ResponseCacheOptions {
  /** How long an answer is good. */
  readonly freshMs: number;
  /** How old it may be shown while no other is to be had. */
  readonly staleMs: number;
  /** The most answers that are kept, those under way included. */
  readonly maxEntries: number;
  /** Whether the service has failed rather than refused the question. */
  readonly isOutage: (error: unknown) => boolean;
  /** Hears of the failure that a stale answer stands for. */
  readonly onError: (error: unknown) => void;
  /** A clock that is never set, milliseconds. */
  readonly clock: () => number;
}

/** An answer as it was received, some time ago. */
export interface CachedResponse<Answer> {
  readonly data: Answer;
  readonly receivedAtMs: number;
  readonly freshUntilMs: number;
  /** How long the service took; absent for an answer that was there already. */
  readonly tookMs?: number | undefined;
  /** The service is down, and this is the last that it said. */
  readonly stale: boolean;
}

export interface ResponseCache<Answer> {
  /** The answer that is kept under `key`, or the one that `ask` gets. */
  get(key: string, ask: () => Promise<Answer>): Promise<CachedResponse<Answer>>;
  readonly size: number;
}

/** A service that is down is asked again after this, by the first who wants to know. */
const OUTAGE_MS = 1000;

/**
 * Keeps answers for a while: however many ask the same at once, the service is asked once. While it
 * is down its last answer is handed out, marked as stale.
 */
export function createResponseCache<Answer extends {}>(
  options: ResponseCacheOptions,
): ResponseCache<Answer> {
  const { freshMs, staleMs, maxEntries, isOutage, onError, clock } = options;
  const cache = new LRUCache<string, CachedResponse<Answer>, () => Promise<Answer>>({
    max: maxEntries,
    ttl: freshMs,
    ttlResolution: 0,
    perf: { now: clock },
    // Whoever waits for an answer gets it, though others may have pushed it out meanwhile.
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    async fetchMethod(_key, last, { context: ask, options: entry }) {
      const askedAtMs = clock();
      try {
        const data = await ask();
        const receivedAtMs = clock();
        const tookMs = receivedAtMs - askedAtMs;
        return { data, receivedAtMs, freshUntilMs: receivedAtMs + freshMs, tookMs, stale: false };
      } catch (error) {
        if (!last || !isOutage(error) || clock() - last.receivedAtMs > staleMs) throw error;
        onError(error);
        entry.ttl = OUTAGE_MS;
        return { ...last, stale: true };
      }
    },
  });
  return {
    async get(key, ask) {
      const status: LRUCache.Status<string, CachedResponse<Answer>, () => Promise<Answer>> = {};
      try {
        const kept = await cache.forceFetch(key, { context: ask, status });
        return status.fetch === 'hit' ? { ...kept, tookMs: undefined } : kept;
      } catch (error) {
        // What the service takes back must not stand in for it later.
        if (!isOutage(error)) cache.delete(key);
        throw error;
      }
    },
    get size() {
      return cache.size;
    },
  };
}
