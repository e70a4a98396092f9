import { fetchBackend } from '../backend/fetchBackend.js';
import { createLoadError } from '../createLoadError.js';
import type { CheckoutOptions } from './CheckoutOptions.js';
import type { CheckoutSession } from './CheckoutSession.js';
import type { CheckoutState } from './CheckoutState.js';
import { createSignatureCache } from './createSignatureCache.js';
import type { Opening } from './Opening.js';

// Cached for the page: another import() at each click would delay it by a frame.
let lazyModule: Promise<typeof import('./openCheckout.js')> | undefined;
const loadLazyModule = () =>
  (lazyModule ||= import('./openCheckout.js').catch((cause) => {
    lazyModule = undefined;
    throw cause;
  }));

/** Creates the session of one button. */
export function createCheckoutSession(
  options: CheckoutOptions,
  setState: (state: CheckoutState) => void,
): CheckoutSession {
  let status: CheckoutState['status'] | undefined;
  let lastTrigger: HTMLElement | undefined;
  const signatures = createSignatureCache();

  const session: CheckoutSession = {
    options,
    signatures,
    request: fetchBackend,
    inlineRef(container) {
      session.container = container;
    },
    setState(state) {
      status = state.status;
      setState(state);
    },
    prefetch(event) {
      // React resets the target of an event once its handlers have run.
      const target = event?.currentTarget;
      loadLazyModule().then(
        (lazy) => lazy.prefetchSignature(session, target, event),
        () => {},
      );
    },
    open(wanted, trigger = lastTrigger) {
      const { options, view } = session;
      if (status === 'signing' || view?.isOpen()) {
        return void view?.focus();
      }
      view?.end();
      // A page may pass this function to onClick, so the first argument may be an event.
      const display = (typeof wanted === 'string' ? wanted : options.display) || 'modal';
      // Before any await: afterwards the browser no longer counts it as a click.
      let blank: Opening['blank'];
      try {
        if (display === 'window') blank = window.open('', '_blank', 'popup,width=480,height=760');
        if (blank?.closed) blank = null;
      } catch {
        // An in-app browser has no window.open, or it throws: a link replaces the window.
      }
      const opening = { display, trigger, options, container: session.container, blank };
      session.opening = opening;
      signatures.request(options);
      session.setState({ status: 'signing' });
      // Safari does not focus a clicked button, and a "Try again" that is removed loses the focus.
      lastTrigger = trigger;
      trigger?.focus({ preventScroll: true });
      return loadLazyModule().then(
        (lazy) => lazy.openCheckout(session, opening),
        (cause) => {
          if (session.opening !== opening) return;
          blank?.close();
          const error = createLoadError(cause);
          session.setState({ status: 'error', error });
          try {
            options.onError?.(error);
          } finally {
            options.onEvent?.({ type: 'failed', widget: options.widget, display, error });
          }
        },
      );
    },
    dispose() {
      const { opening, view } = session;
      signatures.discard();
      session.opening = session.view = session.intent = undefined;
      if (view) view.detach();
      else opening?.blank?.close();
      if (status) session.setState({ status: 'idle' });
    },
  };
  return session;
}
