import type { QueryObserverOptions } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type BackendSettings, fetchBackend } from '../../../client/backend/fetchBackend.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendRoute } from './fetchQuery.js';
import { noop, type ReactQuery } from './useReactQuery.js';

/** The part of react-query's result that the hooks read. */
export interface BackendQuery<Data> {
  readonly data: Data | undefined;
  readonly error: RampError | null | undefined;
  readonly isFetching: boolean;
  readonly isPlaceholderData: boolean;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
  readonly refetch: () => unknown;
}

/**
 * Queries a route of the ramp handler as react-query's `useQuery` does. While react-query itself is loading, the
 * query is pending. The options for retries, refetches, the network mode and thrown errors are set here, because a
 * page's QueryClient may have other defaults.
 */
export function useBackendQuery<Data extends CacheInfo>(
  { part: library, client, error: missing, load }: ReactQuery,
  settings: BackendSettings,
  route: BackendRoute<Data>,
  options: Omit<QueryObserverOptions<Data, RampError>, 'queryKey'>,
): BackendQuery<Data> {
  const { api, credentials } = settings;
  const query =
    library &&
    client?.defaultQueryOptions<Data, RampError>({
      ...options,
      // The key does not contain the headers: a new token does not change the data, and a cache must not contain
      // tokens.
      queryKey: ['partner-ramp', api, route.path, credentials],
      queryFn: ({ signal }) =>
        library.fetchQuery({ ...settings, request: fetchBackend }, route, signal),
      // The backend itself retries its requests to the service. Retry only if the backend could not be reached.
      retry: (failures, { code }) => failures < 1 && code === 'ERR_NETWORK',
      retryDelay: 1000,
      networkMode: 'online',
      refetchOnMount: true,
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
      refetchIntervalInBackground: false,
      throwOnError: false,
    });
  // With this option, the result of the first render already says that a fetch has started.
  if (query) query._optimisticResults = 'optimistic';
  // biome-ignore lint/correctness/useExhaustiveDependencies: later options are set below
  const observer = useMemo(
    () => client && query && new library.QueryObserver(client, query),
    [library, client],
  );
  const subscribe = useCallback(
    (changed: () => void) => {
      if (!library || !observer) return noop;
      const stop = observer.subscribe(library.notifyManager.batchCalls(changed));
      // The result may have changed between the render and the subscription.
      observer.updateResult();
      return stop;
    },
    [library, observer],
  );
  const getResult = () => observer?.getCurrentResult();
  useSyncExternalStore(subscribe, getResult, getResult);
  useEffect(() => {
    if (query) observer?.setOptions(query);
  });
  const result: BackendQuery<Data> =
    observer && query
      ? observer.trackResult(observer.getOptimisticResult(query))
      : // The other fields describe `data`, and are not read without it.
        ({ error: missing, isFetching: !missing, refetch: load } as BackendQuery<Data>);
  const { error } = result;
  useEffect(() => {
    if (!error || error.code === 'ERR_QUOTE_UNAVAILABLE') return;
    import('../../../client/dev/logFailure.js').then(
      ({ logFailure }) => logFailure(error, { api, credentials }),
      noop,
    );
  }, [error, api, credentials]);
  return result;
}

export const isText = (value: unknown): boolean => typeof value === 'string';

/** Makes a check accept a missing field, including `null`, which backends in some languages write. */
export const isOptional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value == null || is(value);
