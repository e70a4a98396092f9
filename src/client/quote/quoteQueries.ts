import type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  Quote,
  QuoteQuery,
} from '../../protocol/api/resources.js';
import { compareAmounts, isDecimal } from '../../protocol/decimals.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type {
  CacheInfo,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  QuoteResponse,
} from '../../protocol/handler/CheckoutResponse.js';
import { type BackendSettings, normalizeApi } from '../backend/fetchBackend.js';
import { requestJson, toRampError, withTimeout } from '../backend/responses.js';
import type { CryptoCurrenciesOptions, QuoteOptions } from './QuoteState.js';
import { type QuoteSelection, toQuoteQuery } from './selection.js';

/**
 * The key of a query in react-query's cache: the route, the backend, and what is requested from it. It never contains
 * headers or tokens.
 *
 * @example
 * queryClient.invalidateQueries({ queryKey: ['partner-ramp'] }); // prices and currencies
 * queryClient.invalidateQueries({ queryKey: ['partner-ramp', 'quote'] }); // all prices
 */
export type RampQueryKey<Query = object> = readonly [
  'partner-ramp',
  'quote' | 'currencies' | 'cryptocurrencies',
  Pick<BackendSettings, 'api' | 'credentials'>,
  Query,
];

/** A query for `useQuery`, `prefetchQuery` and the other functions of react-query that take one. */
export interface RampQueryOptions<Data, Query = object> {
  /** Identifies the response in the cache. */
  readonly queryKey: RampQueryKey<Query>;
  /** Sends the request. It rejects with a {@link RampError}. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** How long a cached response is used without another request, in milliseconds. */
  readonly staleTime: number;
  /** Repeats a request once if the backend could not be reached. The backend repeats its own requests. */
  readonly retry: (failures: number, error: RampError) => boolean;
  /** The pause before the request is repeated, in milliseconds. */
  readonly retryDelay: number;
}

const FIVE_MINUTES = 300_000;

/** The time-out of a request. It is longer than a backend's three attempts to reach the service. */
const TIMEOUT_MS = 15_000;

/** The longest refresh interval. A longer one would have no use, and browser timers overflow beyond 24 days. */
const DAY_SECONDS = 86_400;

/** Returns the refresh interval of a quote in milliseconds, or 0 if the quote is not refreshed. */
export const toRefreshMs = (refreshSeconds = 30): number =>
  refreshSeconds > 0 ? Math.min(refreshSeconds, DAY_SECONDS) * 1000 : 0;

/**
 * Creates the query that `useQuote` sends, to prefetch a price, to render it on the server, or to invalidate it. Its
 * data is the handler's response: `quote`, `ageSeconds` and `stale`.
 *
 * The key contains `api` and `credentials`, so pass the same ones as the page does. On a server, `fetch` can call your
 * handler directly.
 *
 * The query fails with the errors of `useQuote`, or with `ERR_CONFIG_INVALID` if the selection has no amount.
 *
 * @example
 * await queryClient.prefetchQuery(
 *   quoteQueryOptions(
 *     { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' },
 *     { api: '/api/ramp' },
 *   ),
 * );
 */
export const quoteQueryOptions = (
  selection: QuoteSelection,
  { buyType, refreshSeconds, ...settings }: QuoteOptions = {},
): RampQueryOptions<QuoteResponse, QuoteQuery | undefined> =>
  createQuoteQuery(toQuoteQuery(selection, buyType), settings, toRefreshMs(refreshSeconds));

/** Implements {@link quoteQueryOptions} for a query that may be missing. If it is, no request must be sent. */
export const createQuoteQuery = (
  query: QuoteQuery | undefined,
  settings: BackendSettings,
  refreshMs: number,
): RampQueryOptions<QuoteResponse, QuoteQuery | undefined> => ({
  ...createQuery('quote', settings, query, (body: QuoteResponse) => isQuoteOf(body, query)),
  staleTime: refreshMs || FIVE_MINUTES,
});

/**
 * Creates the query that `useFiatCurrencies` sends. Its data is the handler's response: `currencies`, `ageSeconds` and
 * `stale`. It fails with the errors of `useFiatCurrencies`.
 *
 * @example
 * await queryClient.prefetchQuery(fiatCurrenciesQueryOptions({ api: '/api/ramp' }));
 */
export const fiatCurrenciesQueryOptions = (
  settings: BackendSettings = {},
): RampQueryOptions<FiatCurrenciesResponse> =>
  createQuery('currencies', settings, {}, isFiatResponse);

/**
 * Creates the query that `useCryptoCurrencies` sends. Its data is the handler's response: `cryptoCurrencies`,
 * `ageSeconds` and `stale`. It fails with the errors of `useFiatCurrencies`.
 *
 * @example
 * await queryClient.prefetchQuery(cryptoCurrenciesQueryOptions({ api: '/api/ramp' }));
 */
