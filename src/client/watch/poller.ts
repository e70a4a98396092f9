// The poller does not use React, so that pages without React can watch their checkouts too.
import { isFinalError } from '../../protocol/errors/errorKinds.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type {
  CheckoutResponse,
  CheckoutsResponse,
  ListedCheckout,
} from '../../protocol/handler/CheckoutResponse.js';
import { hasOrder, isActive, isOlder, isTerminal } from '../../protocol/handler/progress.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { toConnectionError } from '../backend/responses.js';
import { callIsolated } from '../callIsolated.js';
import { hasOpenWidget, removeOpenedCheckout, subscribePageCheckouts } from '../pageCheckouts.js';
import { appendPage, type HistoryPages, replaceNewest } from './historyPages.js';
import { createPageRuntime, type PageEvent, type PageRuntime } from './pageRuntime.js';
import {
  getReturnDelay,
  MAX_POLL_MS,
  MIN_POLL_MS,
  type PollFacts,
  planPoll,
  QUIET_MS,
} from './pollPlan.js';
import { requestCheckouts, type TaggedResponse } from './pollRequest.js';

/** The most references, and the longest list, that one request may ask for. */
const MAX_ITEMS = 50;

/**
 * Returns the settings of the latest render, because the page may have renewed a token. The watchers of one poller may
 * pass different `headers` and `fetch` functions. Requests use those of the newest watcher.
 */
export type GetBackend = () => BackendSettings;

export interface CheckoutWatcher {
  /** Called with the first state, and then with each state that differs from the last one. */
  onChange(checkout: CheckoutResponse): void;
  /**
   * Called when requests fail repeatedly, or with an error that ends the requests until `retry`. Called with
   * `undefined` when the backend responds again.
   */
  onError(error: RampError | undefined): void;
}

/** What a history shows. */
export interface HistoryState {
  /** Undefined until the first response. */
  readonly data: readonly ListedCheckout[] | undefined;
  readonly error: RampError | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMoreError: RampError | undefined;
}

export interface HistoryWatcher {
  /** How many checkouts are loaded at a time, 1 to 50. */
  readonly pageSize: number;
  /** Called with each state that differs from the last one. */
  onChange(state: HistoryState): void;
}

export interface Watch {
  /** Requests the newest state immediately, even after an error that ended the requests. */
  retry(): void;
  /** Stops the calls. Ending a backend's last watch also stops its requests. */
  end(): void;
}

export interface HistoryWatch extends Watch {
  /** Loads the next page, if there is one. */
  loadMore(): void;
}

/** The watches that a page can start. All watches of one backend share its requests. */
export interface Pollers {
  /**
   * Watches one checkout, until it is terminal or the watch is ended. A state that is already known is passed on
   * immediately.
   *
   * @example
   * const { end } = watchCheckout(() => backend, reference, { onChange: show, onError() {} });
   */
  watchCheckout(getBackend: GetBackend, reference: string, watcher: CheckoutWatcher): Watch;
  /** Watches the shopper's newest checkouts. */
  watchHistory(getBackend: GetBackend, watcher: HistoryWatcher): HistoryWatch;
}

/** @param createRuntime - Called for each backend that is watched. */
export function createPollers(createRuntime: () => PageRuntime): Pollers {
  const pollers = new Map<string, Pollers>();
  const getPoller = (getBackend: GetBackend) => {
    const { api, credentials = 'same-origin', headers } = getBackend();
    // Functions count as equal: `JSON.stringify` turns each into null.
    const key = JSON.stringify([api, credentials, headers]);
    const known = pollers.get(key);
    if (known) return known;
    const poller = createPoller(createRuntime(), () => pollers.delete(key));
    pollers.set(key, poller);
    return poller;
  };
  return {
    watchCheckout: (getBackend, ...rest) =>
      getPoller(getBackend).watchCheckout(getBackend, ...rest),
    watchHistory: (getBackend, ...rest) => getPoller(getBackend).watchHistory(getBackend, ...rest),
  };
}

/** The pollers of this page. */
export const { watchCheckout, watchHistory } = createPollers(createPageRuntime);

