import { createContext, type ReactNode, useContext } from 'react';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { RampSettings, ServiceSettings } from './RampSettings.js';

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
