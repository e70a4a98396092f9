import { useEffect, useState } from 'react';
import type { BuyType, Quote, QuoteQuery } from '../../../protocol/api/resources.js';
import { compareAmounts, isDecimal } from '../../../protocol/decimals.js';
import type { RampError, RampErrorCode } from '../../../protocol/errors/RampError.js';
import type { QuoteResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/fetchBackend.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import { type QuoteSelection, toQuoteQuery } from '../selection.js';
import { type BackendQuery, isOptional, isText, useBackendQuery } from './useBackendQuery.js';
import { useReactQuery } from './useReactQuery.js';

/** The kind of purchase, the refresh interval and the backend of {@link useQuote}. */
export interface QuoteOptions extends BackendSettings {
  /** `nft`: the amount is an NFT's price in cryptocurrency, and the quote is its price in fiat. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
  /** How often the quote is refreshed, in seconds; `0` never. At most one day. @default 30 */
  readonly refreshSeconds?: number | undefined;
}

/**
 * The state of a quote.
 *
 * - `idle`: without a selection, or without an amount.
 * - `loading`: the first quote is being fetched.
 * - `success`: `data` is the price of the present selection.
 * - `refreshing`: `data` is the last quote, and the next is being fetched. With `isPrevious` it belongs to an
 *   earlier amount or payment method; never use it as the present price.
 * - `stale`: `data` belongs to this selection and may be out of date: the service is down, or the refresh
 *   failed (then `error` is set).
 * - `unavailable`: the service has no price for this pair, amount and method.
 * - `offline`: no connection; `data` may be an earlier quote. It is fetched when the connection is back.
 * - `error`: `error` has the reason; `retry` fetches the quote again.
 */
export type QuoteStatus =
  | 'idle'
  | 'loading'
  | 'success'
  | 'refreshing'
  | 'stale'
  | 'unavailable'
  | 'offline'
  | 'error';

/** The result of {@link useQuote}. */
export interface QuoteState {
  /** The state of the quote. */
  readonly status: QuoteStatus;
  /** The quote. Amounts are exact decimal strings. */
  readonly data: Quote | undefined;
  /** `data` belongs to an earlier selection with the same two currencies. */
  readonly isPrevious: boolean;
  /** The error of the last request, also with `stale` and while it is retried. */
  readonly error: RampError | undefined;
  /** When the service returned the quote, in Unix seconds of the page's clock. */
  readonly quotedAt: number | undefined;
  /** When the next quote will be fetched, in Unix seconds. `undefined` during a fetch. */
  readonly nextQuoteAt: number | undefined;
  /** The refresh interval in seconds, for a countdown to `nextQuoteAt`. */
  readonly refreshSeconds: number;
  /** Fetches the quote again immediately, also without an error. */
  readonly retry: () => void;
}

/** How long typing must pause before a request. */
const DEBOUNCE_MS = 300;

/** The maximum refresh interval. Timers cannot be set to much more than 24 days. */
const DAY_SECONDS = 86_400;
const NFT = 'buyType=nft';

/**
 * Returns the price of a purchase and keeps it up to date: `GET {api}/quote`.
 *
 * It waits until typing has paused for 300 ms, aborts requests that are no longer needed and never returns the quote
 * of an earlier selection as the present one. By default it refetches every 30 seconds, except while the page is hidden or
 * offline; then it refetches as soon as the page is back. Amounts are decimal strings. Missing options are
 * taken from {@link RampProvider}.
 *
 * It never throws. `error` has the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * `ERR_CONFIG_INVALID` without an `api`, or one of the backend's; for `ERR_QUOTE_UNAVAILABLE` the status is
 * `unavailable`.
 *
 * @param selection - The purchase, as {@link QuotePreview} reports it to `onValueChange`; without an
 * amount the hook sends no request.
 * @example
 * const { status, data: quote } = useQuote({
 *   amount,
 *   fiatCurrency: 'USD',
 *   cryptoCurrencyCode: 'USDT_ERC20',
 * });
 */
export const useQuote = (
  selection: QuoteSelection | undefined,
  { buyType, ...options }: QuoteOptions = {},
): QuoteState => useDebouncedQuote(selection && toQuoteQuery(selection, buyType), options);

/**
 * Implements {@link useQuote}.
 *
 * @param debounceMs - How long a changed amount must stay the same before it is requested.
 */
export function useDebouncedQuote(
  query: QuoteQuery | undefined,
  options: Omit<QuoteOptions, 'buyType'>,
  debounceMs = DEBOUNCE_MS,
): QuoteState {
  const { refreshSeconds = 30, ...settings } = options;
  const refreshMs = refreshSeconds > 0 ? Math.min(refreshSeconds, DAY_SECONDS) * 1000 : 0;
  const backend = useRampSettings(settings);
  const path = query ? buildQuotePath(query) : '';
  const isSettled = useSettled(query?.currencyAmount, debounceMs);
  const route = { path, isResponse: (body: QuoteResponse) => isQuoteOf(body, query) };
  const reactQuery = useReactQuery();
  const { online } = reactQuery;
  const result = useBackendQuery<QuoteResponse>(reactQuery, backend, route, {
    // Observed before the debounce ends, so that the previous request is aborted immediately.
    enabled: query !== undefined && isSettled,
    staleTime: refreshMs || Number.POSITIVE_INFINITY,
    gcTime: refreshMs,
    // The remaining time: the data may be older than this component.
    refetchInterval: ({ state }) =>
      refreshMs > 0 &&
      refreshMs - ((Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt)) % refreshMs),
    placeholderData: (previous: QuoteResponse | undefined, previousQuery) =>
      query &&
      online &&
      previous &&
      hasSameTerms(previous, query, previousQuery?.queryKey, backend.api)
        ? previous
        : undefined,
  });
  const { data, isPlaceholderData } = result;
  const error = useLastError(path, result);
  const status = deriveQuoteStatus(query, online, result, error?.code);
  const shown = status === 'idle' || status === 'unavailable' ? undefined : data;
  const checkedAt = Math.max(result.dataUpdatedAt, result.errorUpdatedAt);
  const isRefreshed = (status === 'success' || status === 'stale') && refreshMs > 0;
  return {
    status,
    data: shown?.quote,
    isPrevious: shown !== undefined && isPlaceholderData,
    error,
    quotedAt:
      shown && !isPlaceholderData
        ? Math.round(result.dataUpdatedAt / 1000 - shown.ageSeconds)
        : undefined,
    nextQuoteAt: isRefreshed ? Math.round((checkedAt + refreshMs) / 1000) : undefined,
    refreshSeconds: refreshMs / 1000,
    retry: () => void (query && result.refetch()),
  };
}

