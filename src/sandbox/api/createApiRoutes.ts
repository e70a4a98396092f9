import type { KeyObject } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { stringify } from 'lossless-json';
import type * as z from 'zod/mini';
import { isRampError } from '../../protocol/errors/RampError.js';
import { cryptoCurrencies, nftCryptoCurrencies } from '../catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../catalog/fiatCurrencies.js';
import type { UsdPrice } from '../catalog/pricing.js';
import type { Explain, JournalEntry, SandboxJournal } from '../console/journal.js';
import type { DerivedValues } from '../createDerivedValues.js';
import { explainSignature, type KnownKeys } from '../explain/explainSignature.js';
import { readRequestMessage, type SignedMessage } from '../explain/signedMessage.js';
import type { ApiFault, SandboxFaults } from '../faults.js';
import { createApiFaults } from '../injectFaults.js';
import type { SandboxOrders } from '../orders.js';
import { handleThrownError, parseWithSchema } from '../requests.js';
import {
  createApiQuote,
  currencyQuery,
  orderQuery,
  priceQuery,
  selectOrderPage,
  tokenQuery,
} from './apiOperations.js';
import { type RefusedRequest, type VerifiedRequest, verifyApiRequest } from './verifyApiRequest.js';
import { createWireFormat, createWireRecords } from './wireFormat.js';

export interface ApiSettings {
  readonly partnerId: string;
  readonly apiPublicKey: KeyObject;
  /** The sandbox's own origin, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly now: () => number;
  readonly toleranceSeconds: number;
  readonly faults: SandboxFaults;
  readonly derived: DerivedValues;
  /** @default moving prices */
  readonly getUsdPrice?: UsdPrice | undefined;
  readonly orders: SandboxOrders;
  /** This sandbox's keys, because a request may have been signed with the wrong one. */
  readonly keys: KnownKeys;
  readonly journal: SandboxJournal | undefined;
}

/** Reads a request so that its signature can be explained. Returns undefined if it has no signature or is malformed. */
function readSignedRequest(
  c: Context,
  result: VerifiedRequest | RefusedRequest,
): SignedMessage | undefined {
  if (!result.ok && result.code !== 10003) return undefined;
  const { method, url, headers } = c.req.raw;
  const message = readRequestMessage('api-request', { method, url, headers });
  return message.signature === '' ? undefined : message;
}

/** The message of each code in section 7 of the service interface. The sandbox adds 10404 and 10500. */
const messages = {
  10000: 'success',
  10002: 'incorrect params',
  10003: 'Signature error',
  10404: 'unknown operation',
  10500: 'system busy',
} as const;

/** What the console shows as the result of a request with a fault. */
const faultResults: Readonly<Record<Exclude<ApiFault, 'slow'>, string>> = {
  timeout: 'no response',
  'http-500': 'status 500',
  error: `10500 ${messages[10500]}`,
};

/**
 * Creates the partner API under `/open/api` (section 4): lists of currencies, prices and finished orders. Every request
 * is verified first, even one for an unknown path. Apart from the injected faults, every response, refusals included,
 * is an envelope (section 2.1) with HTTP status 200, because the interface documents no other status. The envelope's
 * `code` is the result. Its `msg` is the message of section 7, followed by the failed check if there is one. Only an
 * unexpected error gets status 500.
 */
export function createApiRoutes(settings: ApiSettings) {
  const { origin, now, toleranceSeconds, orders, faults, derived, getUsdPrice } = settings;
  const form = createWireFormat(faults.quirks);
  const records = createWireRecords(form, origin);
  const createEnvelope = (c: Context, code: keyof typeof messages, data: unknown, why?: string) => {
    const msg = why ? `${messages[code]}: ${why}` : messages[code];
    return c.body(stringify({ code: form.code(code), msg, data }) ?? '', 200, {
      'Content-Type': 'application/json; charset=utf-8',
      // Use the sandbox's clock: clients compare this header with their own clock to measure the clock skew.
      Date: new Date(now()).toUTCString(),
    });
  };

  const verify = (c: Context) => {
    const result = verifyApiRequest(c.req.raw, {
      ...settings,
      host: new URL(origin).host,
      nowSeconds: Math.floor(now() / 1000),
      toleranceSeconds,
    });
    const message = readSignedRequest(c, result);
    const explain: Explain | undefined =
      message && ((signerText) => explainSignature(message, settings.keys, signerText));
    return { result, explain };
  };

  const routes = new Hono<{
    Variables: { params: Readonly<Record<string, string>>; fault: ApiFault | undefined };
  }>();
  const isHit = (rate: number, count: number) => derived.fraction('api-fault', count) < rate;
  const onFault = (c: Context, fault: ApiFault) => {
    c.set('fault', fault);
    // A slow request still gets its normal response, so it is recorded after its verification.
    if (fault !== 'slow')
      addEntry(c, { isAccepted: false, result: faultResults[fault], explain: verify(c).explain });
  };
  routes.use(createApiFaults(faults, isHit, (c) => createEnvelope(c, 10500, null), onFault));
  routes.use(async (c, next) => {
    const { result, explain } = verify(c);
    if (!result.ok) {
      const mistakes = explain?.().mistakes ?? [];
      const why = [...mistakes.flatMap(({ what, fix }) => [what, fix]), result.why].join(' ');
      recordRequest(c, result.code, { message: result.why, explain });
      return createEnvelope(c, result.code, null, why);
    }
    recordRequest(c, 10000, { explain });
    c.set('params', result.params);
    await next();
  });
  function recordRequest(
    c: Context,
    code: keyof typeof messages,
    entry: Pick<JournalEntry, 'message' | 'explain'>,
  ) {
    addEntry(c, { isAccepted: code === 10000, result: `${code} ${messages[code]}`, ...entry });
  }
  function addEntry(
    c: Context,
    entry: Pick<JournalEntry, 'isAccepted' | 'result' | 'message' | 'explain'>,
  ) {
    const title = `${c.req.method} ${c.req.path}`;
    settings.journal?.add({ kind: 'api-request', title, ...entry, fault: c.get('fault') });
  }
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
  createOperation('price', priceQuery, (query) =>
    records.quote(createApiQuote(query, now(), getUsdPrice)),
  );
  createOperation('order', orderQuery, (query) =>
    records.orderList(selectOrderPage(orders.listFinished(), query)),
  );
  routes.all('*', (c) =>
    createEnvelope(c, 10404, null, `${c.req.method} ${c.req.path} not found.`),
  );
  return routes;
}
