import { useCallback, useEffect, useRef, useState } from 'react';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';
import { type BackendSettings, fetchBackend } from '../backend/fetchBackend.js';
import { createLoadError } from '../createLoadError.js';
import { useRampSettings } from '../provider/RampProvider.js';
import type { HistoryListState, HistoryWatch } from './watchHistory.js';

/** Options of {@link useCheckoutHistory}. Missing settings of the backend are taken from {@link RampProvider}. */
export interface CheckoutHistoryOptions extends BackendSettings {
  /** Whether to list only checkouts that can be continued. @default false */
  readonly onlyOpen?: boolean | undefined;
  /** How many checkouts are loaded at once, 1 to 50. @default 20 */
  readonly pageSize?: number | undefined;
  /**
   * The interval between two refreshes, in seconds, at most one day (86400). `0`: the list is not refreshed. A hidden
   * page sends no request.
   *
   * @default 20
   */
  readonly refreshSeconds?: number | undefined;
}

/**
 * What {@link useCheckoutHistory} returns, and what the function `render` of {@link CheckoutHistory} and
 * {@link CheckoutInProgress} receives.
 */
export interface CheckoutHistoryState {
  /**
   * `loading` until the first response, then `success`, and `error` while `error` is set. A failure of `loadMore` does
   * not change the status.
   */
  readonly status: 'loading' | 'success' | 'error';
  /** The loaded checkouts, newest first, or undefined until the first response. They are kept while requests fail. */
  readonly data: readonly ListedCheckout[] | undefined;
  /**
   * Why the last request for the newest checkouts failed. Set if the status is `error`. The first failure of a refresh
   * is not reported, because the next attempt usually succeeds.
   */
  readonly error: RampError | undefined;
  /** Whether the backend has older checkouts than those in `data`. */
  readonly hasMore: boolean;
  /** True from a call of `loadMore` until the next page is loaded, or its request has failed. */
  readonly isLoadingMore: boolean;
  /**
   * Why the last call of `loadMore` failed. It stays set until another call succeeds, or no older checkouts are left.
   */
  readonly loadMoreError: RampError | undefined;
  /**
   * Loads the next page. Has no effect if there is none, or while it is being loaded. A failed request is not repeated
   * automatically: call `loadMore` again.
   */
  readonly loadMore: () => void;
  /** Requests the newest checkouts again immediately, even if there was no error. */
  readonly retry: () => void;
}

const MAX_PAGE_SIZE = 50;
const DAY_SECONDS = 86_400;

const loading = {
  data: undefined,
  error: undefined,
  hasMore: false,
  isLoadingMore: false,
  loadMoreError: undefined,
};

/**
 * Returns the checkouts of the signed-in user, newest first: those that were opened, and those with an order. The hook
 * requests `GET {api}/checkouts`, so the list has checkouts of any page, tab and device of the user. Each entry has
 * the fields of `data` of {@link useCheckoutStatus}, and the time when the checkout was created.
 *
 * The list is refreshed every `refreshSeconds` while the page is visible: as many checkouts as are loaded, up to the 50
 * newest. Missing settings of the backend are taken from {@link RampProvider}. If the signed-in user can change without
 * a reload, give the component the user's id as `key`.
 *
 * The hook never throws. Failures are in `error` and `loadMoreError`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`,
 * `ERR_RESPONSE_INVALID`, or a code of the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`, and
 * `ERR_REQUEST` if the backend cannot tell users apart. A failed request for the newest checkouts is repeated
 * automatically, unless it would fail again. That is the case after `ERR_CONFIG_INVALID`, `ERR_PARAMS_INVALID`, and
 * `ERR_REQUEST` with a status other than 429. If the hook's lazy code could not be loaded (`ERR_NETWORK`), only `retry`
 * or a reload of the page helps.
 *
 * @example
 * const { data: checkouts = [], hasMore, loadMore } = useCheckoutHistory();
 * return checkouts.map(({ reference, progress }) => <li key={reference}>{progress}</li>);
 */
export function useCheckoutHistory(options: CheckoutHistoryOptions = {}): CheckoutHistoryState {
  const { onlyOpen = false, pageSize = 20, refreshSeconds = 20, ...own } = options;
  const settings = useRampSettings<BackendSettings>(own);
  const { api, credentials, headers } = settings;
  const limit = Math.round(Math.min(Math.max(pageSize, 1), MAX_PAGE_SIZE));
  const refreshMs = Math.min(Math.max(refreshSeconds, 0), DAY_SECONDS) * 1000;
  const key = JSON.stringify([api, credentials, headers, onlyOpen, limit, refreshMs]);
  const [state, setState] = useState<HistoryListState & { readonly key: string }>({
    ...loading,
    key: '',
  });
  const [tries, setTries] = useState(0);
  const latest = useRef(settings);
  const watch = useRef<HistoryWatch>(undefined);
  useEffect(() => {
    latest.current = settings;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` has them all, and `tries` loads the code again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    import('./watchHistory.js').then(
      ({ watchHistory }) => {
        if (signal.aborted) return;
        watch.current = watchHistory({
          api,
          credentials,
          get headers() {
            return latest.current.headers;
          },
          get fetch() {
            return latest.current.fetch;
          },
          request: fetchBackend,
          onlyOpen,
          pageSize: limit,
          refreshMs,
          signal,
          onChange: (next) => setState({ ...next, key }),
        });
      },
      (cause) => {
        if (!signal.aborted) setState({ ...loading, error: createLoadError(cause), key });
      },
    );
    return () => {
      controller.abort();
      watch.current = undefined;
    };
  }, [key, tries]);
  const retry = useCallback(() => {
    if (watch.current) watch.current.refresh();
    else setTries((count) => count + 1);
  }, []);
  const loadMore = useCallback(() => void watch.current?.loadMore(), []);
  // If the key has changed, `state` belongs to the previous list, because the effect that loads the new list has not
  // run yet.
  const { key: _, ...current } = state.key === key ? state : { ...loading, key };
  const status = current.error ? 'error' : current.data ? 'success' : 'loading';
  return { ...current, status, loadMore, retry };
}
