import { createContext, type ReactNode, useContext } from 'react';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import type { RampSettings } from './RampSettings.js';

interface RampContextValue extends RampSettings {
  /** Merges the selection of a card into the props of a button inside it. */
  readonly bind?: <P extends object>(own: P, widget: Widget) => P;
}

export const RampContext = createContext<RampContextValue>({});

export interface RampProviderProps extends RampSettings {
  readonly children?: ReactNode | undefined;
}

/**
 * Hands its settings to every component below, so that a page says once where the widget and the
 * backend are. Providers nest; a component's own props win.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">…</RampProvider>
 */
export function RampProvider({ children, ...own }: RampProviderProps) {
  return <RampContext.Provider value={useRampSettings(own)}>{children}</RampContext.Provider>;
}

/** The given settings over those of the nearest provider. An own `api` replaces a signer from above. */
export function useRampSettings<T extends RampSettings>(own: T): T {
  const settings = { ...useContext(RampContext) } as { -readonly [K in keyof T]: T[K] };
  if (own.api != null) settings.signer = undefined;
  for (const name in own) if (own[name] != null) settings[name] = own[name];
  // For the development warning about a variable that is not set.
  if (process.env.NODE_ENV !== 'production' && 'api' in own && !('api' in settings))
    settings.api = undefined;
  return settings;
}
