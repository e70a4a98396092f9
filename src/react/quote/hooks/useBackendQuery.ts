import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { logFailure } from '../../../client/dev/logFailure.js';
import type { RampQueryKey, RampQueryOptions } from '../../../client/quote/quoteQueries.js';
import type { RampError } from '../../../protocol/errors/RampError.js';

/**
 * The exports of react-query that the hooks use. The hooks receive them as an argument: react-query is an optional peer
 * dependency, and bundlers fail at a static import that they cannot resolve, even if the page has no price. Only the
 * entry `@partner-ramp/react/quotes` imports it statically.
 */
export type ReactQuery = Pick<typeof import('@tanstack/react-query'), 'useQuery' | 'onlineManager'>;

type ObserverOptions<Data, Query> = Pick<
  UseQueryOptions<Data, RampError, Data, RampQueryKey<Query>>,
  | 'enabled'
  | 'gcTime'
  | 'refetchInterval'
  | 'refetchOnReconnect'
  | 'refetchOnWindowFocus'
  | 'placeholderData'
>;

/**
 * Observes a query of the ramp handler, and logs its errors. The options for refetches, the network mode and thrown
 * errors are set here, because a page's QueryClient may have other defaults.
 */
export function useBackendQuery<Data, Query>(
  { useQuery }: ReactQuery,
  query: RampQueryOptions<Data, Query>,
  options: ObserverOptions<Data, Query>,
): UseQueryResult<Data, RampError> {
  const result = useQuery({
    refetchInterval: false,
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
    ...query,
    ...options,
    networkMode: 'online',
    refetchOnMount: true,
    refetchIntervalInBackground: false,
    throwOnError: false,
  });
  const { error } = result;
  const { api, credentials } = query.queryKey[2];
  useEffect(() => {
    if (error && error.code !== 'ERR_QUOTE_UNAVAILABLE') logFailure(error, { api, credentials });
  }, [error, api, credentials]);
  return result;
}

/** Returns whether there is a connection, as far as react-query knows. True on a server. */
export const useOnline = ({ onlineManager }: ReactQuery): boolean =>
  useSyncExternalStore(
    onlineManager.subscribe,
    () => onlineManager.isOnline(),
    () => true,
  );
