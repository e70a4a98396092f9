import { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutsResponse, ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendConnection } from '../backend/fetchBackend.js';
import { requestJson, toConnectionError, withTimeout } from '../backend/responses.js';
import { logFailure } from '../dev/logFailure.js';
import { appendPage, type HistoryPages, replaceNewest } from './historyPages.js';

const TIMEOUT_MS = 15_000;
/** The maximum number of checkouts that one request returns. */
const MAX_LIMIT = 50;
/** The shortest and the longest pause before a failed request is repeated. Each failure doubles the pause. */
const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 60_000;

export interface HistoryOptions extends BackendConnection {
  readonly onlyOpen: boolean;
  readonly pageSize: number;
  /** The refresh interval. If it is 0, the list is requested again only after a failure, or by `refresh`. */
  readonly refreshMs: number;
  readonly signal: AbortSignal;
  onChange(state: HistoryListState): void;
}

export interface HistoryListState {
  readonly data: readonly ListedCheckout[] | undefined;
  readonly error: RampError | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMoreError: RampError | undefined;
}

export interface HistoryWatch {
  /** Requests the newest checkouts again, as many as are loaded, up to 50. */
  refresh(): void;
  /** Loads the next page, if there is one. */
  loadMore(): void;
}

/**
 * Loads the first page of the caller's checkouts, and refreshes it while the page is visible. A failed load or refresh
 * is repeated with exponential backoff, unless its error is final, and as soon as the page is online or visible again.
 * `loadMore` is not repeated.
 */
export function watchHistory(options: HistoryOptions): HistoryWatch {
  const { signal, refreshMs } = options;
  let known: HistoryPages | undefined;
  let error: RampError | undefined;
  let loadMoreError: RampError | undefined;
  let failures = 0;
  let isLoadingMore = false;
  let isRefreshing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether a request became due while the page was hidden. */
  let isDue = false;

  const publish = () => {
    if (signal.aborted) return;
    const hasMore = known?.nextCursor !== undefined;
    if (!hasMore) loadMoreError = undefined;
    options.onChange({ data: known?.checkouts, error, hasMore, isLoadingMore, loadMoreError });
  };
  /** Logs an error, unless the previous error had the same code. */
  const log = (failed: RampError, before: RampError | undefined) => {
    if (before?.code !== failed.code) logFailure(failed, options);
  };
  const fail = (cause: unknown) => {
    const failed = toConnectionError(cause);
    failures++;
    // Do not report the first failure of a refresh, because the retry usually succeeds.
    if (known && failures === 1) return;
    log(failed, error);
    error = failed;
  };
  const schedule = () => {
    clearTimeout(timer);
    const pauseMs = failures > 0 ? getRetryMs(failures) : refreshMs;
    if (signal.aborted || pauseMs === 0 || isFinal(error)) return;
    timer = setTimeout(() => {
      isDue = document.hidden;
      if (!isDue) refresh();
    }, pauseMs);
  };

  async function refresh(): Promise<void> {
    if (isRefreshing || signal.aborted) return;
    isRefreshing = true;
    isDue = false;
    clearTimeout(timer);
    try {
      const loaded = known?.checkouts.length ?? 0;
      const limit = Math.min(MAX_LIMIT, Math.max(options.pageSize, loaded));
      const page = await requestPage(options, limit, undefined);
      known = replaceNewest(known, page);
      failures = 0;
      error = undefined;
    } catch (cause) {
      if (!signal.aborted) fail(cause);
    }
    isRefreshing = false;
    publish();
    schedule();
  }

  async function loadMore(): Promise<void> {
    const cursor = known?.nextCursor;
    if (cursor === undefined || isLoadingMore || signal.aborted) return;
    isLoadingMore = true;
    publish();
    try {
      const page = await requestPage(options, options.pageSize, cursor);
      if (known) known = appendPage(known, page);
      error = loadMoreError = undefined;
    } catch (cause) {
      if (signal.aborted) return;
      const failed = toConnectionError(cause);
      // Status 400: the checkout that the cursor names was deleted meanwhile. Load the list again from its start.
      if (failed.status === 400) {
        known = undefined;
        refresh();
      } else {
        log(failed, loadMoreError);
        loadMoreError = failed;
      }
    }
    isLoadingMore = false;
    publish();
  }

  const onReturn = () => {
    if (!document.hidden && (isDue || failures > 0)) refresh();
  };
  // Keep references to the globals, because a test environment removes them before the last watch ends.
  const page = window;
  const content = document;
  page.addEventListener('online', onReturn);
  content.addEventListener('visibilitychange', onReturn);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    page.removeEventListener('online', onReturn);
    content.removeEventListener('visibilitychange', onReturn);
  });
  refresh();
  return { refresh, loadMore };
}

const getRetryMs = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);

/** Returns whether a retry would fail too, because the backend lists no checkouts or the page is misconfigured. */
const isFinal = (error: RampError | undefined): boolean =>
  error?.status !== 429 && /^ERR_(REQUEST|PARAMS_INVALID|CONFIG_INVALID)$/.test(error?.code ?? '');

function requestPage(
  options: HistoryOptions,
  limit: number,
  cursor: string | undefined,
): Promise<CheckoutsResponse> {
  if (options.api == null)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'api is missing: pass the path of your ramp handler to RampProvider or useCheckoutHistory.',
    );
  const query = new URLSearchParams({
    limit: `${limit}`,
    ...(options.onlyOpen && { open: '1' }),
    ...(cursor !== undefined && { cursor }),
  });
  const path = `/checkouts?${query}`;
  return withTimeout(TIMEOUT_MS, 'The backend', options.signal, async (signal) =>
    parsePage(await requestJson('ERR_RESPONSE_INVALID', [options, path, { signal }])),
  );
}

function parsePage(body: Partial<CheckoutsResponse>): CheckoutsResponse {
  const { checkouts, nextCursor } = body;
  const isPage =
    Array.isArray(checkouts) &&
    (nextCursor === undefined || typeof nextCursor === 'string') &&
    checkouts.every(
      ({ reference, progress, orders, createdAt }: Partial<ListedCheckout>) =>
        typeof reference === 'string' &&
        typeof progress === 'string' &&
        Array.isArray(orders) &&
        typeof createdAt === 'number',
    );
  if (isPage) return { checkouts, nextCursor };
  throw new RampError('ERR_RESPONSE_INVALID', 'The backend returned no list of checkouts.');
}
