import { useCallback } from 'react';
import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import type { HistoryState } from '../../client/watch/poller.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';
import { useRampSettings } from '../provider/RampProvider.js';
import { useWatched } from '../useWatched.js';

/** Options of {@link useCheckoutHistory}. Missing backend settings are taken from {@link RampProvider}. */
export interface CheckoutHistoryOptions extends BackendSettings {
  /** How many checkouts are loaded at a time, 1 to 50. @default 20 */
  readonly pageSize?: number | undefined;
}

/**
 * What {@link useCheckoutHistory} returns, and what {@link CheckoutHistory} and {@link CheckoutInProgress} pass to
 * their `render` function.
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
   * Why the last request for the newest checkouts failed. Set if the status is `error`. The first failure is not
   * reported, because the next attempt usually succeeds.
   */
  readonly error: RampError | undefined;
  /** Whether the backend has older checkouts than those in `data`. */
  readonly hasMore: boolean;
  /** True from a call to `loadMore` until the next page is loaded, or its request has failed. */
  readonly isLoadingMore: boolean;
  /**
   * Why the last call to `loadMore` failed. It stays set until another call succeeds, or no older checkouts are left.
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

const unknown: HistoryState = {
  data: undefined,
  error: undefined,
  hasMore: false,
  isLoadingMore: false,
  loadMoreError: undefined,
};

/**
 * Returns the checkouts of the signed-in user, newest first: those that were opened, and those with an order. The hook
 * requests `GET {api}/checkouts`, so the list contains the user's checkouts from any page, tab or device. Each entry
 * contains the fields of the `data` that {@link useCheckoutStatus} returns, plus the time when the checkout was
 * created.
 *
 * While the page is visible, the list is refreshed about every 20 seconds, and more often while one of its checkouts
 * may change soon. A refresh covers the loaded checkouts, up to the 50 newest. While the page also watches an open
 * checkout, both share their requests, so the list shows each state as soon as the page knows it. To show only some
 * checkouts, filter `data`. Missing backend settings are taken from {@link RampProvider}. If the signed-in user can
 * change without a reload, give the component the user's id as `key`.
 *
 * The hook never throws. Failures are in `error` and `loadMoreError`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`,
 * `ERR_RESPONSE_INVALID`, or a code from the backend. The code is `ERR_CONFIG_INVALID` if there is no `api`. A failed
 * request for the newest checkouts is repeated automatically, unless it would fail again. If the hook's lazy code could
 * not be loaded (`ERR_NETWORK`), only `retry` or a reload of the page helps.
 *
 * @example
 * const { data: checkouts = [], hasMore, loadMore } = useCheckoutHistory();
 * return checkouts.map(({ reference, progress }) => <li key={reference}>{progress}</li>);
 */
export function useCheckoutHistory(options: CheckoutHistoryOptions = {}): CheckoutHistoryState {
  const { pageSize = 20, ...own } = options;
  const settings = useRampSettings<BackendSettings>(own);
  const limit = Math.round(Math.min(Math.max(pageSize, 1), MAX_PAGE_SIZE));
  const { state, watch, retry } = useWatched(
    limit,
    settings,
    unknown,
    ({ watchHistory }, getBackend, update) =>
      watchHistory(getBackend, { pageSize: limit, onChange: (next) => update(() => next) }),
  );
  const loadMore = useCallback(() => watch.current?.loadMore(), [watch]);
  const status = state.error ? 'error' : state.data ? 'success' : 'loading';
  return { ...state, status, loadMore, retry };
}
