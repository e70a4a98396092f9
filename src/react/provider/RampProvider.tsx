import { createContext, type ReactNode, useContext } from 'react';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { CheckoutSigner } from '../backend/createHttpSigner.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { CheckoutEvent } from '../checkout/events.js';

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

interface RampContextValue extends RampSettings, ServiceSettings {
  /** Merges the selection of a card into the props of a button inside it. */
  readonly bind?: <P extends object>(own: P, widget: Widget) => P;
}

/** The settings of the nearest provider or card. */
export const RampContext = createContext<RampContextValue>({});

/** The props of {@link RampProvider}. */
export interface RampProviderProps extends RampSettings, ServiceSettings {
  /** The components that use the settings. */
  readonly children?: ReactNode | undefined;
}

/**
 * Provides settings, such as the URLs of the widget and the backend, to all components below it. Providers can be
 * nested; a component's own props override them.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">…</RampProvider>
 */
export function RampProvider({ children, ...own }: RampProviderProps) {
  return <RampContext.Provider value={useRampSettings(own)}>{children}</RampContext.Provider>;
}

/** Merges settings over those of the nearest provider. A given `api` also replaces the provider's signer. */
export function useRampSettings<T extends RampSettings>(own: T): T {
  const settings = { ...useContext(RampContext) } as { -readonly [K in keyof T]: T[K] };
  if (own.api != null) settings.signer = undefined;
  for (const name in own) if (own[name] != null) settings[name] = own[name];
  // Lets the development warning detect an environment variable that is not set.
  if (process.env.NODE_ENV !== 'production' && 'api' in own && !('api' in settings))
    settings.api = undefined;
  return settings;
}
