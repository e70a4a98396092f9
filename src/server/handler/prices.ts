import type { Context, Handler } from 'hono';
import { LRUCache } from 'lru-cache';
import { parseBuyType, parseQuoteQuery } from '../../protocol/api/parseQuoteQuery.js';
import type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  Quote,
  QuoteQuery,
} from '../../protocol/api/resources.js';
import { normalizeDecimal } from '../../protocol/decimals.js';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { createParamsError, RampError } from '../../protocol/errors/RampError.js';
import type {
  CacheInfo,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  QuoteResponse,
} from '../../protocol/handler/CheckoutResponse.js';
import { parseQuery } from '../../protocol/query.js';
import { trace } from '../diagnostics.js';
import { sendJson } from '../internal/jsonResponse.js';
import type { Runtime } from '../internal/runtime.js';
import type { PartnerApi } from '../partner-api/createPartnerApi.js';
import type { HandlerSettings } from './options.js';

/** Creates `GET /currencies`, `/cryptocurrencies` and `/quote`. */
export function createPriceRoutes<Context>(settings: HandlerSettings<Context>) {
  const { api, runtime } = settings;
  const prices = createPriceCache(api, settings);
  const { monotonic } = runtime;
  return {
    async fiatCurrencies(c) {
      rejectQuery(c);
      const response = await prices.fiatCurrencies();
      const { data: currencies, ...info } = addCacheHeaders(c, response, monotonic());
      return sendJson(c, { currencies, ...info } satisfies FiatCurrenciesResponse);
    },
    async cryptoCurrencies(c) {
      const { buyType } = parseBuyType(parseQuery(getSearch(c)));
      const response = await prices.cryptoCurrencies(buyType);
      const { data: cryptoCurrencies, ...info } = addCacheHeaders(c, response, monotonic());
      return sendJson(c, { cryptoCurrencies, ...info } satisfies CryptoCurrenciesResponse);
    },
    async quote(c) {
      const query = parseQuoteQuery(parseQuery(getSearch(c)));
      const widget = query.buyType === 'nft' ? 'nft' : 'on-ramp';
      const response = await trace('partner-ramp:quote', runtime, { widget }, async (update) => {
        const priced = await prices.quote(query);
        const isCached = priced.tookMs === undefined;
        update({ outcome: priced.stale ? 'stale' : isCached ? 'cached' : 'fetched' });
        return priced;
      });
      const { data: quote, ...info } = addCacheHeaders(c, response, monotonic());
      return sendJson(c, { quote, ...info } satisfies QuoteResponse);
    },
  } satisfies Record<string, Handler>;
}

/** Returns the data of a response with its age, and sets the headers that describe the cache. */
function addCacheHeaders<Data>(
  c: Context,
  { data, stale, receivedAtMs, freshUntilMs, tookMs }: CachedResponse<Data>,
  nowMs: number,
): CacheInfo & { readonly data: Data } {
  const freshSeconds = Math.floor((freshUntilMs - nowMs) / 1000);
  if (!stale && freshSeconds > 0) c.header('Cache-Control', `private, max-age=${freshSeconds}`);
  c.header('Server-Timing', tookMs === undefined ? 'cache;desc=hit' : `service;dur=${tookMs}`);
  return {
    data,
    ageSeconds: Math.max(0, Math.floor((nowMs - receivedAtMs) / 1000)),
    stale,
  };
}

const getSearch = (c: Context) => new URL(c.req.url).search;

function rejectQuery(c: Context): void {
  const issues = Object.keys(parseQuery(getSearch(c))).map((param) => ({
    param,
    message: 'is not a parameter of this list',
  }));
  if (issues.length > 0) throw createParamsError(issues, 'The query was');
}

interface PriceCacheOptions {
  readonly runtime: Pick<Runtime, 'monotonic'>;
  /** Called with the error when a stale response is returned instead. Never throws. */
  readonly onError: (error: unknown) => void;
}

const MINUTE_MS = 60_000;

/**
 * Creates a cache of the partner API's currencies and prices: currencies for five minutes, and at most 1,000
 * quotes for five seconds. While the service is down it returns stale responses, currencies for a day and
 * quotes for five minutes.
 *
 * Its methods throw a RampError: `ERR_QUOTE_UNAVAILABLE` when the service refuses the query, otherwise
 * `ERR_API_RESPONSE` with the cause.
 */
