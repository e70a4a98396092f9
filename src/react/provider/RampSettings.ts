import type { RampMessages } from '../../messages/RampMessages.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { CheckoutSigner } from '../backend/createHttpSigner.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { CheckoutEvent } from './CheckoutEvent.js';

/** Settings that {@link RampProvider} passes down and every component also takes as props. */
export interface RampSettings extends BackendSettings {
  /** The service's widget URL, without `/home`: `https:`, or `http:` on loopback. */
  readonly widgetUrl?: string | undefined;
  /** Fetches signatures. Without `signer` and `api` the checkout opens unsigned, as for a Basic Partner. */
  readonly signer?: CheckoutSigner | undefined;
  /** Base path or URL of the backend's ramp handler. Creates a signer unless one is given. */
  readonly api?: string | undefined;
  /** Texts that replace the English ones. */
  readonly messages?: Partial<RampMessages> | undefined;
  /** The widget's language. @default the service's default, 'en' */
  readonly language?: string | undefined;
  /** A Basic Partner's public ID, if the service requires one. */
  readonly partnerId?: string | undefined;
  /** How long an unused signature is kept for a click, in seconds. @default 60 */
  readonly maxAgeSeconds?: number | undefined;
  /** Called with every event of every checkout, for analytics. A component's own callback replaces it. */
  readonly onEvent?: ((event: CheckoutEvent) => void) | undefined;
  /**
   * Called with the state of each signed checkout, as the backend under `api` reports it: when it is opened, then at
   * each change, also after the widget is closed, until the checkout is terminal or the component unmounts.
   * Several checkouts are watched in parallel; `reference` identifies each. The callback of the latest render
   * is used. After a redirect, calls resume when the page is restored.
   */
  readonly onStatusChange?: ((checkout: CheckoutResponse) => void) | undefined;
}

/** Settings of the service that {@link RampProvider} and {@link useCheckout} take, but no component. */
export interface ServiceSettings {
  /**
   * The name under which the service reads the parameter `windowOpen`, without which it refuses frames with 403. Some
   * services write it `windowopen`, and names are case-sensitive (docs/service-interface.md section 4.7).
   *
   * @default 'windowOpen'
   */
  readonly windowOpenName?: string | undefined;
}
