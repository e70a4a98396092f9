import type { RampError } from '../../protocol/errors/RampError.js';
import type { ProposedParams } from '../../protocol/widget/OnRampParams.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import type {
  CheckoutBlocked,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutLoaded,
  CheckoutOpened,
} from '../provider/CheckoutEvent.js';
import type { RampSettings } from '../provider/RampSettings.js';
import type { FrameOptions } from './views/FrameOptions.js';

/** A callback for each event. Options are those of the render in which the shopper clicked. */
export interface CheckoutCallbacks {
  /** Called when the widget opens. */
  readonly onOpen?: ((event: CheckoutOpened) => void) | undefined;
  /** Called when the widget's frame has loaded something, which may be an error page. */
  readonly onLoad?: ((event: CheckoutLoaded) => void) | undefined;
  /** Called when the widget closes. */
  readonly onClose?: ((event: CheckoutClosed) => void) | undefined;
  /** Called when the browser blocks the window. */
  readonly onBlocked?: ((event: CheckoutBlocked) => void) | undefined;
  /** Called with each error: the button is in `error` or `blocked`, or an open widget has failed. */
  readonly onError?: ((error: RampError) => void) | undefined;
}

/** The options of one checkout, which {@link useCheckout} takes. */
export interface CheckoutOptions extends RampSettings, CheckoutCallbacks, FrameOptions {
  readonly widget: Widget;
  /** Parameters that are signed when there is a signer, as text. */
  readonly signedParams?: ProposedParams | undefined;
  /** Parameters that are merged in the browser at opening. They never replace a signed one. */
  readonly unsignedParams?: ProposedParams | undefined;
  /** Unsigned parameters that this service has beyond section 4.7 of the service interface. */
  readonly extraParams?: Readonly<Record<string, string>> | undefined;
  /** @default 'modal' */
  readonly display?: CheckoutDisplay | undefined;
}
