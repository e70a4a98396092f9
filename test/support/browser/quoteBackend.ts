import { afterEach, vi } from 'vitest';
import { mockFetch } from './mockFetch.js';
import { createCheckoutResponse, createPollResponse } from './statusBackend.js';

/** A request to the fake ramp handler. The test responds to it. */
export interface BackendRequest {
  /** The path below `/api/ramp`, for example `/quote`. */
  readonly route: string;
  readonly query: Record<string, string>;
  readonly init: RequestInit;
  readonly aborted: boolean;
  respond(body: unknown, status?: number): void;
  /** Makes `fetch` reject, as it does without a connection. */
  fail(): void;
}

export const fresh = { ageSeconds: 0, stale: false };

export const card = {
  name: 'CREDIT_DEBIT_CARD',
  processingTime: { text: '3 - 7Min', minMinutes: 3, maxMinutes: 7 },
  minAmount: '15.00',
  maxAmount: '5000.00',
};
const transfer = { name: 'BANK_CARD_TRANSFER', minAmount: '50.00', maxAmount: '20000.00' };

const fiatCurrencies = [
  { fiatCurrency: 'USD', name: 'US Dollar', paymentOptions: [card, transfer] },
  { fiatCurrency: 'EUR', name: 'Euro', paymentOptions: [card] },
  { fiatCurrency: 'GBP', name: 'Pound sterling', paymentOptions: [] },
];
const coins = [
  ['USDT_ERC20', 'USDT', 'ethereum_mainnet'],
  ['USDT_TRC20', 'USDT', 'tron_mainnet'],
  ['ETH', 'ETH', 'ethereum_mainnet'],
] as const;
const cryptoCurrencies = coins.map(([cryptoCurrencyCode, cryptoCurrency, network]) => ({
  cryptoCurrencyCode,
  cryptoCurrency,
  network,
}));

/** The response bodies of the routes that list currencies. */
export const lists: Readonly<Record<string, unknown>> = {
  '/currencies': { currencies: fiatCurrencies, ...fresh },
  '/cryptocurrencies': { cryptoCurrencies, ...fresh },
};

interface QuoteRequestQuery {
  fiatCurrency?: string;
  currencyAmount?: string;
  cryptoCurrencyCode?: string;
}

/** Creates the response body for a quote request. `cryptoCurrencyAmount` is what the shopper would receive. */
export const createQuoteResponse = (
  { fiatCurrency, currencyAmount, cryptoCurrencyCode = '' }: QuoteRequestQuery,
  cryptoCurrencyAmount = '97.09000000',
  more: object = {},
) => ({
  quote: {
    fiatCurrency,
    currencyAmount,
    cryptoCurrencyCode,
    cryptoCurrency: cryptoCurrencyCode.replace(/_.*/, ''),
    cryptoCurrencyAmount,
    cryptoCurrencyUnitPrice: '1.0032',
    gasFee: '0.1',
    platformFee: '0.2',
    totalFee: '0.3',
    paymentOptions: [],
    ...more,
  },
  ...fresh,
});

/**
 * Replaces `fetch` with a fake ramp handler. It responds with the result of `respond`. If the result is undefined, the
 * request waits until the test responds. An aborted request stays pending, so that tests can send late responses.
 */
export function quoteBackend(
  respond: (request: BackendRequest) => unknown = ({ route }) => lists[route],
) {
  const requests: BackendRequest[] = [];
  mockFetch((sent) => {
    const { url, init, fail } = sent;
    const request: BackendRequest = {
      route: url.pathname.replace('/api/ramp', ''),
      query: Object.fromEntries(url.searchParams),
      init,
      get aborted() {
        return sent.aborted;
      },
      // A fake Response, because reading a real body takes real time, even if a test fakes the timers.
      respond: (body, status = 200) =>
        sent.respond({
          ok: status < 400,
          status,
          headers: new Headers(),
          json: async () => body,
        } as Response),
      fail: () => fail(),
    };
    // Do not record requests for signatures, because a button also sends one when the pointer happens to be over it.
    if (request.route !== '/checkouts') requests.push(request);
    const body = respond(request);
    if (body !== undefined) request.respond(body);
  });
  return { requests, quotes: () => requests.filter(({ route }) => route === '/quote') };
}

/** A `respond` that answers all requests immediately: lists, quotes, and checkouts, which are all unpaid. */
export const respondToAll = ({ route, query }: BackendRequest) =>
  lists[route] ??
  (route === '/checkouts'
    ? {
        ...createPollResponse(createCheckoutResponse()),
        checkouts: [{ ...createCheckoutResponse({ reference: 'r2' }), createdAt: 1_790_000_000 }],
      }
    : createQuoteResponse(query));

afterEach(() => {
  vi.restoreAllMocks();
});
