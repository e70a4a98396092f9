import type { RampMessages } from '../../messages/RampMessages.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { CheckoutSigner } from '../backend/createHttpSigner.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { AutoDisplays } from './chooseDisplay.js';
import type { CheckoutCallbacks, CheckoutDisplay, CheckoutEvent } from './events.js';
import type { FrameOptions } from './view.js';

/** Settings of every checkout, with React or without. */
export interface CheckoutSettings extends BackendSettings {
  /** The service's widget URL, without `/home`. It must be `https:`, except on loopback, where `http:` is allowed. */
  readonly widgetUrl?: string | undefined;
  /** Fetches signatures. If both `signer` and `api` are absent, the checkout opens unsigned, as for a Basic Partner. */
  readonly signer?: CheckoutSigner | undefined;
  /** Base path or URL of the backend's ramp handler. Signatures are fetched from it unless `signer` is set. */
  readonly api?: string | undefined;
  /** Texts that replace the English ones. */
  readonly messages?: Partial<RampMessages> | undefined;
  /** The widget's language. @default the service's default, 'en' */
  readonly language?: string | undefined;
  /** A Basic Partner's public ID, if the service requires one. */
  readonly partnerId?: string | undefined;
  /** What `display="auto"` chooses. @default a redirect in the web view of an app, a dialog in any other browser */
  readonly autoDisplays?: AutoDisplays | undefined;
  /** How long a signature may be kept until a click uses it, in seconds. @default 60 */
  readonly maxAgeSeconds?: number | undefined;
  /** Called with every event of every checkout, for analytics, after the component's own callback for it. */
  readonly onEvent?: ((event: CheckoutEvent) => void) | undefined;
  /**
   * Called with the state of each signed checkout, as the backend under `api` reports it. The first call comes after
   * the widget opens, and another follows each change, even after the widget is closed, until the checkout is terminal
   * or the component unmounts. Several checkouts can be watched at once; `reference` tells them apart. The callback of
   * the latest render is used. With the display `redirect`, the calls start when the browser restores the page from its
   * back/forward cache.
   */
  readonly onStatusChange?: ((checkout: CheckoutResponse) => void) | undefined;
}

/**
 * Settings that depend on the service. {@link RampProvider} and {@link useCheckout} accept them; the other components
 * do not.
 */
export interface ServiceSettings {
  /**
   * The service's spelling of the parameter `windowOpen`. Some services expect `windowopen`, and names are
   * case-sensitive (service interface, section 4.7). With the wrong spelling, a service may respond with 403
   * when the widget is shown in a frame.
   *
   * @default 'windowOpen'
   */
  readonly windowOpenName?: string | undefined;
}

/** What one button opens a checkout with: its settings, parameters and callbacks. */
export interface CheckoutOptions
  extends CheckoutSettings,
    ServiceSettings,
    CheckoutCallbacks,
    FrameOptions {
  /** Which widget to open: `on-ramp` or `nft`. */
  readonly widget: Widget;
  /** Parameters that are proposed to the signer, as text. Without a signer, they are sent unsigned. */
  readonly signedParams?: ProposedParams | undefined;
  /** Parameters that the browser adds to the widget's URL. They never replace a signed parameter. */
  readonly unsignedParams?: ProposedParams | undefined;
  /** Unsigned parameters that your service accepts but section 4.7 of the service interface does not list. */
  readonly extraParams?: Readonly<Record<string, string>> | undefined;
  /** Where the widget is shown. With `auto`, {@link AutoDisplays} decides by the kind of browser. @default 'modal' */
  readonly display?: CheckoutDisplay | 'auto' | undefined;
}
