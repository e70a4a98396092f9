import { createContext, type ReactNode, useContext } from 'react';
import { normalizeApi } from '../../client/backend/fetchBackend.js';
import type { CheckoutSettings, ServiceSettings } from '../../client/checkout/CheckoutSettings.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';

type ErrorAction = (error: RampError, retry: () => void) => ReactNode;

/** Settings that {@link RampProvider} passes down, and that components also accept as props. */
export interface RampSettings extends CheckoutSettings {
  /**
   * Renders the next step that the page offers after an error, such as a link to sign in after `ERR_POLICY_REFUSED`. It
   * is shown after the message, instead of "Try again". Return `undefined` for the default: nothing after a refusal,
   * "Try again" after any other error.
   */
  readonly errorAction?: ErrorAction | undefined;
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
  if (settings.api) settings.api = normalizeApi(settings.api);
  // Keep `api` as a key even if its value is undefined: checkProps() then warns that an environment variable is unset.
  if (process.env.NODE_ENV !== 'production' && 'api' in own && !('api' in settings))
    settings.api = undefined;
  return settings;
}
