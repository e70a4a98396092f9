import type { KeyObject } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { stringify } from 'lossless-json';
import type * as z from 'zod/mini';
import { isRampError } from '../../protocol/errors/RampError.js';
import { cryptoCurrencies, nftCryptoCurrencies } from '../catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../catalog/fiatCurrencies.js';
import type { SandboxOrders } from '../orders.js';
import type { SandboxQuirks } from '../parseSandboxOptions.js';
import { handleThrownError, parseWithSchema } from '../requests.js';
import {
  createApiQuote,
  currencyQuery,
  orderQuery,
  priceQuery,
  selectOrderPage,
  tokenQuery,
} from './apiOperations.js';
import { verifyApiRequest } from './verifyApiRequest.js';
import { createWireFormat, createWireRecords } from './wireFormat.js';

export interface ApiSettings {
  readonly partnerId: string;
  readonly apiPublicKey: KeyObject;
  /** The sandbox's own origin, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly now: () => number;
  readonly toleranceSeconds: number;
  readonly quirks: SandboxQuirks;
  readonly orders: SandboxOrders;
}

/** The message of each code of docs/service-interface.md section 7. The sandbox adds 10404 for unknown operations. */
const messages = {
  10000: 'success',
  10002: 'incorrect params',
  10003: 'Signature error',
  10404: 'unknown operation',
} as const;

/**
 * Creates the partner API under `/open/api` (section 4): lists of currencies, prices and finished orders. Every request
 * is verified first, even one for an unknown path. Every response, refusals included, is an envelope (section 2.1) with
 * HTTP status 200, because the interface documents no other status. The `code` of the envelope is the result. The `msg`
 * of the envelope is the message of section 7, followed by the failed check if there is one. Only an unexpected error
 * has status 500.
 */
export function createApiRoutes(settings: ApiSettings) {
  const { origin, now, toleranceSeconds, orders } = settings;
  const form = createWireFormat(settings.quirks);
  const records = createWireRecords(form, origin);
  const createEnvelope = (c: Context, code: keyof typeof messages, data: unknown, why?: string) => {
    const msg = why ? `${messages[code]}: ${why}` : messages[code];
    return c.body(stringify({ code: form.code(code), msg, data }) ?? '', 200, {
      'Content-Type': 'application/json; charset=utf-8',
      // Use the sandbox's clock: clients compare this header with their own clock to measure the clock skew.
      Date: new Date(now()).toUTCString(),
    });
  };

  const routes = new Hono<{ Variables: { params: Readonly<Record<string, string>> } }>();
  routes.use(async (c, next) => {
    const result = verifyApiRequest(c.req.raw, {
      ...settings,
      host: new URL(origin).host,
      nowSeconds: Math.floor(now() / 1000),
      toleranceSeconds,
    });
    if (!result.ok) return createEnvelope(c, result.code, null, result.why);
    c.set('params', result.params);
    await next();
  });
  routes.onError((error, c) => {
    if (!isRampError(error) || !error.issues) return handleThrownError(error, c);
    const why = error.issues.map(({ param, message }) => `${param} ${message}`).join('; ');
    return createEnvelope(c, 10002, null, why);
  });
  const createOperation = <Q>(name: string, query: z.ZodMiniType<Q>, work: (query: Q) => unknown) =>
    routes.get(`/onramp/${name}`, (c) =>
      createEnvelope(c, 10000, work(parseWithSchema(query, c.get('params')))),
    );

  createOperation('currency', currencyQuery, () => fiatCurrencies.map(records.fiatCurrency));
  createOperation('token', tokenQuery, ({ buyType }) => {
    const list = buyType === 'nft' ? nftCryptoCurrencies : cryptoCurrencies;
    return list.map(records.cryptoCurrency);
  });
  createOperation('price', priceQuery, (query) => records.quote(createApiQuote(query, now())));
  createOperation('order', orderQuery, (query) =>
    records.orderList(selectOrderPage(orders.listFinished(), query)),
  );
  routes.all('*', (c) =>
    createEnvelope(c, 10404, null, `${c.req.method} ${c.req.path} not found.`),
  );
  return routes;
}
