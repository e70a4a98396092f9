import { createFakeApi } from './createFakeApi.js';
import { callHandler, createTestHandler, type TestRequest } from './createTestHandler.js';

export const currencies = [
  { fiatCurrency: 'USD', paymentOptions: [{ name: 'CARD_PAYMENT', minAmount: '15.00' }] },
];
export const eth = { cryptoCurrencyCode: 'ETH', network: 'ethereum_mainnet' };
export const quote = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'ETH',
  cryptoCurrencyAmount: '123456789012345678.123456789012345678',
  cryptoCurrencyUnitPrice: '93.09000000',
  paymentOptions: [],
};

/**
 * Creates a handler with a fake API client. A test sets the clocks and the failure of the API in `state`: `nowMs` never
 * goes back, `wallMs` may. `queries` has the calls of the API, and `errors` the errors that were passed to onError.
 */
export function createPriceHandler() {
  const queries: unknown[] = [];
  const errors: unknown[] = [];
  const state = {
    nowMs: 5_000,
    wallMs: 1_986_217_096_000,
    failure: undefined as Error | undefined,
  };
  const respond = async <T>(call: unknown, value: T): Promise<T> => {
    queries.push(call);
    await Promise.resolve();
    if (state.failure) throw state.failure;
    return value;
  };
  const api = createFakeApi({
    fiatCurrencies: () => respond('currencies', currencies),
    cryptoCurrencies: (query) => respond(query, [{ ...eth, raw: { internal: 'x' } }]),
    quote: (query) => respond(query, quote),
  });
  const handler = createTestHandler(
    { api, onError: (error) => errors.push(error) },
    { now: () => state.wallMs, monotonic: () => state.nowMs },
  );
  const get = (path: string, sent: TestRequest = {}) =>
    callHandler(handler, { method: 'GET', ...sent, path: `/api/ramp${path}` });
  return { queries, errors, state, get };
}

/** The path and query of a quote request, below the base path. */
export const QUOTE = '/quote?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=ETH';
