import { RampError } from '../protocol/ramp-error.js';
import type {
  CheckoutDisplay,
  CheckoutOptions,
  CheckoutState,
  SignedCheckout,
} from './checkout-types.js';

/** A widget that is shown, or the link to one that was blocked. */
export interface CheckoutView {
  readonly blocked?: RampError;
  isOpen(): boolean;
  focus(): void;
  close(): void;
  /** Lets go of it. A dialog goes away; a window stays, somebody may be paying in it. */
  dispose(): void;
}

/** One click that wants the widget. */
export interface Opening {
  readonly display: CheckoutDisplay;
  readonly options: CheckoutOptions;
  /** Gets the focus back. */
  readonly trigger: HTMLElement | undefined;
  /** The window that was opened inside the click; null when the browser blocked it. */
  readonly blank: Window | null | undefined;
  readonly signed: Promise<SignedCheckout> | undefined;
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
  /** Fetches a signature and the rest of the code ahead of a click. Fails silently. */
  prefetch(): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Drops the signature that is kept and aborts one under way. */
  forget(): void;
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

  // Which function the signer is does not matter: pages often write it in place, anew at each render.
  const ask = () => {
    const { widget, signer, signedParams: params = {}, maxAgeSeconds = 60 } = session.options;
    const next = JSON.stringify(params);
    const now = clocks();
    if (
      !signer ||
      (answer && next === question && freshUntil.every((end, i) => end > (now[i] as number)))
    )
      return answer;
    session.forget();
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
        const ageMs = Math.min(maxAgeSeconds, received?.expiresInSeconds ?? maxAgeSeconds) * 1000;
        if (mine === answer) freshUntil = clocks().map((receivedAt) => receivedAt + ageMs);
      },
      () => {
        if (mine === answer) answer = undefined;
      },
    );
    return mine;
  };

  const session: CheckoutSession = {
    options,
    become(state) {
      status = state.status;
      setState(state);
    },
    prefetch() {
      if (status === 'signing' || status === 'open') return;
      loadRest().catch(ignore);
      ask()?.catch(ignore);
    },
    open(display = session.options.display || 'modal', trigger = lastTrigger) {
      if (status === 'signing' || session.view?.isOpen()) {
        session.view?.focus();
        return;
      }
      const opening: Opening = {
        display,
        trigger,
        options: session.options,
        // Now or never: after an await it is no longer the shopper's click.
        blank:
          display === 'window'
            ? window.open('about:blank', '_blank', 'popup,width=480,height=760')
            : undefined,
        signed: ask(),
      };
      opening.signed?.catch(ignore);
      session.view?.dispose();
      session.view = undefined;
      session.opening = opening;
      session.become({ status: 'signing' });
      // Safari does not focus a clicked button, and a "Try again" that goes away loses the focus.
      lastTrigger = trigger;
      trigger?.focus({ preventScroll: true });
      return loadRest().then(
        ({ openCheckout }) => openCheckout(session, opening),
        (cause) => {
          opening.blank?.close();
          const error = new RampError('ERR_NETWORK', 'The checkout could not be loaded.', {
            cause,
          });
          session.become({ status: 'error', error });
          opening.options.onError?.(error);
        },
      );
    },
    forget() {
      controller?.abort();
      answer = undefined;
    },
    dispose() {
      session.forget();
      if (session.view) session.view.dispose();
      else session.opening?.blank?.close();
      session.opening = session.view = status = undefined;
    },
  };
  return session;
}
