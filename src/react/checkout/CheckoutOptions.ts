import type { RampError } from '../../protocol/errors/RampError.js';
import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type {
  CheckoutBlocked,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutLoaded,
  CheckoutOpened,
} from '../provider/CheckoutEvent.js';
import type { RampSettings, ServiceSettings } from '../provider/RampSettings.js';
import type { FrameOptions } from './views/FrameOptions.js';

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

/** The options of one checkout, which {@link useCheckout} takes. */
export interface CheckoutOptions
  extends RampSettings,
    ServiceSettings,
    CheckoutCallbacks,
    FrameOptions {
  /** The widget to open. */
  readonly widget: Widget;
  /** Parameters that are signed when there is a signer, as text. */
  readonly signedParams?: ProposedParams | undefined;
  /** Parameters that are merged in the browser at opening. They never replace a signed one. */
  readonly unsignedParams?: ProposedParams | undefined;
  /** Unsigned parameters of your service that docs/service-interface.md section 4.7 does not list. */
  readonly extraParams?: Readonly<Record<string, string>> | undefined;
  /** Where the widget is shown. @default 'modal' */
  readonly display?: CheckoutDisplay | undefined;
}