export function createPriceCache(api: PartnerApi, settings: PriceCacheOptions) {
  const shared = { ...settings, isOutage };
  const list = { freshMs: 5 * MINUTE_MS, staleMs: 24 * 60 * MINUTE_MS, maxEntries: 4 };
  const fiat = createResponseCache<readonly FiatCurrency[]>({ ...shared, ...list });
  const crypto = createResponseCache<readonly CryptoCurrency[]>({ ...shared, ...list });
  const quotes = createResponseCache<Quote>({
    ...shared,
    freshMs: 5000,
    staleMs: 5 * MINUTE_MS,
    maxEntries: 1000,
  });
  return {
    fiatCurrencies: () => toPublicErrors(fiat.get('', () => api.fiatCurrencies())),

    cryptoCurrencies: (buyType: BuyType = 'fiat') =>
      toPublicErrors(
        crypto.get(buyType, async () => {
          const listed = await api.cryptoCurrencies(buyType === 'nft' ? { buyType } : {});
          // Pages need only the documented fields, so leave out `raw`.
          return listed.map(({ raw: _, ...known }) => known);
        }),
      ),

    quote(given: QuoteQuery) {
      const query = { ...given, currencyAmount: normalizeDecimal(given.currencyAmount) };
      const { fiatCurrency, currencyAmount, cryptoCurrencyCode, payment, buyType } = query;
      const key = [fiatCurrency, currencyAmount, cryptoCurrencyCode, payment, buyType].join('&');
      return toPublicErrors(quotes.get(key, () => api.quote(query)));
    },
  };
}

/** Returns whether the service refused the query itself (service interface, section 7). */
const isRefusal = (error: unknown) =>
  isRampError(error) && (error.apiCode === '10002' || error.code === 'ERR_PARAMS_INVALID');

const isOutage = (error: unknown) => !isRefusal(error);

/** Replaces an error with one for clients, which reveals nothing about the service's internals. */
async function toPublicErrors<Data>(response: Promise<CachedResponse<Data>>) {
  try {
    return await response;
  } catch (cause) {
    if (isRefusal(cause))
      throw new RampError(
        'ERR_QUOTE_UNAVAILABLE',
        'No price is available for this amount, these currencies and this payment method.',
      );
    const message = 'Prices are not available at the moment. Try again later.';
    throw new RampError('ERR_API_RESPONSE', message, { cause });
  }
}

interface ResponseCacheOptions {
  readonly freshMs: number;
  /** The maximum age of a stale response while the service is down. */
  readonly staleMs: number;
  /** The maximum number of entries, including pending requests. */
  readonly maxEntries: number;
  /** Returns whether an error means that the service is down, rather than that it refused the query. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called with the error when a stale response is returned instead. */
  readonly onError: (error: unknown) => void;
  readonly runtime: Pick<Runtime, 'monotonic'>;
}

interface CachedResponse<Data> {
  readonly data: Data;
  readonly receivedAtMs: number;
  readonly freshUntilMs: number;
  /** How long the service took to respond, in milliseconds. Absent if the response was cached. */
  readonly tookMs?: number | undefined;
  /** Whether the service is down, and `data` is its last response. */
  readonly stale: boolean;
}

interface ResponseCache<Data> {
  /** Returns the cached response of `key`, or the response of `request`, which it then caches. */
  get(key: string, request: () => Promise<Data>): Promise<CachedResponse<Data>>;
  readonly size: number;
}

/** How long a stale response is returned before the service is asked again. */
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
  const createCache = () =>
    new LRUCache<string, CachedResponse<Data>, () => Promise<Data>>({
      max: maxEntries,
      ttl: freshMs,
      ttlResolution: 0,
      perf: { now: monotonic },
      // A call still resolves with its response if its entry is evicted while the request is pending.
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
          return { ...last, tookMs: undefined, stale: true };
        }
      },
    });
  // Create the cache on first use: it allocates memory for all its entries, and some processes never return prices.
  let cache: ReturnType<typeof createCache> | undefined;
  return {
    async get(key, request) {
      cache ??= createCache();
      const status: LRUCache.Status<string, CachedResponse<Data>, () => Promise<Data>> = {};
      try {
        const cached = await cache.forceFetch(key, { context: request, status });
        return status.fetch === 'hit' ? { ...cached, tookMs: undefined } : cached;
      } catch (error) {
        // If the service now refuses the query, delete its last response, so that it is not returned as stale later.
        if (!isOutage(error)) cache.delete(key);
        throw error;
      }
    },
    get size() {
      return cache?.size ?? 0;
    },
  };
}
