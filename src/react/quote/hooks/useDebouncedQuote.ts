import type { Quote, QuoteQuery } from '../../../protocol/api/resources.js';
import { compareAmounts, isDecimal } from '../../../protocol/decimals.js';
import type { QuoteResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import { deriveQuoteStatus } from './deriveQuoteStatus.js';
import { isOptional, isText } from './isOptional.js';
import type { QuoteOptions, QuoteState } from './QuoteState.js';
import { useBackendQuery } from './useBackendQuery.js';
import { useLastError } from './useLastError.js';
import { useReactQuery } from './useReactQuery.js';
import { useSettled } from './useSettled.js';

/** The maximum refresh interval. Timers cannot be set to much more than 24 days. */
const DAY_SECONDS = 86_400;
const NFT = 'buyType=nft';

/**
 * Implements {@link useQuote}.
 *
 * @param debounceMs - How long a changed amount must stay the same before it is requested.
 */
export function useDebouncedQuote(
  query: QuoteQuery | undefined,
  options: QuoteOptions,
  debounceMs: number,
): QuoteState {
  const { refreshSeconds = 30, ...settings } = options;
  const refreshMs = refreshSeconds > 0 ? Math.min(refreshSeconds, DAY_SECONDS) * 1000 : 0;
  const given = useRampSettings(settings);
  const path = query ? buildQuotePath(query) : '';
  const settled = useSettled(query?.currencyAmount, debounceMs);
  const route = { path, isResponse: (answer: QuoteResponse) => isResponse(answer, query) };
  const reactQuery = useReactQuery();
  const { online } = reactQuery;
  const result = useBackendQuery<QuoteResponse>(reactQuery, given, route, {
    // Observed before the debounce ends, so that the previous request is aborted immediately.
    enabled: query !== undefined && settled,
    staleTime: refreshMs || Number.POSITIVE_INFINITY,
    gcTime: refreshMs,
    // The remaining time: the data may be older than this component.
    refetchInterval: ({ state }) =>
      refreshMs > 0 &&
      refreshMs - ((Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt)) % refreshMs),
    placeholderData: (previous: QuoteResponse | undefined, asked) =>
      query && online && previous && isSameQuestion(previous, query, asked?.queryKey, given.api)
        ? previous
        : undefined,
  });
  const { data, isFetching, isPlaceholderData } = result;
  const error = useLastError(path, result);
  const status = deriveQuoteStatus({
    asked: query !== undefined,
    online,
    fetching: isFetching,
    data: data && (isPlaceholderData ? 'previous' : 'own'),
    stale: data?.stale,
    code: error?.code,
  });
  const shown = status === 'idle' || status === 'unavailable' ? undefined : data;
  const checkedAt = Math.max(result.dataUpdatedAt, result.errorUpdatedAt);
  const waits = (status === 'quote' || status === 'stale') && refreshMs > 0;
  return {
    status,
    quote: shown?.quote,
    isPrevious: shown !== undefined && isPlaceholderData,
    error,
    quotedAt:
      shown && !isPlaceholderData
        ? Math.round(result.dataUpdatedAt / 1000 - shown.ageSeconds)
        : undefined,
    nextQuoteAt: waits ? Math.round((checkedAt + refreshMs) / 1000) : undefined,
    refreshSeconds: refreshMs / 1000,
    refetch: () => void (query && result.refetch()),
  };
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
const isSameQuestion = (
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

const isResponse = ({ quote }: QuoteResponse, query: QuoteQuery | undefined) =>
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
