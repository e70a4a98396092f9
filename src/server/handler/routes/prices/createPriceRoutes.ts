import { type Context, Hono } from 'hono';
import { parseBuyType, parseQuoteQuery } from '../../../../protocol/api/parseQuoteQuery.js';
import { createParamsError } from '../../../../protocol/errors/createParamsError.js';
import type {
  CacheInfo,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  QuoteResponse,
} from '../../../../protocol/handler/CheckoutResponse.js';
import { parseQuery } from '../../../../protocol/parseQuery.js';
import { RequestError } from '../../../internal/RequestError.js';
import type { PartnerApi } from '../../../partner-api/createPartnerApi.js';
import type { RampEnv } from '../../RampEnv.js';
import { createPriceCache, type PriceCacheOptions } from './createPriceCache.js';
import type { CachedResponse } from './createResponseCache.js';

/** The settings of the handler that these routes use. */
export interface PriceRouteOptions extends PriceCacheOptions {
  readonly api: PartnerApi | undefined;
}

/** Creates `GET /currencies`, `/cryptocurrencies` and `/quote`. */
export function createPriceRoutes<Context>({
  api,
  ...settings
}: PriceRouteOptions): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  for (const path of ['/currencies', '/cryptocurrencies', '/quote']) {
    app.on(['POST', 'PUT', 'PATCH', 'DELETE'], path, (c) => {
      c.header('Allow', 'GET');
      throw new RequestError(405, 'Request prices with GET.');
    });
    if (!api)
      app.get(path, () => {
        throw new RequestError(
          404,
          'createRampHandler has no api, so it has no prices. Pass the result of createPartnerApi() as api.',
        );
      });
  }
  if (!api) return app;

  const prices = createPriceCache(api, settings);
  const { monotonic } = settings.runtime;
  app.get('/currencies', async (c) => {
    rejectQuery(c);
    const response = await prices.fiatCurrencies();
    const { data: currencies, ...info } = addCacheHeaders(c, response, monotonic());
    return c.json({ currencies, ...info } satisfies FiatCurrenciesResponse);
  });
  app.get('/cryptocurrencies', async (c) => {
    const { buyType } = parseBuyType(parseQuery(getSearch(c)));
    const response = await prices.cryptoCurrencies(buyType);
    const { data: cryptoCurrencies, ...info } = addCacheHeaders(c, response, monotonic());
    return c.json({ cryptoCurrencies, ...info } satisfies CryptoCurrenciesResponse);
  });
  app.get('/quote', async (c) => {
    const query = parseQuoteQuery(parseQuery(getSearch(c)));
    const { data: quote, ...info } = addCacheHeaders(c, await prices.quote(query), monotonic());
    return c.json({ quote, ...info } satisfies QuoteResponse);
  });
  return app;
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
