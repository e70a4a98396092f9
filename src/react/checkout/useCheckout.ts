import { type RefCallback, useEffect, useState } from 'react';
import { createHttpSigner } from '../../client/backend/createHttpSigner.js';
import type { SessionOptions } from '../../client/checkout/CheckoutSettings.js';
import { createCheckoutSession } from '../../client/checkout/session.js';
import { type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import type { CheckoutState } from './CheckoutNote.js';
import { checkoutCode } from './checkoutCode.js';

/** The options of {@link useCheckout}. Settings that are missing are taken from {@link RampProvider}. */
export interface CheckoutOptions extends SessionOptions, RampSettings {}

type Settings = { -readonly [K in keyof CheckoutOptions]: CheckoutOptions[K] };

/** What {@link useCheckout} returns: the state of the last checkout, and functions that open and close the widget. */
export interface Checkout extends CheckoutState {
  /** The messages of the options, or of {@link RampProvider}. */
  readonly messages: CheckoutOptions['messages'];
  /** The `errorAction` of the options, or of {@link RampProvider}. */
  readonly errorAction: CheckoutOptions['errorAction'];
  /**
   * Opens the widget. Call it directly in the click handler, or the browser may block a new window. The focus returns
   * to `trigger` when the widget closes.
   */
  readonly open: (display?: CheckoutOptions['display'], trigger?: HTMLElement) => void;
  /**
   * Prepares a click, which then opens the widget faster. Use it as an event handler:
   * `onPointerEnter={prefetch} onFocus={prefetch}`.
   *
   * It loads the code immediately. Once the pointer has rested on the element for 100 ms, it also fetches a signature.
   * Leaving the element, or a later call of any `prefetch` on the page, cancels this fetch, so a pointer that only
   * crosses a catalogue signs nothing. On `focus`, no signature is fetched, and no pending fetch is cancelled. Without
   * an event, a signature is fetched after 100 ms. Failures are silent.
   */
  readonly prefetch: (event?: Pick<Event, 'type' | 'currentTarget'>) => void;
  /** The ref of the element in which `display: 'inline'` shows the widget. */
  readonly inlineRef: RefCallback<HTMLElement>;
  /** Closes the widget, aborts a pending opening, or removes the link that replaces a blocked window. */
  readonly close: () => void;
}

/**
 * Opens the hosted widget from your own component. {@link OnRampButton} is built on this hook.
 *
 * Missing options are taken from {@link RampProvider}. A rerender does not fetch another signature. Each signature is
 * used for only one opening of the widget. Pending requests are aborted on unmount. If the signed-in user can change
 * without a reload, give the component the user's id as `key`, so that a signature of the previous user is not used.
 *
 * @example
 * const { open, prefetch } = useCheckout({ widget: 'on-ramp', unsignedParams: { amount: '100' } });
 * <button onPointerEnter={prefetch} onClick={() => open('window')}>Top up</button>
 */
export function useCheckout(options: CheckoutOptions): Checkout {
  const settings: Settings = useRampSettings(options);
  const { api: url } = settings;
  if (url != null) settings.signer ??= createHttpSigner({ ...settings, url });
  const [state, setState] = useState<CheckoutState>({ status: 'idle' });
  const [session] = useState(() => createCheckoutSession(settings, setState, checkoutCode));
  useEffect(() => {
    session.options = settings;
    if (process.env.NODE_ENV !== 'production')
      import('../dev/checkProps.js').then(({ checkProps }) => checkProps(settings));
  });
  useEffect(() => {
    let isMounted = true;
    // Load the code before the click, because a finger does not hover. Safari has no requestIdleCallback.
    (window.requestIdleCallback ?? setTimeout)(() => isMounted && checkoutCode.preload());
    return () => {
      isMounted = false;
      session.dispose();
      session.watches?.abort();
    };
  }, [session]);
  return {
    ...state,
    messages: settings.messages,
    errorAction: settings.errorAction,
    ...session.controls,
  };
}
