import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { logFailure } from '../dev/logFailure.js';
import type { CheckoutSession, Opening } from './session.js';

/**
 * Where a checkout is shown. `modal`: in a dialog over the page. `inline`: in the page itself. `window`: in a
 * separate window, opened inside the click. `redirect`: in place of the page.
 */
export type CheckoutDisplay = 'modal' | 'inline' | 'window' | 'redirect';

interface CheckoutEventBase<Type extends string> {
  /** The name of the event. */
  readonly type: Type;
  /** The widget of the checkout. */
  readonly widget: Widget;
  /** Where the checkout is shown. */
  readonly display: CheckoutDisplay;
  /** The backend's reference of the checkout, if the backend returns one and has responded. */
  readonly reference?: string | undefined;
}

/** The widget was opened: shown in the page, or its window or link was navigated to it. */
export interface CheckoutOpened extends CheckoutEventBase<'opened'> {}

/** The widget's frame loaded a document. Never emitted for a window or a redirect. */
export interface CheckoutLoaded extends CheckoutEventBase<'loaded'> {}

/** The widget is no longer shown. It does not mean that the shopper cancelled, or paid. */
export interface CheckoutClosed extends CheckoutEventBase<'closed'> {}

/** The browser blocked the window; a link is shown instead. */
export interface CheckoutBlocked extends CheckoutEventBase<'blocked'> {
  readonly display: 'window';
}

/** The checkout failed. `onError` gets the same `error`. */
export interface CheckoutFailed extends CheckoutEventBase<'failed'> {
  /** The error, with its `code`. */
  readonly error: RampError;
}

/**
 * An event of a checkout that the page observes, discriminated by `type`. Whether the checkout was paid is
 * known only from the order list.
 */
export type CheckoutEvent =
  | CheckoutOpened
  | CheckoutLoaded
  | CheckoutClosed
  | CheckoutBlocked
  | CheckoutFailed;

/** A callback for each event. Later renders do not replace the callbacks of a checkout that is open. */
export interface CheckoutCallbacks {
  /** Called when the widget is opened, with the `reference` of a signed checkout. */
  readonly onOpen?: ((event: CheckoutOpened) => void) | undefined;
  /** Called when the widget's frame loads a document. */
  readonly onLoad?: ((event: CheckoutLoaded) => void) | undefined;
  /** Called when the widget is no longer shown. It does not mean that the shopper cancelled, or paid. */
  readonly onClose?: ((event: CheckoutClosed) => void) | undefined;
  /** Called when the browser blocks the window and a link replaces it. */
  readonly onBlocked?: ((event: CheckoutBlocked) => void) | undefined;
  /** Called with each error: the button is in `error` or `blocked`, or an open widget has failed. */
  readonly onError?: ((error: RampError) => void) | undefined;
}

/** The name of an event of a checkout. */
export type EventType = CheckoutEvent['type'];

const callbacks = {
  opened: 'onOpen',
  loaded: 'onLoad',
  closed: 'onClose',
  blocked: 'onBlocked',
} satisfies Partial<Record<EventType, keyof CheckoutCallbacks>>;

/** The callbacks that are still to be called, of all checkouts of the page. */
const pendingCallbacks: (() => void)[] = [];

/**
 * Calls `onError` if there is an error, the callback of this event, then `onEvent`. Events raised inside a
 * callback, such as `closed`, are queued until all callbacks of this event have run.
 */
export function emitCheckoutEvent(
  { options, display }: Opening,
  type: EventType,
  reference?: string,
  error?: RampError,
): void {
  const event = {
    type,
    widget: options.widget,
    display,
    reference,
    ...(type === 'failed' && { error }),
  } as CheckoutEvent;
  if (error) logFailure(error, options);
  const isCalling = pendingCallbacks.length > 0;
  pendingCallbacks.push(
    () => error && options.onError?.(error),
    () => type !== 'failed' && options[callbacks[type]]?.(event as never),
    () => options.onEvent?.(event),
  );
  if (isCalling) return;
  for (const callback of pendingCallbacks) callIsolated(callback);
  pendingCallbacks.length = 0;
}

/** Calls a callback of the page. An error in it is reported, and does not close an open checkout. */
function callIsolated(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    if (typeof reportError === 'function') reportError(error);
    // jsdom has none.
    else
      setTimeout(() => {
        throw error;
      });
  }
}

/**
 * Calls the page's `onStatusChange` with the state of a checkout until it is terminal or the button
 * unmounts. Errors do not change the button: requests are retried, and a repeated error is printed.
 */
export function notifyStatusChanges(
  session: CheckoutSession,
  { options: { api, onStatusChange } }: Opening,
  reference: string,
): void {
  if (!onStatusChange || api == null) return;
  followCheckout(session, api, reference, getUnmountSignal(session), (checkout) =>
    callIsolated(() => session.options.onStatusChange?.(checkout)),
  );
}

/**
 * Follows the checkout whose widget was used before the window of this opening, until it has an order: the shopper has
 * paid, and must not pay in this window too. If the widget was not used, the payment was made in this window.
 *
 * @returns A function that ends the watch.
 */
export function followEarlierCheckout(
  session: CheckoutSession,
  { earlier, options: { api } }: Opening,
  onOrder: () => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort();
  if (!earlier?.mayBePaid || api == null) return stop;
  // Removed by abort() itself.
  getUnmountSignal(session).addEventListener('abort', stop, { signal });
  followCheckout(session, api, earlier.reference, signal, (checkout) => {
    if (signal.aborted || !hasOrder(checkout)) return;
    stop();
    onOrder();
  });
  return stop;
}

/** Returns the signal that aborts when the button unmounts. */
function getUnmountSignal(session: CheckoutSession): AbortSignal {
  if (!session.watches || session.watches.signal.aborted) session.watches = new AbortController();
  return session.watches.signal;
}

function followCheckout(
  session: CheckoutSession,
  api: string,
  reference: string,
  signal: AbortSignal,
  onChange: (checkout: CheckoutResponse) => void,
): void {
  import('../status/watch/watchCheckout.js')
    .then(({ watchCheckout }) =>
      watchCheckout({
        api,
        reference,
        request: session.request,
        signal,
        // From the latest render: a token may have been renewed since.
        get credentials() {
          return session.options.credentials;
        },
        get headers() {
          return session.options.headers;
        },
        onChange,
        // In development watchCheckout warns itself.
        onError(error) {
          if (error && process.env.NODE_ENV === 'production') logFailure(error);
        },
      }),
    )
    // The code failed to load. The checkout itself continues.
    .catch(() => {});
}

/** Returns whether the order list has a payment of the checkout. */
export const isPaid = ({ progress }: CheckoutResponse): boolean =>
  /^(finished|settle)/.test(progress);

/** Returns whether the backend knows an order of the checkout, in any state. */
export const hasOrder = ({ progress }: CheckoutResponse): boolean =>
  progress !== 'waiting' && progress !== 'expired';
