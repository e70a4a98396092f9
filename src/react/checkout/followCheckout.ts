import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { logFailure } from '../dev/logFailure.js';
import type { CheckoutSession } from './session.js';

type Listener = (checkout: CheckoutResponse) => void;

/** The watch of one checkout. All followers of a button share it. */
interface SharedWatch {
  readonly api: string;
  readonly reference: string;
  /** Aborts the requests. */
  controller: AbortController;
  readonly listeners: Set<Listener>;
  /** Whether the page has closed the widget, so that the watch polls. */
  isWidgetClosed: boolean;
  /** The newest state, for a follower that comes later. */
  latest?: CheckoutResponse;
}

/** The watches of each button, by the key that `toKey` returns. */
const watches = new WeakMap<CheckoutSession, Map<string, SharedWatch>>();

const toKey = (api: string, reference: string) => JSON.stringify([api, reference]);

/**
 * Loads the code that watches a checkout. Call it when the widget opens: if the shopper loses the connection later, the
 * code is already there to notice that the connection is back.
 */
export const loadWatch = () =>
  // Destructure the module, so that bundlers need not create an object with all of its exports.
  import('../status/watch/watchCheckout.js').then(({ watchCheckout }) => watchCheckout);

/**
 * Calls `onChange` with the state of a checkout and with each later state, until the checkout is terminal or the button
 * unmounts. Several followers of one checkout share one event stream, because a browser opens at most six connections
 * to a server over HTTP/1.1. Call {@link closeWidgetOf} when the widget is closed.
 *
 * @param isWidgetClosed - True if the widget is closed already.
 * @returns A function that ends the calls.
 */
export function followCheckout(
  session: CheckoutSession,
  api: string,
  reference: string,
  onChange: Listener,
  isWidgetClosed = false,
): () => void {
  const ofSession = watches.get(session) ?? new Map<string, SharedWatch>();
  watches.set(session, ofSession);
  const key = toKey(api, reference);
  let watch = ofSession.get(key);
  // Wrap `onChange` in a new function, because a Set would hold the same function only once.
  const listener: Listener = (checkout) => onChange(checkout);
  if (watch) {
    const { listeners, latest } = watch;
    // Call the listener only after followCheckout() has returned, as a new watch does.
    if (latest) queueMicrotask(() => listeners.has(listener) && listener(latest));
    listeners.add(listener);
    // The widget of a closed checkout was opened again.
    if (watch.isWidgetClosed && !isWidgetClosed) restartWatch(session, watch, isWidgetClosed);
  } else {
    watch = {
      api,
      reference,
      controller: new AbortController(),
      listeners: new Set([listener]),
      isWidgetClosed,
    };
    ofSession.set(key, watch);
    startWatch(session, watch);
  }
  const shared = watch;
  return () => {
    shared.listeners.delete(listener);
    if (shared.listeners.size === 0) shared.controller.abort();
  };
}

/** Ends the event stream of a checkout whose widget is closed. Its followers get its state from polls. */
export function closeWidgetOf(session: CheckoutSession, api: string, reference: string): void {
  const watch = watches.get(session)?.get(toKey(api, reference));
  if (watch && !watch.isWidgetClosed) restartWatch(session, watch, true);
}

function restartWatch(session: CheckoutSession, watch: SharedWatch, isWidgetClosed: boolean): void {
  const { controller } = watch;
  watch.controller = new AbortController();
  watch.isWidgetClosed = isWidgetClosed;
  startWatch(session, watch);
  controller.abort();
}

function startWatch(session: CheckoutSession, watch: SharedWatch): void {
  const { api, reference, controller, listeners, latest, isWidgetClosed } = watch;
  const { signal } = controller;
  // Without a terminal state, the next follower starts another watch.
  const onEnd = () => {
    const ofSession = watches.get(session);
    const key = toKey(api, reference);
    if (ofSession?.get(key) === watch && watch.controller === controller) ofSession.delete(key);
  };
  // Aborting `controller` also removes this listener.
  getUnmountSignal(session).addEventListener('abort', () => controller.abort(), { signal });
  signal.addEventListener('abort', onEnd);
  loadWatch()
    .then((watchCheckout) =>
      watchCheckout({
        api,
        reference,
        request: session.request,
        signal,
        latest,
        isWidgetClosed,
        // Use the settings of the latest render, because the page may have renewed a token.
        get credentials() {
          return session.options.credentials;
        },
        get headers() {
          return session.options.headers;
        },
        get fetch() {
          return session.options.fetch;
        },
        onChange(checkout) {
          watch.latest = checkout;
          for (const listener of [...listeners]) listener(checkout);
        },
        onError(error, isLast) {
          if (isLast) onEnd();
          // In development, watchCheckout() itself prints the error, so log it only in production.
          if (error && process.env.NODE_ENV === 'production') logFailure(error);
        },
      }),
    )
    // If the code fails to load, the page learns nothing about the order, but the checkout itself continues.
    .catch(onEnd);
}

/**
 * Returns the signal that aborts when the button unmounts. If the button mounts again, as in StrictMode, it gets a new
 * signal.
 */
export function getUnmountSignal(session: CheckoutSession): AbortSignal {
  if (!session.watches || session.watches.signal.aborted) session.watches = new AbortController();
  return session.watches.signal;
}
