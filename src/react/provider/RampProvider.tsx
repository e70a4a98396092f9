import { createContext, type ReactNode, useContext } from 'react';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { CheckoutSigner } from '../backend/createHttpSigner.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { CheckoutEvent } from '../checkout/events.js';

type ErrorAction = (error: RampError, retry: () => void) => ReactNode;

/** Settings that {@link RampProvider} passes down, and that components also accept as props. */
export interface RampSettings extends BackendSettings {
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
  /** How long a signature may be kept until a click uses it, in seconds. @default 60 */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Renders the next step that the page offers after an error, such as a link to sign in after `ERR_POLICY_REFUSED`. It
   * is shown after the message, instead of "Try again". Return `undefined` for the default: nothing after a refusal,
   * "Try again" after any other error.
   */
  readonly errorAction?: ErrorAction | undefined;
  /** Called with every event of every checkout, for analytics. A component's own `onEvent` replaces the provider's. */
  readonly onEvent?: ((event: CheckoutEvent) => void) | undefined;
  /**
   * Called with the state of each signed checkout, as the backend under `api` reports it. The first call follows the
   * opening of the widget. Then each change causes a call, even after the widget is closed, until the checkout is
   * terminal or the component unmounts. Several checkouts can be watched at once; `reference` tells them apart. The
   * callback of the latest render is used. With the display `redirect`, the calls start when the browser restores the
   * page from its back/forward cache.
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
   * case-sensitive (docs/service-interface.md section 4.7). With the wrong spelling, a service may respond with 403
   * when the widget is shown in a frame.
   *
   * @default 'windowOpen'
   */
  readonly windowOpenName?: string | undefined;
}

interface RampContextValue extends RampSettings, ServiceSettings {
  /** Adds the selection of the surrounding price card to the props of a button. Set only inside such a card. */
  readonly bind?: <P extends object>(own: P, widget: Widget) => P;
}

/** The settings of the nearest {@link RampProvider} or price card. */
export const RampContext = createContext<RampContextValue>({});

/**
 * Props of {@link RampProvider}. Every setting is optional. A component's own prop overrides the setting of the same
 * name.
 */
export interface RampProviderProps extends RampSettings, ServiceSettings {
  /** The components that use the settings. */
  readonly children?: ReactNode | undefined;
}

/**
 * Provides settings, such as the URLs of the widget and the backend, to all components below it. In nested providers,
 * the inner one overrides the outer one. A component's own props override both.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">…</RampProvider>
 */
export function RampProvider({ children, ...own }: RampProviderProps) {
  return <RampContext.Provider value={useRampSettings(own)}>{children}</RampContext.Provider>;
}

/**
 * Returns the settings of the nearest provider, overridden by those that are set in `own`. If `own` has an `api`, the
 * provider's signer is dropped, because it may fetch signatures from another backend.
 */
export function useRampSettings<T extends RampSettings>(own: T): T {
  const settings = { ...useContext(RampContext) } as { -readonly [K in keyof T]: T[K] };
  if (own.api != null) settings.signer = undefined;
  for (const name in own) if (own[name] != null) settings[name] = own[name];
  // Keep `api` as a key even if its value is undefined: checkProps() then warns that an environment variable is unset.
  if (process.env.NODE_ENV !== 'production' && 'api' in own && !('api' in settings))
    settings.api = undefined;
  return settings;
}
