import type { RampError } from '../../protocol/errors/RampError.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';

/**
 * `modal`: a dialog over the page. `inline`: in the page itself. `window`: a separate window, opened
 * inside the click. `redirect`: replaces the page.
 */
export type CheckoutDisplay = 'modal' | 'inline' | 'window' | 'redirect';

interface CheckoutEventBase<Type extends string> {
  readonly type: Type;
  readonly widget: Widget;
  readonly display: CheckoutDisplay;
  /** The backend's reference of the checkout, if the backend returns one and has responded. */
  readonly reference?: string | undefined;
}

/** The widget was opened: shown in the page, or its window or link was navigated to it. */
export interface CheckoutOpened extends CheckoutEventBase<'opened'> {}

/** The widget's frame loaded something. Never emitted for a window or a redirect. */
export interface CheckoutLoaded extends CheckoutEventBase<'loaded'> {}

/** The widget is no longer shown. Never a sign that the shopper gave up, or paid. */
export interface CheckoutClosed extends CheckoutEventBase<'closed'> {}

/** The browser blocked the window; a link replaces it. */
export interface CheckoutBlocked extends CheckoutEventBase<'blocked'> {
  readonly display: 'window';
}

/** The checkout failed. `onError` gets the same `error`. */
export interface CheckoutFailed extends CheckoutEventBase<'failed'> {
  readonly error: RampError;
}

/**
 * An event of a checkout that the page itself observes, discriminated by `type`. Only the order list
 * shows whether it was paid.
 */
export type CheckoutEvent =
  | CheckoutOpened
  | CheckoutLoaded
  | CheckoutClosed
  | CheckoutBlocked
  | CheckoutFailed;
