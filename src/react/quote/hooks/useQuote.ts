import { useEffect, useState } from 'react';
import type { BackendSettings } from '../../../client/backend/fetchBackend.js';
import { type QuoteSelection, toQuoteQuery } from '../../../client/quote/selection.js';
import type { BuyType, Quote, QuoteQuery } from '../../../protocol/api/resources.js';
import { compareAmounts, isDecimal } from '../../../protocol/decimals.js';
import type { RampError, RampErrorCode } from '../../../protocol/errors/RampError.js';
import type { QuoteResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import { type BackendQuery, isOptional, isText, useBackendQuery } from './useBackendQuery.js';
import { useReactQuery } from './useReactQuery.js';

/** Options of {@link useQuote}. Missing settings of the backend are taken from {@link RampProvider}. */
export interface QuoteOptions extends BackendSettings {
  /**
   * With `nft`, the amount is the price of an NFT in cryptocurrency, and the quote is that price in fiat.
   *
   * @default 'fiat'
   */
  readonly buyType?: BuyType | undefined;
  /**
   * The interval between two quotes, in seconds, at most one day (86400). `0`: the quote is not refreshed.
   *
   * @default 30
   */
  readonly refreshSeconds?: number | undefined;
}

/**
 * The state of a quote.
 *
 * - `idle`: there is no selection, or it has no amount.
 * - `loading`: the first quote is being fetched.
 * - `success`: `data` is the price of the current selection.
 * - `refreshing`: `data` is the last quote, and the next is being fetched. If `isPrevious` is true, `data` belongs to
 *   an earlier amount or payment method. Never use it as the current price then.
 * - `stale`: `data` belongs to this selection, but may be out of date. Either the service is down, or the refresh
 *   failed and `error` is set.
 * - `unavailable`: the service has no price for this pair, amount and method.
 * - `offline`: there is no connection. `data` may be an earlier quote. A new one is fetched when the connection is
 *   back.
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

/** What {@link useQuote} returns. */
export interface QuoteState {
  /** Says whether `data` is the current price: see {@link QuoteStatus}. */
  readonly status: QuoteStatus;
  /** The quote, or undefined if there is none to show. Amounts are exact decimal strings. */
  readonly data: Quote | undefined;
  /** True if `data` belongs to an earlier selection with the same two currencies. */
  readonly isPrevious: boolean;
  /**
   * The error of the last request. It stays set while the request is retried, and is set with `stale` if a refresh
   * failed.
   */
  readonly error: RampError | undefined;
  /** When the service returned the quote, in Unix seconds of the page's clock. */
  readonly quotedAt: number | undefined;
  /** When the next quote will be fetched, in Unix seconds. Set only while the status is `success` or `stale`. */
  readonly nextQuoteAt: number | undefined;
  /** The refresh interval in seconds, for a countdown to `nextQuoteAt`. 0 if the quote is not refreshed. */
  readonly refreshSeconds: number;
  /** Fetches the quote again immediately, even if there was no error. */
  readonly retry: () => void;
}

/** How long typing must pause before the amount is requested. */
const DEBOUNCE_MS = 300;

/** The maximum refresh interval. A longer one would have no use, and browser timers overflow beyond 24 days. */
const DAY_SECONDS = 86_400;
const NFT = 'buyType=nft';

/**
 * Returns the price of a purchase and keeps it up to date. The hook requests `GET {api}/quote`.
 *
 * The hook waits until typing has paused for 300 ms, and aborts requests that are no longer needed. A quote of an
 * earlier selection is always marked with `isPrevious`. By default, the quote is fetched again every 30 seconds, but
 * not while the page is hidden or offline. When the page is back, a quote that is due is fetched immediately. Amounts
 * are decimal strings. Missing settings of the backend are taken from {@link RampProvider}.
 *
 * The hook never throws. Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * or a code of the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`, or if version 5 of
 * `@tanstack/react-query` is not installed. With `ERR_QUOTE_UNAVAILABLE`, the status is `unavailable`. If react-query
 * could not be loaded (`ERR_NETWORK`), only `retry` or a reload of the page helps.
 *
 * @param selection - The purchase, as {@link QuotePreview} passes it to `onValueChange`. Without an amount, the hook
 * sends no request.
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
 * Implements {@link useQuote} for callers that need another debounce, such as {@link QuotePreview}.
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
    // During the debounce, the new query is observed but disabled. Observing it already aborts the previous request.
    enabled: query !== undefined && isSettled,
    staleTime: refreshMs || Number.POSITIVE_INFINITY,
    gcTime: refreshMs,
    // Return what remains of the interval, because the data may be older than this component.
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
 * Returns the error of the query `key`, and keeps it while the query is retried. Without the error, the retry button
 * would be removed during each request and lose the focus.
 */
function useLastError(
  key: string,
  { error, isFetching }: BackendQuery<QuoteResponse>,
): RampError | undefined {
  const [last, setLast] = useState<{ key: string; error: RampError | null | undefined }>();
  useEffect(() => {
    if (!isFetching) setLast({ key, error });
  }, [key, error, isFetching]);
  return error || (isFetching && last?.key === key && last.error) || undefined;
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

/**
 * Returns whether an earlier quote can be shown until the next one arrives. Both must have the same currencies, kind of
 * purchase and backend.
 */
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
  // If the cryptocurrency amount differs from the NFT's price, the service may have read the price as a fiat amount.
  (query.buyType !== 'nft' ||
    compareAmounts(quote.cryptoCurrencyAmount, query.currencyAmount) === 0) &&
  [quote.cryptoCurrencyUnitPrice, quote.gasFee, quote.platformFee, quote.totalFee].every(
    isOptional(isDecimal),
  ) &&
  isOptional(isText)(quote.cryptoCurrency);
