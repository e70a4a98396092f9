import type { RampError } from '../../protocol/errors/RampError.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { callIsolated } from '../callIsolated.js';
import { logFailure } from '../dev/logFailure.js';

export const displays = ['modal', 'inline', 'window', 'redirect'] as const;

/**
 * Where a checkout is shown. `modal`: in a dialog over the page. `inline`: in the page itself. `window`: in a
 * separate window, opened inside the click. `redirect`: in place of the page.
 */
export type CheckoutDisplay = (typeof displays)[number];

interface CheckoutEventBase<Type extends string> {
  /** What happened: `opened`, `loaded`, `closed`, `blocked` or `failed`. */
  readonly type: Type;
  /** Which widget the checkout opens: `on-ramp` or `nft`. */
  readonly widget: Widget;
  /** The display that the page asked for, or `window` after the shopper has continued in a new window. */
  readonly display: CheckoutDisplay;
  /** The backend's reference of the checkout. Absent until the backend has responded, or if it returns none. */
  readonly reference?: string | undefined;
}

/**
 * The widget was opened: it is shown in the page or in a window, the page was redirected to it, or the shopper followed
 * the link that replaces a blocked window.
 */
export interface CheckoutOpened extends CheckoutEventBase<'opened'> {}

/** The widget's frame loaded a document. Never emitted for a window or a redirect. */
export interface CheckoutLoaded extends CheckoutEventBase<'loaded'> {}

/**
 * The widget is no longer shown. The event does not say whether the shopper cancelled or paid. It is not emitted for a
 * window that the page cannot see, such as that of a service with an opener policy, because that window may still be
 * open.
 */
export interface CheckoutClosed extends CheckoutEventBase<'closed'> {}

/** The browser blocked the window; a link is shown instead. */
export interface CheckoutBlocked extends CheckoutEventBase<'blocked'> {
  readonly display: 'window';
}

/**
 * The checkout failed, or a component could not be shown (`ERR_RENDER`). A button's `onError` gets the same `error`. A
 * card that cannot be shown reports the widget `on-ramp`, because it does not know which widget its checkout opened.
 */
export interface CheckoutFailed extends CheckoutEventBase<'failed'> {
  /** What failed, with a stable `code`. */
  readonly error: RampError;
}

/**
 * An event of a checkout that the page can observe, discriminated by `type`. No event says whether the checkout was
 * paid: only the backend knows that, from the order list.
 */
export type CheckoutEvent =
  | CheckoutOpened
  | CheckoutLoaded
  | CheckoutClosed
  | CheckoutBlocked
  | CheckoutFailed;

/**
 * A callback for each event. An open checkout keeps the callbacks that were set at the click, even if a later render
 * passes others.
 */
export interface CheckoutCallbacks {
  /** Called when the widget is opened, with the `reference` of a signed checkout. */
  readonly onOpen?: ((event: CheckoutOpened) => void) | undefined;
  /** Called when the widget's frame loads a document, even an error page. Never called for a window or a redirect. */
  readonly onLoad?: ((event: CheckoutLoaded) => void) | undefined;
  /**
   * Called when the widget is no longer shown. This does not say whether the shopper cancelled or paid. Not called for
   * a window that the page cannot see, such as that of a service with an opener policy.
   */
  readonly onClose?: ((event: CheckoutClosed) => void) | undefined;
  /** Called when the browser blocks the window and a link replaces it. */
  readonly onBlocked?: ((event: CheckoutBlocked) => void) | undefined;
  /**
   * Called with each error: the widget could not be opened, its window was blocked, or something failed while it was
   * open.
   */
  readonly onError?: ((error: RampError) => void) | undefined;
}

export type EventType = CheckoutEvent['type'];

/** The queue of callbacks to call, shared by all checkouts of the page. */
const pendingCallbacks: (() => void)[] = [];

/** What an event is about, and the callbacks that receive it. */
interface EventSubject {
  readonly display: CheckoutDisplay;
  readonly options: CheckoutCallbacks &
    Pick<BackendSettings, 'api' | 'credentials'> & {
      readonly widget: Widget;
      readonly onEvent?: ((event: CheckoutEvent) => void) | undefined;
    };
}

/**
 * Calls `onError` if there is an error, then the callback of this event, such as `onOpen`, then `onEvent`. If a
 * callback causes another event, for example by closing the checkout, that event waits until all callbacks for this one
 * have run.
 */
export function emitCheckoutEvent(
  { options, display }: EventSubject,
  type: EventType,
  reference?: string,
  error?: RampError,
): void {
  const event = createEvent({ widget: options.widget, display, reference }, type, error);
  if (error) logFailure(error, options);
  const isCalling = pendingCallbacks.length > 0;
  pendingCallbacks.push(
    () => error && options.onError?.(error),
    () => callListener(options, event),
    () => options.onEvent?.(event),
  );
  if (isCalling) return;
  for (const callback of pendingCallbacks) callIsolated(callback);
  pendingCallbacks.length = 0;
}

function createEvent(
  base: Omit<CheckoutEventBase<EventType>, 'type'>,
  type: EventType,
  error: RampError | undefined,
): CheckoutEvent {
  if (type === 'failed') return { ...base, type, error: error as RampError };
  return type === 'blocked' ? { ...base, type, display: 'window' } : { ...base, type };
}

function callListener(callbacks: CheckoutCallbacks, event: CheckoutEvent): void {
  switch (event.type) {
    case 'opened':
      callbacks.onOpen?.(event);
      break;
    case 'loaded':
      callbacks.onLoad?.(event);
      break;
    case 'closed':
      callbacks.onClose?.(event);
      break;
    case 'blocked':
      callbacks.onBlocked?.(event);
      break;
    case 'failed':
      // `onError` has received the error.
      break;
    default:
      // If a case is missing, this does not compile.
      event satisfies never;
  }
}
