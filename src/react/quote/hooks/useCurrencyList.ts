import type { CurrencyListState } from '../../../client/quote/QuoteState.js';
import type { RampQueryOptions } from '../../../client/quote/quoteQueries.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import { type ReactQuery, useBackendQuery, useOnline } from './useBackendQuery.js';

/** Fetches a list of currencies. */
export function useCurrencyList<Data extends CacheInfo, Query, T>(
  reactQuery: ReactQuery,
  query: RampQueryOptions<Data, Query>,
  getCurrencies: (body: Data) => readonly T[],
): CurrencyListState<T> {
  const isOnline = useOnline(reactQuery);
  const { data, error, refetch } = useBackendQuery(reactQuery, query, {
    enabled: true,
    gcTime: query.staleTime,
  });
  const pending = isOnline ? (error ? 'error' : 'loading') : 'offline';
  return {
    status: data ? 'success' : pending,
    data: data && getCurrencies(data),
    stale: Boolean(data && (data.stale || error)),
    error: error ?? undefined,
    retry: () => void refetch(),
  };
}
