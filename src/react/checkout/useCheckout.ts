import {
  type MouseEvent,
  type RefCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { createHttpSigner } from '../../client/backend/createHttpSigner.js';
import type { OpenRequest } from '../../client/checkout/Checkout.js';
import type { CheckoutOptions } from '../../client/checkout/CheckoutSettings.js';
import { checkoutCode } from '../../client/checkout/checkoutCode.js';
import { type CheckoutState, hideNotice } from '../../client/checkout/checkoutStates.js';
import { createCheckout } from '../../client/checkout/createCheckout.js';
import { sortParams, type WidgetParams } from '../../client/params/sortParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import { noteCode } from './noteCode.js';

/** A widget with its parameters and settings. Missing settings are taken from {@link RampProvider}. */
export interface UseCheckoutOptions<W extends Widget = Widget>
  extends Omit<CheckoutOptions, 'widget' | 'signedParams' | 'unsignedParams'>,
    RampSettings {
  /** Which widget to open: `on-ramp` or `nft`. */
  readonly widget: W;
  /**
   * The parameters of the widget (service interface, sections 4.7 and 5), as the props of `OnRampButton` and
   * `NftCheckout`. Those that must be signed are proposed to the signer, and the browser adds the others to the URL.
   */
  readonly params?: WidgetParams<W> | undefined;
}

/** What {@link useCheckout} returns: the state of the last checkout, and functions that open and close the widget. */
export type UseCheckoutResult = CheckoutState & {
  /** The messages of the options, or of {@link RampProvider}. */
  readonly messages: UseCheckoutOptions['messages'];
  /** The `errorAction` of the options, or of {@link RampProvider}. */
  readonly errorAction: UseCheckoutOptions['errorAction'];
  /**
   * Opens the widget. Call it directly in the click handler, or pass it as the handler: otherwise the browser may block
   * a new window. The focus returns to `trigger`, or to the event's element, when the widget closes.
   */
  readonly open: (request?: OpenRequest | MouseEvent<HTMLElement>) => void;
  /**
   * Prepares for a click, so that the widget opens faster. Use it as an event handler:
   * `onPointerEnter={prefetch} onFocus={prefetch}`.
   *
   * It loads the code immediately. Once the pointer has rested on the element for 100 ms, it also fetches a signature.
   * Leaving the element, or calling any `prefetch` on the page, cancels this fetch, so a pointer that only crosses a
   * catalogue requests no signatures. On `focus`, no signature is fetched, and no pending fetch is cancelled. Without
   * an event, a signature is fetched after 100 ms. Failures are silent.
   */
  readonly prefetch: (event?: Pick<Event, 'type' | 'currentTarget'>) => void;
  /** The ref of the element in which `display: 'inline'` shows the widget. */
  readonly inlineRef: RefCallback<HTMLElement>;
  /** Closes the widget, aborts a pending opening, or removes the link that replaces a blocked window. */
  readonly close: () => void;
};

/**
 * Opens the hosted widget from your own component. {@link OnRampButton} is built on this hook. Render
 * {@link CheckoutNote} beside your button: it shows errors and notices.
 *
 * Missing options are taken from {@link RampProvider}. A rerender does not fetch another signature. Each signature is
 * used for only one opening of the widget. Pending requests are aborted on unmount. If the signed-in user can change
 * without a reload, give the component the user's id as `key`, so that the previous user's signature is not used.
 *
 * @example
 * const checkout = useCheckout({ widget: 'on-ramp', params: { amount: '100' } });
 * <>
 *   <button onPointerEnter={checkout.prefetch} onClick={checkout.open}>Top up</button>
 *   <CheckoutNote checkout={checkout} />
 * </>
 */
export function useCheckout<W extends Widget>({
  params,
  ...own
}: UseCheckoutOptions<W>): UseCheckoutResult {
  const settings = useRampSettings<RampSettings & typeof own>(own);
  const options: CheckoutOptions = {
    ...settings,
    ...sortParams(own.widget, params ?? {}),
    signer:
      settings.signer ??
      (settings.api == null ? undefined : createHttpSigner({ ...settings, url: settings.api })),
  };
  const [checkout] = useState(() => createCheckout(options, checkoutCode));
  const [controls] = useState(() => ({
    open: (request?: OpenRequest | MouseEvent<HTMLElement>) =>
      checkout.open(isEvent(request) ? { trigger: request.currentTarget } : request),
    prefetch: checkout.prefetch,
    close: checkout.close,
    inlineRef: (container: HTMLElement | null) => {
      checkout.container = container;
    },
  }));
  const state = useSyncExternalStore(
    checkout.subscribe,
    checkout.getSnapshot,
    checkout.getSnapshot,
  );
  useEffect(() => {
    checkout.options = options;
    if (process.env.NODE_ENV !== 'production')
      import('../../client/dev/checkProps.js').then(({ checkProps }) =>
        checkProps(options, { ...settings, ...params }),
      );
  });
  useEffect(() => {
    let isMounted = true;
    const preload = () => {
      if (!isMounted) return;
      checkoutCode.preload();
      noteCode.preload();
    };
    // Load the code before the click, because a finger does not hover. Safari has no requestIdleCallback.
    if (window.requestIdleCallback) window.requestIdleCallback(preload);
    else setTimeout(preload);
    return () => {
      isMounted = false;
      checkout.dispose();
    };
  }, [checkout]);
  const { messages, errorAction, notice } = settings;
  const shown = notice === false ? hideNotice(state) : state;
  return { ...shown, messages, errorAction, ...controls };
}

const isEvent = (
  request: OpenRequest | MouseEvent<HTMLElement> | undefined,
): request is MouseEvent<HTMLElement> => typeof request === 'object' && 'currentTarget' in request;
