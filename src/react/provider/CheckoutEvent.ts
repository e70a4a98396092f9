import type { RampError } from '../../protocol/errors/RampError.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import type { CheckoutDisplay } from '../checkout/CheckoutOptions.js';

interface OfCheckout<Type extends string> {
  readonly type: Type;
  readonly widget: Widget;
  readonly display: CheckoutDisplay;
  /** The backend's reference of the checkout, where it gives one and has answered. */
  readonly reference?: string | undefined;
}

/** The widget was opened: shown in the page, or its window or link was sent on its way. */
export interface CheckoutOpened extends OfCheckout<'opened'> {}

/** The widget's frame loaded something. Never told of a window or a redirect. */
export interface CheckoutLoaded extends OfCheckout<'loaded'> {}

/** The widget is no longer shown. Never a sign that the shopper gave up, or paid. */
export interface CheckoutClosed extends OfCheckout<'closed'> {}

/** The browser blocked the window; a link stands in its place. */
export interface CheckoutBlocked extends OfCheckout<'blocked'> {
  readonly display: 'window';
}

/** It went wrong. `error` is what `onError` gets. */
export interface CheckoutFailed extends OfCheckout<'failed'> {
  readonly error: RampError;
}

/**
 * What the page itself sees of a checkout, told apart by `type`. Whether it was paid is known from the
 * order list alone.
 */
export type CheckoutEvent =
  | CheckoutOpened
  | CheckoutLoaded
  | CheckoutClosed
  | CheckoutBlocked
  | CheckoutFailed;

/** A callback for each event. Options are those of the render in which the shopper clicked. */
export interface CheckoutCallbacks {
  readonly onOpen?: ((event: CheckoutOpened) => void) | undefined;
  readonly onLoad?: ((event: CheckoutLoaded) => void) | undefined;
  readonly onClose?: ((event: CheckoutClosed) => void) | undefined;
  readonly onBlocked?: ((event: CheckoutBlocked) => void) | undefined;
  /** Hears whatever puts the button into `error` or `blocked`, and what troubles an open widget. */
  readonly onError?: ((error: RampError) => void) | undefined;
}
