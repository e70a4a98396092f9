import type { Context, Hono } from 'hono';
import type {
  CryptoCurrenciesAnswer,
  FiatCurrenciesAnswer,
  Kept,
  QuoteAnswer,
} from '../protocol/handler-answers.js';
import { parseQuery } from '../protocol/parse-query.js';
import { parseBuyType, parseQuoteQuery } from '../protocol/quote-query.js';
import { paramsError } from '../protocol/widget-schemas.js';
import type { RampEnv } from './checkoutRoute.js';
import type { KeptAnswer } from './createAnswerCache.js';
import { createPrices, type PriceSettings } from './createPrices.js';
import { RequestRefused } from './http-errors.js';
import type { PartnerApi } from './PartnerApi.js';

export interface PriceRouteOptions extends PriceSettings {
  readonly api: PartnerApi | undefined;
}

/** `GET /currencies`, `/cryptocurrencies` and `/quote`. */
export function priceRoutes<Context>(
  app: Hono<RampEnv<Context>>,
  { api, ...settings }: PriceRouteOptions,
): void {
  for (const path of ['/currencies', '/cryptocurrencies', '/quote']) {
    app.on(['POST', 'PUT', 'PATCH', 'DELETE'], path, (c) => {
      c.header('Allow', 'GET');
      throw new RequestRefused(405, 'Ask for prices with GET.');
    });
    if (!api)
      app.get(path, () => {
        throw new RequestRefused(
          404,
          'createRampHandler has no api, so it has no prices. Pass the result of createPartnerApi() as api.',
        );
      });
  }
  if (!api) return;

  const prices = createPrices(api, settings);
  const { clock } = settings;
  app.get('/currencies', async (c) => {
    noQuery(c);
    const { answer: currencies, ...kept } = served(c, await prices.fiatCurrencies(), clock());
    return c.json({ currencies, ...kept } satisfies FiatCurrenciesAnswer);
  });
  app.get('/cryptocurrencies', async (c) => {
    const { buyType } = parseBuyType(parseQuery(searchOf(c)));
    const { answer, ...kept } = served(c, await prices.cryptoCurrencies(buyType), clock());
    return c.json({ cryptoCurrencies: answer, ...kept } satisfies CryptoCurrenciesAnswer);
  });
  app.get('/quote', async (c) => {
    const query = parseQuoteQuery(parseQuery(searchOf(c)));
    const { answer: quote, ...kept } = served(c, await prices.quote(query), clock());
    return c.json({ quote, ...kept } satisfies QuoteAnswer);
  });
}

/** An answer with its age, and the headers that say so. */
function served<Answer>(
  c: Context,
  { answer, stale, receivedAtMs, freshUntilMs, tookMs }: KeptAnswer<Answer>,
  nowMs: number,
): Kept & { readonly answer: Answer } {
  const freshSeconds = Math.floor((freshUntilMs - nowMs) / 1000);
  if (!stale && freshSeconds > 0) c.header('Cache-Control', `private, max-age=${freshSeconds}`);
  c.header('Server-Timing', tookMs === undefined ? 'cache;desc=hit' : `service;dur=${tookMs}`);
  return { answer, ageSeconds: Math.max(0, Math.floor((nowMs - receivedAtMs) / 1000)), stale };
}

const searchOf = (c: Context) => new URL(c.req.url).search;

function noQuery(c: Context): void {
  const issues = Object.keys(parseQuery(searchOf(c))).map((param) => ({
    param,
    message: 'is not a parameter of this list',
  }));
  if (issues.length > 0) throw paramsError(issues, 'The question was');
}
