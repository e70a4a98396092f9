import { type RefCallback, useEffect, useState } from 'react';
import { createHttpSigner } from '../backend/createHttpSigner.js';
import { useRampSettings } from '../provider/RampProvider.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { CheckoutState } from './CheckoutState.js';
import { createCheckoutSession } from './createCheckoutSession.js';

type Settings = { -readonly [K in keyof CheckoutOptions]: CheckoutOptions[K] };

export interface Checkout extends CheckoutState {
  readonly messages: CheckoutOptions['messages'];
  /**
   * Opens the widget. Call it inside the click, or the browser may block a window. The focus goes
   * back to `trigger`.
   */
  readonly open: (display?: CheckoutOptions['display'], trigger?: HTMLElement) => void;
  /** Fetches the signature ahead of a click. Call it on intent: pointer over, focus, touch. */
  readonly prefetch: () => void;
  /** Give it to the element in which `display: 'inline'` shows the widget. */
  readonly inlineRef: RefCallback<HTMLElement>;
  /** Closes what is open, gives up what is on its way, or takes back the link to a blocked window. */
  readonly close: () => void;
}

/**
 * Opens the hosted widget from a view of your own; {@link OnRampButton} is made of it.
 *
 * Options not given come from {@link RampProvider}. However often it renders, one signature is
 * asked for, and each serves one opening. What is under way is aborted on unmount. Where the
 * signed-in user can change without a reload, give the component a `key` of the user's id.
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
  const [session] = useState(() => createCheckoutSession(settings, setState));
  useEffect(() => {
    session.options = settings;
    if (process.env.NODE_ENV !== 'production')
      import('./checkProps.js').then(({ checkProps }) => checkProps(settings));
  });
  useEffect(
    () => () => {
      session.dispose();
      session.watches?.abort();
    },
    [session],
  );
  return {
    ...state,
    messages: settings.messages,
    open: session.open,
    prefetch: session.prefetch,
    inlineRef: session.inlineRef,
    close: () => (session.view?.end ?? session.dispose)(),
  };
}
