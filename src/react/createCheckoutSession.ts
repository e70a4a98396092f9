import { RampError } from '../protocol/ramp-error.js';
import { askBackend, backendUrl } from './askBackend.js';
import type { CheckoutOptions, CheckoutState, SignedCheckout } from './checkout-types.js';
import type { CheckoutSession, Opening } from './checkout-view.js';

// Kept for the whole page: another import() at each click would cost a frame.
let rest: Promise<typeof import('./openCheckout.js')> | undefined;
const loadRest = () => {
  rest ||= import('./openCheckout.js').catch((cause) => {
    rest = undefined;
    throw cause;
  });
  return rest;
};

export function createCheckoutSession(
  options: CheckoutOptions,
  setState: (state: CheckoutState) => void,
): CheckoutSession {
  let status: CheckoutState['status'] | undefined;
  let lastTrigger: HTMLElement | undefined;
  let question: string | undefined;
  let answer: Promise<SignedCheckout> | undefined;
  let controller: AbortController | undefined;

  const session: CheckoutSession = {
    options,
    backend: { askBackend, backendUrl },
    hold(container) {
      session.container = container;
    },
    become(state) {
      status = state.status;
      setState(state);
    },
    ask({ widget, signer, signedParams: params = {}, maxAgeSeconds = 60, api, headers }) {
      // Which function the signer is does not matter: pages often write it in place, anew at each
      // render.
      const next = JSON.stringify([widget, params, api, headers]);
      if (answer && signer && next === question && session.freshMs() > 0) return answer;
      session.forget();
      if (!signer) return;
      controller = new AbortController();
      const { signal } = controller;
      const mine = (async () => signer({ widget, params }, { signal }))();
      question = next;
      answer = mine;
      session.freshMs = () => Infinity;
      mine.then(
        (received) => {
          if (mine !== answer) return;
          const ms = Math.min(maxAgeSeconds, received?.expiresInSeconds ?? maxAgeSeconds) * 1000;
          // Two clocks: one may stand still while the machine sleeps, the other may be set back.
          const byDate = Date.now() + ms;
          const byTimer = performance.now() + ms;
          session.freshMs = () => Math.min(byDate - Date.now(), byTimer - performance.now());
          // From here on there is nothing to abort.
          controller = undefined;
        },
        () => {
          // It is told where it is waited for.
          if (mine === answer) answer = undefined;
        },
      );
      return mine;
    },
    freshMs: () => 0,
    forget() {
      controller?.abort();
      controller = answer = undefined;
    },
    prefetch() {
      if (status === 'signing' || status === 'open') return;
      // Before the code is loaded: the signer's time is the longest.
      session.ask(session.options);
      loadRest().then(
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
      session.ask(options);
      session.become({ status: 'signing' });
      // Safari does not focus a clicked button, and a "Try again" that goes away loses the focus.
      lastTrigger = trigger;
      trigger?.focus({ preventScroll: true });
      return loadRest().then(
        ({ openCheckout }) => openCheckout(session, opening),
        (cause) => {
          if (session.opening !== opening) return;
          blank?.close();
          const error = new RampError('ERR_NETWORK', 'Reload the page to go on.', {
            cause,
          });
          session.become({ status: 'error', error });
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
      session.forget();
      session.opening = session.view = undefined;
      if (view) view.letGo();
      else opening?.blank?.close();
      if (status) session.become({ status: 'idle' });
    },
  };
  return session;
}
