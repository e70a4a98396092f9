import { RampError } from '../../protocol/errors/RampError.js';
import { buildBackendUrl, requestBackend } from '../backend/requestBackend.js';
import type { CheckoutOptions, CheckoutState, SignedCheckout } from './CheckoutOptions.js';
import type { CheckoutSession, Opening } from './CheckoutSession.js';

// Kept for the whole page: another import() at each click would cost a frame.
let lazyModule: Promise<typeof import('./openCheckout.js')> | undefined;
const loadLazyModule = () => {
  lazyModule ||= import('./openCheckout.js').catch((cause) => {
    lazyModule = undefined;
    throw cause;
  });
  return lazyModule;
};

export function createCheckoutSession(
  options: CheckoutOptions,
  setState: (state: CheckoutState) => void,
): CheckoutSession {
  let status: CheckoutState['status'] | undefined;
  let lastTrigger: HTMLElement | undefined;
  let signatureKey: string | undefined;
  let signature: Promise<SignedCheckout> | undefined;
  let controller: AbortController | undefined;

  const session: CheckoutSession = {
    options,
    backend: { requestBackend, buildBackendUrl },
    setContainer(container) {
      session.container = container;
    },
    setState(state) {
      status = state.status;
      setState(state);
    },
    requestSignature({
      widget,
      signer,
      signedParams: params = {},
      maxAgeSeconds = 60,
      api,
      headers,
    }) {
      // Which function the signer is does not matter: pages often write it in place, anew at each
      // render.
      const next = JSON.stringify([widget, params, api, headers]);
      if (signature && signer && next === signatureKey && session.signatureTtlMs() > 0)
        return signature;
      session.discardSignature();
      if (!signer) return;
      controller = new AbortController();
      const { signal } = controller;
      const mine = (async () => signer({ widget, params }, { signal }))();
      signatureKey = next;
      signature = mine;
      session.signatureTtlMs = () => Infinity;
      mine.then(
        (received) => {
          if (mine !== signature) return;
          const ms = Math.min(maxAgeSeconds, received?.expiresInSeconds ?? maxAgeSeconds) * 1000;
          // Two clocks: one may stand still while the machine sleeps, the other may be set back.
          const byDate = Date.now() + ms;
          const byTimer = performance.now() + ms;
          session.signatureTtlMs = () => Math.min(byDate - Date.now(), byTimer - performance.now());
          // From here on there is nothing to abort.
          controller = undefined;
        },
        () => {
          // It is told where it is waited for.
          if (mine === signature) signature = undefined;
        },
      );
      return mine;
    },
    signatureTtlMs: () => 0,
    discardSignature() {
      controller?.abort();
      controller = signature = undefined;
    },
    prefetch() {
      if (status === 'signing' || status === 'open') return;
      // Before the code is loaded: the signer's time is the longest.
      session.requestSignature(session.options);
      loadLazyModule().then(
        ({ preconnect }) => preconnect(session.options),
        () => {},
      );
    },
    open(wanted, trigger = lastTrigger) {
      const { options, view } = session;
      if (status === 'signing' || view?.isOpen()) {
        view?.focus();
        return;
      }
      view?.end();
      // A page may hand it to onClick as it is, and so an event for a display.
      const display = (typeof wanted === 'string' ? wanted : options.display) || 'modal';
      // Now or never: after an await it is no longer the shopper's click.
      let blank: Opening['blank'] =
        display === 'window'
          ? window.open('about:blank', '_blank', 'popup,width=480,height=760')
          : undefined;
      if (blank?.closed) blank = null;
      const opening = { display, trigger, options, container: session.container, blank };
      session.opening = opening;
      session.requestSignature(options);
      session.setState({ status: 'signing' });
      // Safari does not focus a clicked button, and a "Try again" that goes away loses the focus.
      lastTrigger = trigger;
      trigger?.focus({ preventScroll: true });
      return loadLazyModule().then(
        ({ openCheckout }) => openCheckout(session, opening),
        (cause) => {
          if (session.opening !== opening) return;
          blank?.close();
          const error = new RampError('ERR_NETWORK', 'Reload the page to go on.', {
            cause,
          });
          session.setState({ status: 'error', error });
          try {
            options.onError?.(error);
          } finally {
            options.onEvent?.({
              type: 'failed',
              widget: options.widget,
              display,
              error,
            });
          }
        },
      );
    },
    dispose() {
      const { opening, view } = session;
      session.discardSignature();
      session.opening = session.view = undefined;
      if (view) view.detach();
      else opening?.blank?.close();
      if (status) session.setState({ status: 'idle' });
    },
  };
  return session;
}
