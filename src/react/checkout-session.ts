import { RampError } from '../protocol/ramp-error.js';
import type {
  CheckoutDisplay,
  CheckoutOptions,
  CheckoutState,
  SignedCheckout,
} from './checkout-types.js';

/** A widget that is shown, or the link to one that was blocked. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Takes it away and tells so. */
  end(): void;
  /** Lets go of it on unmount. A dialog goes away; a window stays, somebody may be paying in it. */
  letGo(): void;
}

/** One click that wants the widget. */
export interface Opening {
  readonly display: CheckoutDisplay;
  /** As they were at the click. */
  readonly options: CheckoutOptions;
  /** Gets the focus back. */
  readonly trigger: HTMLElement | undefined;
  /** The window that was opened inside the click; null when the browser blocked it. */
  readonly blank: Window | null | undefined;
}

/**
 * The checkouts of one button, free of React. Only what a click cannot wait for is here; the rest
 * is in `open-checkout.ts`, loaded on intent.
 */
export interface CheckoutSession {
  /** The options of the latest render. */
  options: CheckoutOptions;
  /** What is being opened or shown. What belongs to an older opening no longer counts. */
  opening?: Opening | undefined;
  view?: CheckoutView | undefined;
  become(state: CheckoutState): void;
  /** The signature for these options: the one that is kept or under way, or a new one. */
  ask(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** For how long what is kept may still be used. */
  freshMs(): number;
  /** Drops the signature that is kept, and aborts one under way. */
  forget(): void;
  /** Fetches a signature and the rest of the code ahead of a click. Fails silently. */
  prefetch(): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Ends what is under way. It can be used again afterwards, as StrictMode asks. */
  dispose(): void;
}

// Kept for the whole page: another import() at each click would cost a frame.
let rest: Promise<typeof import('./open-checkout.js')> | undefined;
const loadRest = () => {
  rest ||= import('./open-checkout.js');
  rest.catch(() => {
    rest = undefined;
  });
  return rest;
};

// Two clocks: one may stand still while the machine sleeps, the other may be set back.
const clocks = () => [Date.now(), performance.now()];

const ignore = () => {};

export function createCheckoutSession(
  options: CheckoutOptions,
  setState: (state: CheckoutState) => void,
): CheckoutSession {
  let status: CheckoutState['status'] | undefined;
  let lastTrigger: HTMLElement | undefined;
  let question: string | undefined;
  let answer: Promise<SignedCheckout> | undefined;
  let freshUntil: readonly number[];
  let controller: AbortController | undefined;

  const session: CheckoutSession = {
    options,
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
      const mine = new Promise<SignedCheckout>((resolve) =>
        resolve(signer({ widget, params }, { signal })),
      );
      question = next;
      answer = mine;
      freshUntil = [Infinity];
      mine.then(
        (received) => {
          if (mine !== answer) return;
          const ageMs = Math.min(maxAgeSeconds, received?.expiresInSeconds ?? maxAgeSeconds) * 1000;
          freshUntil = clocks().map((receivedAt) => receivedAt + ageMs);
          // From here on there is nothing to abort.
          controller = undefined;
        },
        () => {
          if (mine === answer) answer = undefined;
        },
      );
      return mine;
    },
    freshMs() {
      const now = clocks();
      return Math.min(...freshUntil.map((end, i) => end - (now[i] as number)));
    },
    forget() {
      controller?.abort();
      controller = answer = undefined;
    },
    prefetch() {
      if (status === 'signing' || status === 'open') return;
      loadRest().catch(ignore);
      session.ask(session.options)?.catch(ignore);
    },
    open(wanted, trigger = lastTrigger) {
      const { options, view } = session;
      if (status === 'signing' || view?.isOpen()) {
        view?.focus();
        return;
      }
      view?.end();
      const display =
        (wanted === 'window' || wanted === 'modal' ? wanted : options.display) || 'modal';
      // Now or never: after an await it is no longer the shopper's click.
      const made =
        display === 'window'
          ? window.open('about:blank', '_blank', 'popup,width=480,height=760')
          : undefined;
      const opening = { display, trigger, options, blank: made?.closed ? null : made };
      session.opening = opening;
      session.ask(options)?.catch(ignore);
      session.become({ status: 'signing' });
      // Safari does not focus a clicked button, and a "Try again" that goes away loses the focus.
      lastTrigger = trigger;
      trigger?.focus({ preventScroll: true });
      return loadRest().then(
        ({ openCheckout }) => openCheckout(session, opening),
        (cause) => {
          if (session.opening !== opening) return;
          made?.close();
          const error = new RampError('ERR_NETWORK', 'The checkout could not be loaded.', {
            cause,
          });
          session.become({ status: 'error', error });
          options.onError?.(error);
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
