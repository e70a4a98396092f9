import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/fetchBackend.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import { useBackendQuery } from './useBackendQuery.js';
import { useReactQuery } from './useReactQuery.js';

/** The result of {@link useFiatCurrencies} and {@link useCryptoCurrencies}. */
export interface CurrencyListState<T> {
  /**
   * `loading`: the first list is being fetched. `ready`: `currencies` is set, and may be empty.
   * `offline`: no connection and no list; it loads when the connection is back. `error`: `error` has the reason.
   */
  readonly status: 'loading' | 'ready' | 'error' | 'offline';
  /** The currencies, once they are loaded. */
  readonly currencies: readonly T[] | undefined;
  /** The service is down, or the refresh failed: `currencies` is the last known list. */
  readonly stale: boolean;
  /** The error of the last request, also while it is retried. */
  readonly error: RampError | undefined;
  /** Fetches the list again immediately. */
  readonly refetch: () => void;
}

const FIVE_MINUTES = 300_000;

/** Fetches a list of currencies. Lists rarely change, so they are cached for five minutes. */
export function useCurrencyList<A extends CacheInfo, T>(
  options: BackendSettings,
  path: string,
  isResponse: (body: A) => unknown,
  getCurrencies: (answer: A) => readonly T[],
): CurrencyListState<T> {
  const settings = useRampSettings(options);
  const reactQuery = useReactQuery();
  const { online } = reactQuery;
  const { data, error, refetch } = useBackendQuery<A>(
    reactQuery,
    settings,
    { path, isResponse },
    {
      staleTime: FIVE_MINUTES,
      gcTime: FIVE_MINUTES,
      refetchInterval: false,
      enabled: true,
    },
  );
  const missing = online ? (error ? 'error' : 'loading') : 'offline';
  return {
    status: data ? 'ready' : missing,
    currencies: data && getCurrencies(data),
    stale: Boolean(data && (data.stale || error)),
    error: error ?? undefined,
    refetch: () => void refetch(),
  };
}
