import type { RampError } from '../../protocol/errors/RampError.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';

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
