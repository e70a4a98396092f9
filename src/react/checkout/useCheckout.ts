import { type RefCallback, useEffect, useState } from 'react';
import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { createHttpSigner } from '../backend/createHttpSigner.js';
import {
  type RampSettings,
  type ServiceSettings,
  useRampSettings,
} from '../provider/RampProvider.js';
import type { CheckoutCallbacks, CheckoutDisplay } from './events.js';
import { type CheckoutState, createCheckoutSession } from './session.js';
import type { FrameOptions } from './views/panel.js';

/** The options of one checkout, which {@link useCheckout} takes. */
export interface CheckoutOptions
  extends RampSettings,
    ServiceSettings,
    CheckoutCallbacks,
    FrameOptions {
  /** The widget to open. */
  readonly widget: Widget;
  /** Parameters that are signed when there is a signer, as text. */
  readonly signedParams?: ProposedParams | undefined;
  /** Parameters that are merged in the browser at opening. They never replace a signed one. */
  readonly unsignedParams?: ProposedParams | undefined;
  /** Unsigned parameters of your service that docs/service-interface.md section 4.7 does not list. */
  readonly extraParams?: Readonly<Record<string, string>> | undefined;
  /** Where the widget is shown. @default 'modal' */
  readonly display?: CheckoutDisplay | undefined;
}

type Settings = { -readonly [K in keyof CheckoutOptions]: CheckoutOptions[K] };

/** The result of {@link useCheckout}. */
export interface Checkout extends CheckoutState {
  /** The messages of the options, or of {@link RampProvider}. */
  readonly messages: CheckoutOptions['messages'];
  /**
   * Opens the widget. Call it inside the click, or the browser may block a window. The focus returns to
   * `trigger` when the widget closes.
   */
  readonly open: (display?: CheckoutOptions['display'], trigger?: HTMLElement) => void;
  /**
   * Prepares a click. Call it on intent, with the event: `onPointerEnter={prefetch} onFocus={prefetch}`. It loads the
   * code immediately, and fetches a signature when the pointer has rested for 100 ms, so that crossing a catalogue signs
   * nothing: leaving the element, or a later call of the page, cancels it. On `focus` it fetches none. Without an event
   * it fetches one after 100 ms. A failure is silent.
   */
  readonly prefetch: (event?: Pick<Event, 'type' | 'currentTarget'>) => void;
  /** The ref of the element in which `display: 'inline'` shows the widget. */
  readonly inlineRef: RefCallback<HTMLElement>;
  /** Closes the widget, aborts a pending opening, or removes the link to a blocked window. */
  readonly close: () => void;
}

/**
 * Opens the hosted widget from your own component; {@link OnRampButton} uses it.
 *
 * Missing options are taken from {@link RampProvider}. Rerenders do not fetch another signature, and each
 * signature serves one opening. Pending requests are aborted on unmount. If the signed-in user can change
 * without a reload, give the component the user's id as `key`.
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
      import('../dev/checkProps.js').then(({ checkProps }) => checkProps(settings));
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
