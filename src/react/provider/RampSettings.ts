import type { RampMessages } from '../../messages/RampMessages.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../backend/BackendSettings.js';
import type { CheckoutSigner } from '../backend/CheckoutSigner.js';
import type { CheckoutEvent } from './CheckoutEvent.js';

/** Settings that {@link RampProvider} passes down and every component also takes as props. */
export interface RampSettings extends BackendSettings {
  /** The service's widget address, without `/home`. `https:`, or `http:` on loopback. */
  readonly widgetUrl?: string | undefined;
  /** Fetches signatures. Without one, and without `api`, the page is a Basic Partner's: unsigned. */
  readonly signer?: CheckoutSigner | undefined;
  /** Base path or URL of the backend's ramp handler; creates a signer when none is given. */
  readonly api?: string | undefined;
  /** Texts that replace the English ones. */
  readonly messages?: Partial<RampMessages> | undefined;
  /** The widget's language. @default 'en', by the service */
  readonly language?: string | undefined;
  /** A Basic Partner's public ID, if the service requires one. */
  readonly partnerId?: string | undefined;
  /** How long a fetched signature is kept for a click. @default 60 */
  readonly maxAgeSeconds?: number | undefined;
  /** Called with every event of every checkout: for analytics. A component's own replaces it. */
  readonly onEvent?: ((event: CheckoutEvent) => void) | undefined;
  /**
   * Called with the state of each signed checkout, as the backend under `api` knows it: first when it is
   * opened, then at each change, also after the widget is closed, until the checkout is over or the
   * component unmounts. Several are followed at once, told apart by `reference`. The callback of the
   * latest render is used; after a redirect, calls resume once the page is back.
   */
  readonly onStatusChange?: ((checkout: CheckoutResponse) => void) | undefined;
}
