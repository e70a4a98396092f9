import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../../internal/runtime.js';

/** The options of `createResponseCache`. */
export interface ResponseCacheOptions {
  /** How long a response is fresh. */
  readonly freshMs: number;
  /** The largest age of a stale response while the service is down. */
  readonly staleMs: number;
  /** The largest number of entries, including pending requests. */
  readonly maxEntries: number;
  /** Returns whether an error means that the service is down, rather than that it refused the query. */
  readonly isOutage: (error: unknown) => boolean;
  /** Is called with each failure that a stale response replaces. */
  readonly onError: (error: unknown) => void;
  readonly runtime: Pick<Runtime, 'monotonic'>;
}

/** A response with the time at which it was received. */
export interface CachedResponse<Data> {
  readonly data: Data;
  readonly receivedAtMs: number;
  readonly freshUntilMs: number;
  /** The response time of the service; absent for a cached response. */
  readonly tookMs?: number | undefined;
  /** Whether this is the last response of a service that is down now. */
  readonly stale: boolean;
}

/** A cache of responses by key. */
export interface ResponseCache<Data> {
  /** Returns the cached response of `key`, or the response of `request`, which it then caches. */
  get(key: string, request: () => Promise<Data>): Promise<CachedResponse<Data>>;
  /** The number of entries. */
  readonly size: number;
}

/** How long a stale response is returned before the service is requested again. */
const OUTAGE_MS = 1000;

/**
 * Creates a cache of responses. Concurrent calls for one key share a request. While the service is down, the
 * cache returns its last response, marked as stale.
 */
export function createResponseCache<Data extends {}>(
  options: ResponseCacheOptions,
): ResponseCache<Data> {
  const { freshMs, staleMs, maxEntries, isOutage, onError, runtime } = options;
  const { monotonic } = runtime;
  const cache = new LRUCache<string, CachedResponse<Data>, () => Promise<Data>>({
    max: maxEntries,
    ttl: freshMs,
    ttlResolution: 0,
    perf: { now: monotonic },
    // A pending call still resolves with its response if other entries evict it meanwhile.
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    async fetchMethod(_key, last, { context: request, options: entry }) {
      const sentAtMs = monotonic();
      try {
        const data = await request();
        const receivedAtMs = monotonic();
        const tookMs = receivedAtMs - sentAtMs;
        return { data, receivedAtMs, freshUntilMs: receivedAtMs + freshMs, tookMs, stale: false };
      } catch (error) {
        if (!last || !isOutage(error) || monotonic() - last.receivedAtMs > staleMs) throw error;
        onError(error);
        entry.ttl = OUTAGE_MS;
        return { ...last, stale: true };
      }
    },
  });
  return {
    async get(key, request) {
      const status: LRUCache.Status<string, CachedResponse<Data>, () => Promise<Data>> = {};
      try {
        const cached = await cache.forceFetch(key, { context: request, status });
        return status.fetch === 'hit' ? { ...cached, tookMs: undefined } : cached;
      } catch (error) {
        // A response that the service has withdrawn must not be served as stale later.
        if (!isOutage(error)) cache.delete(key);
        throw error;
      }
    },
    get size() {
      return cache.size;
    },
  };
}
