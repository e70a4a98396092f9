import { useEffect, useRef, useState } from 'react';
import type { BackendSettings } from '../../../client/backend/fetchBackend.js';
import type { QuoteState, QuoteStatus } from '../../../client/quote/QuoteState.js';
import {
  createQuoteQuery,
  hasSameCurrencies,
  toRefreshMs,
} from '../../../client/quote/quoteQueries.js';
import { wait } from '../../../client/wait.js';
import type { QuoteQuery } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { QuoteResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { type ReactQuery, useBackendQuery, useOnline } from './useBackendQuery.js';

/**
 * A price that is overdue for longer than this is not shown while it is replaced. The handler also serves its last
 * price for five minutes while the service is down.
 */
const MAX_OVERDUE_MS = 300_000;

/** How long typing must pause before the amount is requested. */
export const TYPING_PAUSE_MS = 300;

/**
 * Fetches the quote of a query, and keeps it up to date.
 *
 * @param pauseMs - How long a changed amount must stay the same before it is requested.
 */
export function useQuoteState(
  reactQuery: ReactQuery,
  query: QuoteQuery | undefined,
  settings: BackendSettings,
  refreshSeconds: number | undefined,
  pauseMs: number,
): QuoteState {
  const refreshMs = toRefreshMs(refreshSeconds);
  const waitForPause = useTypingPause(query?.currencyAmount, pauseMs);
  const isOnline = useOnline(reactQuery);
  const quoteQuery = createQuoteQuery(query, settings, refreshMs);
  const [, , backend] = quoteQuery.queryKey;
  // Wait inside the query, because waiting in the component would render it once more for each digit.
  const pausingQuery: typeof quoteQuery = {
    ...quoteQuery,
    async queryFn(context) {
      await waitForPause(context.signal);
      return quoteQuery.queryFn(context);
    },
  };
  const result = useBackendQuery(reactQuery, pausingQuery, {
    enabled: query !== undefined,
    gcTime: refreshMs,
    // A price that is not refreshed is requested once.
    refetchOnReconnect: refreshMs > 0,
    refetchOnWindowFocus: refreshMs > 0,
    // Return what remains of the interval, because the data may be older than this component.
    refetchInterval: ({ state }) =>
      refreshMs > 0 &&
      refreshMs - ((Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt)) % refreshMs),
    placeholderData: (previous, previousQuery) => {
      if (!query || !previous || !previousQuery || !isOnline) return undefined;
      const [, , previousBackend, earlier] = previousQuery.queryKey;
      const isSameTerms =
        Date.now() < getExpiry(previous, previousQuery.state.dataUpdatedAt, refreshMs) &&
        hasSameCurrencies(previous.quote, query) &&
        previousBackend.api === backend.api &&
        earlier?.buyType === query.buyType;
      return isSameTerms ? previous : undefined;
    },
  });
  const { isFetching, isPlaceholderData } = result;
  const error = useLastError(JSON.stringify(quoteQuery.queryKey), result.error, isFetching);
  const expiry =
    result.data && !isPlaceholderData
      ? getExpiry(result.data, result.dataUpdatedAt, refreshMs)
      : Number.POSITIVE_INFINITY;
  useRenderAt(expiry);
  // A price that is not refreshed is shown until something tries to replace it.
  const isReplaced = refreshMs > 0 || isFetching || !isOnline || result.error !== null;
  const data = isReplaced && Date.now() >= expiry ? undefined : result.data;
  const status = deriveStatus({ query, isOnline, data, isFetching, isPlaceholderData, error });
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

/** Fetches the quote of a query into the cache, without returning it. */
export function useEarlyQuote(
  { useQuery }: ReactQuery,
  query: QuoteQuery | undefined,
  settings: BackendSettings,
  refreshSeconds: number | undefined,
): void {
  useQuery({
    ...createQuoteQuery(query, settings, toRefreshMs(refreshSeconds)),
    enabled: query !== undefined,
    networkMode: 'online',
    throwOnError: false,
    notifyOnChangeProps: [],
  });
}

/** Returns the time, in milliseconds since 1970, from which a price is too old to be shown while it is replaced. */
const getExpiry = ({ ageSeconds }: QuoteResponse, updatedAt: number, refreshMs: number) =>
  updatedAt - ageSeconds * 1000 + refreshMs + MAX_OVERDUE_MS;

/** Rerenders at the given time, in milliseconds since 1970. */
function useRenderAt(time: number): void {
  const [, setRendered] = useState(0);
  useEffect(() => {
    if (time === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => setRendered(time), Math.max(0, time - Date.now()));
    return () => clearTimeout(timer);
  }, [time]);
}

/**
 * Returns a function that resolves once the value has been unchanged for `ms` milliseconds. The initial value needs no
 * pause. The promise rejects when the signal aborts, because the value has changed. A clock that is set back must not
 * lengthen the pause, because each refresh of the price waits for it too.
 */
function useTypingPause(
  value: string | undefined,
  ms: number,
): (signal: AbortSignal) => Promise<void> {
  const changed = useRef({ value, endsAt: 0 });
  // This effect must run before the query's effect, which sends the request.
  useEffect(() => {
    if (changed.current.value !== value)
      changed.current = { value, endsAt: performance.now() + ms };
  }, [value, ms]);
  return (signal) => wait(changed.current.endsAt - performance.now(), signal);
}

/**
 * Returns the error of the query `key`, and keeps it while the query is retried. Without the error, the retry button
 * would be removed during each request and lose the focus.
 */
function useLastError(
  key: string,
  error: RampError | null,
  isFetching: boolean,
): RampError | undefined {
  const [last, setLast] = useState<{ key: string; error: RampError }>();
  useEffect(() => {
    if (!isFetching) setLast(error ? { key, error } : undefined);
  }, [key, error, isFetching]);
  return error ?? (isFetching && last?.key === key ? last.error : undefined);
}

interface QuoteFacts {
  readonly query: QuoteQuery | undefined;
  readonly isOnline: boolean;
  readonly data: QuoteResponse | undefined;
  readonly isFetching: boolean;
  readonly isPlaceholderData: boolean;
  readonly error: RampError | undefined;
}

function deriveStatus(facts: QuoteFacts): QuoteStatus {
  const { query, isOnline, data, isFetching, isPlaceholderData, error } = facts;
  if (!query) return 'idle';
  if (error?.code === 'ERR_QUOTE_UNAVAILABLE') return 'unavailable';
  if (!isOnline) return 'offline';
  if (data && !isPlaceholderData)
    return isFetching ? 'refreshing' : data.stale || error ? 'stale' : 'success';
  if (error) return 'error';
  return data ? 'refreshing' : 'loading';
}