export const cryptoCurrenciesQueryOptions = ({
  buyType,
  ...settings
}: CryptoCurrenciesOptions = {}): RampQueryOptions<
  CryptoCurrenciesResponse,
  { readonly buyType?: BuyType }
> =>
  createQuery('cryptocurrencies', settings, buyType === 'nft' ? { buyType } : {}, isCryptoResponse);

function createQuery<Data extends CacheInfo, Query extends object | undefined>(
  route: RampQueryKey[1],
  settings: BackendSettings,
  query: Query,
  isResponse: (body: Data) => boolean,
): RampQueryOptions<Data, Query> {
  const { credentials } = settings;
  const api = settings.api == null ? undefined : normalizeApi(settings.api);
  return {
    queryKey: ['partner-ramp', route, { api, credentials }, query],
    queryFn({ signal }) {
      if (!query) throw new RampError('ERR_CONFIG_INVALID', 'The selection has no amount.');
      return fetchQuery({ ...settings, api }, `/${route}${toSearch(query)}`, isResponse, signal);
    },
    staleTime: FIVE_MINUTES,
    retry: (failures, { code }) => failures < 1 && code === 'ERR_NETWORK',
    retryDelay: 1000,
  };
}

function toSearch(query: object): string {
  const fields = Object.entries(query).filter(([, value]) => value);
  return fields.length > 0 ? `?${new URLSearchParams(fields)}` : '';
}

/** @throws RampError. Any other error, such as one that `headers` throws, is wrapped as `ERR_NETWORK`. */
async function fetchQuery<Data extends CacheInfo>(
  settings: BackendSettings,
  path: string,
  isResponse: (body: Data) => boolean,
  signal: AbortSignal,
): Promise<Data> {
  const { api } = settings;
  if (api === undefined)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'api is missing: pass the path of your ramp handler to RampProvider or the component.',
    );
  const body = await withTimeout(TIMEOUT_MS, 'The backend', signal, (signal) =>
    requestJson<Data>('ERR_RESPONSE_INVALID', [settings, path, { signal }]),
  ).catch((cause) => {
    throw toRampError(cause, 'ERR_NETWORK', 'headers() failed; see the cause.');
  });
  try {
    const { ageSeconds, stale } = body;
    // Backends without a cache may omit these fields.
    if (isResponse(body))
      return { ...body, ageSeconds: Number(ageSeconds) || 0, stale: stale === true };
  } catch {
    // isResponse() threw because a field that it reads is missing, so the response is invalid.
  }
  throw new RampError('ERR_RESPONSE_INVALID', `${api}${path} returned an unexpected response.`);
}

const isQuoteOf = ({ quote }: QuoteResponse, query: QuoteQuery | undefined) =>
  query !== undefined &&
  hasSameCurrencies(quote, query) &&
  [query.currencyAmount, quote.currencyAmount, quote.cryptoCurrencyAmount].every(isDecimal) &&
  // If the cryptocurrency amount differs from the NFT's price, the service may have read the price as a fiat amount.
  (query.buyType !== 'nft' ||
    compareAmounts(quote.cryptoCurrencyAmount, query.currencyAmount) === 0) &&
  [quote.cryptoCurrencyUnitPrice, quote.gasFee, quote.platformFee, quote.totalFee].every(
    isOptional(isDecimal),
  ) &&
  isOptional(isText)(quote.cryptoCurrency);

/** Returns whether a quote has the same two currencies as a query. */
export const hasSameCurrencies = (
  quote: Pick<Quote, 'fiatCurrency' | 'cryptoCurrencyCode'>,
  query: QuoteQuery,
): boolean =>
  quote.fiatCurrency === query.fiatCurrency &&
  quote.cryptoCurrencyCode === query.cryptoCurrencyCode;

const isFiatResponse = ({ currencies }: FiatCurrenciesResponse) =>
  Array.isArray(currencies) &&
  currencies.every(
    ({ fiatCurrency, name, paymentOptions }: FiatCurrency) =>
      isText(fiatCurrency) &&
      isOptional(isText)(name) &&
      Array.isArray(paymentOptions) &&
      paymentOptions.every(isPaymentOption),
  );

const isPaymentOption = ({ name, icon, processingTime, minAmount, maxAmount }: PaymentOption) =>
  isText(name) &&
  [icon, processingTime?.text].every(isOptional(isText)) &&
  [minAmount, maxAmount].every(isOptional((limit) => limit === '' || isDecimal(limit)));

const isCryptoResponse = ({ cryptoCurrencies }: CryptoCurrenciesResponse) =>
  Array.isArray(cryptoCurrencies) &&
  cryptoCurrencies.every(
    ({ cryptoCurrencyCode, cryptoCurrency, network, icon }: CryptoCurrency) =>
      isText(cryptoCurrencyCode) && [cryptoCurrency, network, icon].every(isOptional(isText)),
  );

const isText = (value: unknown): boolean => typeof value === 'string';

/** Makes a check accept a missing field, or `null`, which backends in some languages write instead. */
const isOptional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value == null || is(value);
