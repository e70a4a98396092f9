import { useQuery } from '@tanstack/react-query';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/BackendSettings.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import { createBackendQuery, getCacheTimeMs } from './createBackendQuery.js';
import { useOnline } from './useOnline.js';
import { useRampClient } from './useRampClient.js';

/** A list of currencies, as {@link useFiatCurrencies} and {@link useCryptoCurrencies} answer it. */
export interface CurrencyListState<T> {
  /**
   * `loading`: nothing is there yet. `ready`: `currencies` is, perhaps empty. `offline`: there is no
   * connection and nothing to show; it loads once there is one. `error`: `error` says why.
   */
  readonly status: 'loading' | 'ready' | 'error' | 'offline';
  readonly currencies: readonly T[] | undefined;
  /** The service is down, or the list could not be read again: this is the last that is known. */
  readonly stale: boolean;
  readonly error: RampError | undefined;
  /** Fetches the list again. */
  readonly refetch: () => void;
}

const FIVE_MINUTES = 300_000;

/** Currency lists change seldom: an answer serves the page for five minutes. */
export function useCurrencyList<A extends CacheInfo, T>(
  options: BackendSettings,
  path: string,
  isResponse: (body: A) => unknown,
  getCurrencies: (answer: A) => readonly T[],
): CurrencyListState<T> {
  const online = useOnline();
  const { data, error, refetch } = useQuery<A, RampError>(
    {
      ...createBackendQuery(useRampSettings(options), path, isResponse),
      staleTime: FIVE_MINUTES,
      gcTime: getCacheTimeMs(FIVE_MINUTES),
      refetchInterval: false,
      enabled: true,
    },
    useRampClient(),
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
