import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { normalizeApi } from '../../client/backend/fetchBackend.js';
import { callIsolated } from '../../client/callIsolated.js';
import type { CheckoutSettings, ServiceSettings } from '../../client/checkout/CheckoutSettings.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';

type ErrorAction = (error: RampError, retry: () => void) => ReactNode;

/** Settings that {@link RampProvider} passes down, and that components also accept as props. */
export interface RampSettings extends CheckoutSettings {
  /**
   * Renders the next step that the page offers after an error, such as a link to sign in after `ERR_SIGNED_OUT`. It is
   * shown after the message, instead of "Try again". Return `undefined` for the default: "Try again" if that can help,
   * nothing after a refusal or a missing sign-in.
   */
  readonly errorAction?: ErrorAction | undefined;
  /**
   * Unsigned parameters that your service accepts but section 4.7 of the service interface does not list. A button's
   * own are merged with its providers', and win if both set the same name.
   */
  readonly extraParams?: Readonly<Record<string, string>> | undefined;
  /**
   * `false` shows no notice beside the button about a checkout that is open in a window or may have been paid, and does
   * not poll for it. Set it if your page has a status card. The question before a second checkout of one purchase is
   * always shown. @default true
   */
  readonly notice?: boolean | undefined;
}

interface RampContextValue extends RampSettings, ServiceSettings {
  /** Adds the selection of the surrounding price card to the props of a button. Set only inside such a card. */
  readonly bind?: <P extends object>(own: P, widget: Widget) => P;
}

/** The settings of the nearest {@link RampProvider} or price card. Its `api` has no trailing slash. */
export const RampContext = createContext<RampContextValue>({});

/** Props of {@link RampProvider}. Every setting is optional. */
export interface RampProviderProps extends RampSettings, ServiceSettings {
  /** The components that use the settings. */
  readonly children?: ReactNode | undefined;
}

/**
 * Provides settings, such as the URLs of the widget and the backend, to all components below it. A component's own prop
 * overrides the setting of the same name, and so does an inner provider. There are three exceptions:
 *
 * - Every `onEvent` and `onStatusChange` is called: the component's first, then the providers', from the inside out.
 * - `extraParams` are merged.
 * - `signer`, `credentials`, `headers` and `fetch` belong to the `api` of the same provider. A component or an inner
 *   provider with another `api` does not get them, because they may reveal a token to that backend.
 *
 * Rerendering the provider rerenders the components below it only if a setting has changed. So pass functions and
 * objects that stay the same across renders.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">…</RampProvider>
 */
export function RampProvider({ children, ...own }: RampProviderProps) {
  const outer = useContext(RampContext);
  const known = useKnownObject(own);
  const settings = useMemo(() => mergeSettings(outer, known), [outer, known]);
  return <RampContext.Provider value={settings}>{children}</RampContext.Provider>;
}

/** What {@link useRamp} returns. */
export interface ProvidedSettings
  extends Omit<RampSettings, 'signer' | 'headers' | 'fetch'>,
    ServiceSettings {}

/**
 * Returns the settings of the nearest {@link RampProvider}, completed with those of the providers around it, for your
 * own components. Without a provider it returns an empty object. `signer`, `headers` and `fetch` are left out, because
 * they may hold a token: to send requests to the backend, use hooks such as {@link useCheckoutStatus}.
 *
 * @example
 * const { language, api } = useRamp();
 * return <p lang={language}>{api ? 'Signed checkout' : 'Basic checkout'}</p>;
 */
export function useRamp(): ProvidedSettings {
  const settings = useContext(RampContext);
  return useMemo(() => {
    const { signer: _signer, headers: _headers, fetch: _fetch, bind: _bind, ...others } = settings;
    return others;
  }, [settings]);
}

/** Returns `own`, completed with the settings of the nearest provider. See {@link RampProvider} for the rules. */
export function useRampSettings<T extends RampSettings>(own: T): T {
  return mergeSettings(useContext(RampContext), own);
}

function mergeSettings<T extends RampSettings>(outer: RampContextValue, own: T): T {
  const settings = { ...outer } as { -readonly [K in keyof T]: T[K] };
  const api = own.api == null ? outer.api : normalizeApi(own.api);
  if (api !== outer.api)
    settings.signer = settings.credentials = settings.headers = settings.fetch = undefined;
  for (const name in own) if (own[name] != null) settings[name] = own[name];
  // Keep `api` as a key even if its value is undefined: checkProps() then warns that an environment variable is unset.
  if (api !== undefined || (process.env.NODE_ENV !== 'production' && 'api' in own))
    settings.api = api;
  settings.onEvent = callBoth(own.onEvent, outer.onEvent);
  settings.onStatusChange = callBoth(own.onStatusChange, outer.onStatusChange);
  if (own.extraParams) settings.extraParams = { ...outer.extraParams, ...own.extraParams };
  return settings;
}

type Callback<Value> = ((value: Value) => void) | null | undefined;

/** Returns a function that calls both callbacks, the second even if the first throws. */
function callBoth<Value>(first: Callback<Value>, second: Callback<Value>) {
  // Settings that are already merged may be merged again.
  if (!first || !second || first === second) return first ?? second ?? undefined;
  return (value: Value) => {
    callIsolated(() => first(value));
    second(value);
  };
}

/** Returns the earlier render's object as long as its values stay the same. */
function useKnownObject<T extends object>(next: T): T {
  const [known, setKnown] = useState(next);
  if (isSameObject(known, next)) return known;
  setKnown(next);
  return next;
}

function isSameObject<T extends object>(a: T, b: T): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof T)[];
  return names.every((name) => Object.is(a[name], b[name]));
}