/** Returns whether the value has been unchanged for `ms` milliseconds. The initial value is settled immediately. */
function useSettled(value: string | undefined, ms: number): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value === settled;
}

/**
 * Returns the error of the query `key`, also while the query is retried: if the error disappeared during each
 * request, its retry button would be removed and lose the focus.
 */
function useLastError(
  key: string,
  { error, isFetching }: BackendQuery<QuoteResponse>,
): RampError | undefined {
  const [last, setLast] = useState<{ key: string; error: RampError | null }>();
  useEffect(() => {
    if (!isFetching) setLast({ key, error });
  }, [key, error, isFetching]);
  return error ?? (isFetching && last?.key === key ? (last.error ?? undefined) : undefined);
}

function deriveQuoteStatus(
  query: QuoteQuery | undefined,
  online: boolean,
  { data, isFetching, isPlaceholderData }: BackendQuery<QuoteResponse>,
  code: RampErrorCode | undefined,
): QuoteStatus {
  if (!query) return 'idle';
  if (code === 'ERR_QUOTE_UNAVAILABLE') return 'unavailable';
  if (!online) return 'offline';
  if (data && !isPlaceholderData)
    return isFetching ? 'refreshing' : data.stale || code ? 'stale' : 'success';
  if (code) return 'error';
  return data ? 'refreshing' : 'loading';
}

function buildQuotePath({
  fiatCurrency,
  currencyAmount,
  cryptoCurrencyCode,
  payment,
  buyType,
}: QuoteQuery) {
  const search = new URLSearchParams({ fiatCurrency, currencyAmount, cryptoCurrencyCode });
  if (payment) search.set('payment', payment);
  if (buyType) search.set('buyType', buyType);
  return `/quote?${search}`;
}

/** Returns whether a quote has the same currencies, kind and backend and can be shown as the previous one. */
const hasSameTerms = (
  { quote }: QuoteResponse,
  query: QuoteQuery,
  key: readonly unknown[] | undefined,
  api: string | undefined,
) =>
  hasSameCurrencies(quote, query) &&
  key?.[1] === api &&
  `${key?.[2]}`.includes(NFT) === (query.buyType === 'nft');

const hasSameCurrencies = (quote: Quote, { fiatCurrency, cryptoCurrencyCode }: QuoteQuery) =>
  quote.fiatCurrency === fiatCurrency && quote.cryptoCurrencyCode === cryptoCurrencyCode;

const isQuoteOf = ({ quote }: QuoteResponse, query: QuoteQuery | undefined) =>
  query !== undefined &&
  hasSameCurrencies(quote, query) &&
  [query.currencyAmount, quote.currencyAmount, quote.cryptoCurrencyAmount].every(isDecimal) &&
  // Otherwise the service may have read the price of the NFT as a fiat amount.
  (query.buyType !== 'nft' ||
    compareAmounts(quote.cryptoCurrencyAmount, query.currencyAmount) === 0) &&
  [quote.cryptoCurrencyUnitPrice, quote.gasFee, quote.platformFee, quote.totalFee].every(
    isOptional(isDecimal),
  ) &&
  isOptional(isText)(quote.cryptoCurrency);