/** A checkout that is watched, or was watched before. */
interface WatchedCheckout {
  readonly reference: string;
  readonly watchers: Set<InformedWatcher>;
  state?: CheckoutResponse | undefined;
  /** The error that ended the requests for this checkout. */
  error?: RampError | undefined;
  /** True from `retry` until the backend responds: then even a terminal state is requested again. */
  isRetried?: boolean;
  /** The number of the last poll that asked for this checkout. */
  poll: number;
}

type KnownCheckout = WatchedCheckout & { state: CheckoutResponse };

interface InformedWatcher extends CheckoutWatcher {
  /** The last state that was passed to `onChange`. */
  known?: CheckoutResponse | undefined;
}

/** A history on the page. All histories of a backend share one list, and each shows the start of it. */
interface ShownHistory {
  readonly watcher: HistoryWatcher;
  /** The largest number of checkouts to show. */
  count: number;
  state: HistoryState;
}

interface PollQuery {
  readonly references: readonly string[];
  readonly limit: number;
}

/** @param onEnd - Called when nothing is left to watch. The poller must not be used afterwards. */
function createPoller(runtime: PageRuntime, onEnd: () => void): Pollers {
  const controller = new AbortController();
  const { signal } = controller;
  const checkouts = new Map<string, WatchedCheckout>();
  const histories = new Set<ShownHistory>();
  /** The settings of each watch, newest last. */
  const backends = new Set<{ readonly get: GetBackend }>();
  let list: HistoryPages | undefined;
  /** The error that ended the requests for the list. */
  let listError: RampError | undefined;
  /** The error of the last poll, if several in a row have failed. */
  let trouble: RampError | undefined;
  let last: TaggedResponse | undefined;
  /** The settings of the last poll. */
  let backend: BackendSettings | undefined;
  let timer: unknown;
  let isPolling = false;
  let polls = 0;
  let failures = 0;
  let quietPolls = 0;
  let renewedAt = runtime.now();
  let endedAt = Number.NEGATIVE_INFINITY;
  let wakeAt: number | undefined;
  let pollAfterMs = MIN_POLL_MS;
  let retryAfterMs = 0;
  let random = runtime.random();
  const logged = new Set<string>();

  const getBackend = () => ([...backends].at(-1) as { get: GetBackend }).get();
  const listWatched = () =>
    [...checkouts.values()].filter(({ watchers, error }) => watchers.size > 0 && !error);
  const isPollable = ({ state, isRetried }: WatchedCheckout) =>
    !state || !isTerminal(state) || isRetried;

  function readFacts(): PollFacts {
    const now = runtime.now();
    const pollable = listWatched().filter(isPollable);
    const hasHistory = histories.size > 0 && !listError;
    return {
      hasActive: pollable.some(({ state }) => state?.progress !== 'expired'),
      hasExpired: pollable.some(({ state }) => state?.progress === 'expired'),
      hasHistory,
      hasActiveEntry: hasHistory && list?.checkouts.some(isActive) === true,
      isHidden: runtime.isHidden(),
      sinceLastMs: now - endedAt,
      quietMs: now - renewedAt,
      wakeInMs: wakeAt === undefined ? undefined : wakeAt - now,
      pollAfterMs,
      quietPolls,
      failures,
      retryAfterMs,
      random,
    };
  }

  function schedule(): void {
    runtime.clearTimeout(timer);
    if (isPolling || signal.aborted) return;
    const ms = planPoll(readFacts());
    if (ms !== undefined) timer = runtime.setTimeout(poll, ms);
  }

  /** Records that a change has become likely. */
  function renew(): void {
    renewedAt = runtime.now();
    quietPolls = 0;
  }

  function wake(inMs = 0): void {
    wakeAt = Math.min(wakeAt ?? Number.POSITIVE_INFINITY, runtime.now() + inMs);
    renew();
    schedule();
  }

  /**
   * Polls immediately, because the shopper asked for it, even if the backend demanded a pause. Clears the errors. After
   * failed polls, the next failure is reported without a silent retry.
   */
  function retry(): void {
    retryAfterMs = 0;
    failures = Math.min(failures, 1);
    clearTrouble();
    publishAll();
    wake();
  }

  /** Reports that the backend responds again, or that the shopper has asked for another attempt. */
  function clearTrouble(): void {
    if (!trouble) return;
    trouble = undefined;
    for (const checkout of listWatched()) tell(checkout, ({ onError }) => onError(undefined));
  }

  function createQuery(): PollQuery {
    const references = listWatched()
      .filter(isPollable)
      // If there are more than `MAX_ITEMS`, they take turns.
      .sort((a, b) => a.poll - b.poll)
      .slice(0, MAX_ITEMS)
      .map(({ reference }) => reference)
      // Sort them, so that the same checkouts give the same URL, whose ETag can be reused.
      .sort();
    const counts = listError ? [] : [...histories].map(({ count }) => count);
    return { references, limit: Math.min(MAX_ITEMS, Math.max(0, ...counts)) };
  }

  async function poll(): Promise<void> {
    const query = createQuery();
    isPolling = true;
    wakeAt = undefined;
    polls++;
    if (runtime.now() - renewedAt >= QUIET_MS) quietPolls++;
    for (const reference of query.references) {
      const checkout = checkouts.get(reference);
      if (checkout) checkout.poll = polls;
    }
    let response: CheckoutsResponse | undefined;
    let error: RampError | undefined;
    try {
      backend = getBackend();
      ({ response, last } = await requestCheckouts(backend, query, signal, last));
    } catch (cause) {
      error = toConnectionError(cause);
    }
    if (signal.aborted) return;
    isPolling = false;
    endedAt = runtime.now();
    random = runtime.random();
    retryAfterMs = (error?.retryAfterSeconds || 0) * 1000;
    if (response) takeResponse(query, response);
    else if (error && isFinalError(error)) takeRefusal(query, error);
    else if (error) takeFailure(error);
    schedule();
  }

  function takeResponse(query: PollQuery, response: CheckoutsResponse): void {
    failures = 0;
    pollAfterMs = Math.min(Math.max(MIN_POLL_MS, response.pollAfterSeconds * 1000), MAX_POLL_MS);
    const named = new Map(response.named?.map((state) => [state.reference, state]));
    const listed = response.checkouts.map(({ createdAt: _, ...state }) => state);
    const states = [...listed.filter(({ reference }) => !named.has(reference)), ...named.values()];
    const changed = states.flatMap((state) => learn(state) ?? []);
    if (query.limit > 0) {
      list = replaceNewest(list, response);
      listError = undefined;
    }
    if (list) list = addKnownStates(list);
    clearTrouble();
    for (const reference of query.references) {
      const checkout = checkouts.get(reference);
      if (checkout) checkout.isRetried = false;
    }
    for (const checkout of changed) {
      renew();
      tell(checkout, (watcher) => inform(watcher, checkout));
      // A checkout with an order belongs in the list, so the list is older than this state.
      if (histories.size > 0 && hasOrder(checkout.state) && !isListed(checkout)) wake();
    }
    for (const reference of query.references) if (!named.has(reference)) takeUnknown(reference);
    publishAll();
  }

  /**
   * Records a state, unless it is older than the known one. Returns the checkout if it is watched and its state has
   * changed.
   */
  function learn(state: CheckoutResponse): KnownCheckout | undefined {
    const checkout = checkouts.get(state.reference);
    if (!checkout || isOlder(state, checkout.state) || isSame(state, checkout.state))
      return undefined;
    checkout.state = state;
    return checkout.watchers.size > 0 ? (checkout as KnownCheckout) : undefined;
  }

  /**
   * Returns the list with the states that the page knows from elsewhere, so that a card and the list never contradict
   * each other.
   */
  function addKnownStates(pages: HistoryPages): HistoryPages {
    const known = pages.checkouts.map((listed) => {
      const state = checkouts.get(listed.reference)?.state;
      return state ? { ...state, createdAt: listed.createdAt } : listed;
    });
    return { ...pages, checkouts: known };
  }

  const isListed = ({ reference }: WatchedCheckout) =>
    list?.checkouts.some((listed) => listed.reference === reference);

  /** Stops requesting a checkout that the backend left out, because it is unknown or belongs to another user. */
  function takeUnknown(reference: string): void {
    if (backend?.api !== undefined) removeOpenedCheckout(backend.api, reference);
    const message = `The backend shows no checkout ${reference} to this user: getShopper returned another id than when it was opened, or no one is signed in.`;
    refuse([reference], new RampError('ERR_CHECKOUT_NOT_FOUND', message, { status: 404 }));
  }

  /** Stops the requests that the backend permanently refuses. */
  function takeRefusal({ references, limit }: PollQuery, error: RampError): void {
    failures = 0;
    if (limit > 0) listError = error;
    // A backend may offer states but no list, so ask for the states alone before giving up on them.
    if (limit > 0 && references.length > 0) wakeAt = runtime.now();
    else refuse(references, error);
    log(error);
    publishAll();
  }

  function refuse(references: readonly string[], error: RampError): void {
    for (const reference of references) {
      const checkout = checkouts.get(reference);
      if (!checkout) continue;
      checkout.error = error;
      tell(checkout, ({ onError }) => onError(error));
    }
    if (references.length > 0) log(error);
  }

  /** Counts a failure. The first one in a row is retried silently, because the retry usually succeeds. */
  function takeFailure(error: RampError): void {
    const isRepeated = ++failures > 1;
    if (isRepeated || (process.env.NODE_ENV !== 'production' && error.code !== 'ERR_NETWORK'))
      log(error);
    if (!isRepeated) return;
    trouble = error;
    for (const checkout of listWatched()) tell(checkout, ({ onError }) => onError(error));
    publishAll();
  }

  function log(error: RampError): void {
    if (logged.has(error.message)) return;
    logged.add(error.message);
    if (backend) runtime.log(error, backend);
  }

  /** @param call - Called with each watcher. One that fails must not stop the others. */
  function tell({ watchers }: WatchedCheckout, call: (watcher: InformedWatcher) => void): void {
    for (const watcher of [...watchers])
      if (watchers.has(watcher)) callIsolated(() => call(watcher));
  }

  function publishAll(): void {
    for (const history of [...histories]) publish(history);
  }

  function publish(history: ShownHistory, change: Partial<HistoryState> = {}): void {
    const { state, watcher } = history;
    const data = selectShown(history);
    const hasMore =
      list !== undefined &&
      data !== undefined &&
      (data.length < list.checkouts.length || list.nextCursor !== undefined);
    const next = { ...state, ...change, data, hasMore, error: listError ?? trouble };
    if (!hasMore) next.loadMoreError = undefined;
    if (isSame(next, state) && next.error === state.error) return;
    history.state = next;
    if (histories.has(history)) callIsolated(() => watcher.onChange(next));
  }

  /** Returns the part of the list that a history shows. It keeps the known part while a longer list is requested. */
  function selectShown(history: ShownHistory): readonly ListedCheckout[] | undefined {
    if (!list) return undefined;
    const { checkouts: all, nextCursor } = list;
    const before = history.state.data;
    if (all.length < history.count && nextCursor !== undefined) return before;
    // New checkouts come at the top. Keep the last shown one, because the shopper may be paying in its entry.
    const last = before?.at(-1)?.reference;
    const end = all.findIndex(({ reference }) => reference === last) + 1;
    history.count = Math.max(history.count, end);
    return all.slice(0, history.count);
  }

  async function loadMore(history: ShownHistory): Promise<void> {
    const { state, watcher } = history;
    if (!list || !state.hasMore || state.isLoadingMore) return;
    const { pageSize } = watcher;
    const shown = state.data?.length ?? 0;
    // Another history has already loaded them.
    if (list.checkouts.length > shown) {
      history.count = Math.min(shown + pageSize, list.checkouts.length);
      return publish(history);
    }
    const { nextCursor: cursor } = list;
    if (cursor === undefined) return;
    publish(history, { isLoadingMore: true });
    const settings = getBackend();
    let loadMoreError: RampError | undefined;
    try {
      const { response } = await requestCheckouts(settings, { limit: pageSize, cursor }, signal);
      if (list) list = addKnownStates(appendPage(list, response));
      history.count = Math.max(history.count, list?.checkouts.length ?? 0);
    } catch (cause) {
      if (signal.aborted) return;
      const error = toConnectionError(cause);
      // The checkout that the cursor points to has been deleted. Load the list again from its start.
      if (error.status === 400) {
        list = undefined;
        history.count = pageSize;
        retry();
      } else {
        loadMoreError = error;
        if (state.loadMoreError?.code !== error.code) runtime.log(error, settings);
      }
    }
    if (!signal.aborted) publish(history, { isLoadingMore: false, loadMoreError });
  }

  /** Adds the settings of a watch. Returns a function that removes them, and ends the poller with its last watch. */
  function addBackend(get: GetBackend): () => void {
    const backend = { get };
    backends.add(backend);
    return () => {
      backends.delete(backend);
      if (backends.size > 0) return schedule();
      controller.abort();
      runtime.clearTimeout(timer);
      unsubscribePage();
      unsubscribeWidgets();
      onEnd();
    };
  }

  const onPageEvent = (event: PageEvent) => {
    if (event === 'focus') {
      renew();
      schedule();
    } else if (runtime.isHidden()) schedule();
    else wake(getReturnDelay(runtime.random()));
  };
  const unsubscribePage = runtime.subscribe(onPageEvent);
  let hadWidget = hasOpenWidget();
  const unsubscribeWidgets = subscribePageCheckouts(() => {
    const hasWidget = hasOpenWidget();
    // The shopper may have paid in the widget that was closed.
    if (hadWidget && !hasWidget) wake();
    hadWidget = hasWidget;
  });

  return {
    watchCheckout(get, reference, watcher) {
      const checkout = checkouts.get(reference) ?? { reference, watchers: new Set(), poll: 0 };
      checkouts.set(reference, checkout);
      const { watchers } = checkout;
      const isNew = watchers.size === 0 || checkout.error !== undefined;
      const own: InformedWatcher = { ...watcher };
      watchers.add(own);
      checkout.error = undefined;
      const removeBackend = addBackend(get);
      // Call the watcher only after this function has returned.
      queueMicrotask(() => {
        if (!watchers.has(own)) return;
        inform(own, checkout);
        if (trouble) own.onError(trouble);
      });
      if (isNew) wake();
      return {
        retry() {
          checkout.isRetried = true;
          if (checkout.error) {
            checkout.error = undefined;
            tell(checkout, ({ onError }) => onError(undefined));
          }
          retry();
        },
        end() {
          if (watchers.delete(own)) removeBackend();
        },
      };
    },
    watchHistory(get, watcher) {
      const history: ShownHistory = { watcher, count: watcher.pageSize, state: noHistory };
      const isNew = [...histories].every(({ count }) => count < history.count);
      histories.add(history);
      if (isNew) listError = undefined;
      const removeBackend = addBackend(get);
      queueMicrotask(() => publish(history));
      if (isNew) wake();
      return {
        loadMore: () => void loadMore(history),
        retry() {
          listError = undefined;
          retry();
        },
        end() {
          if (histories.delete(history)) removeBackend();
        },
      };
    },
  };
}

const noHistory: HistoryState = {
  data: undefined,
  error: undefined,
  hasMore: false,
  isLoadingMore: false,
  loadMoreError: undefined,
};

/** Passes on the state of a checkout if the watcher does not have it yet. */
function inform(watcher: InformedWatcher, { state }: WatchedCheckout): void {
  if (!state || watcher.known === state) return;
  watcher.known = state;
  watcher.onChange(state);
}

/** Compares plain data by its content, whatever the order of its keys. */
const isSame = (a: unknown, b: unknown): boolean => toText(a) === toText(b);

const toText = (value: unknown) =>
  JSON.stringify(value, (_, item) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([x], [y]) => (x < y ? -1 : 1)))
      : item,
  );
