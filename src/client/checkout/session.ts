import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { type BackendConnection, fetchBackend } from '../backend/fetchBackend.js';
import type { CodeLoader } from '../createCodeLoader.js';
import { createLoadError } from '../createLoadError.js';
import type { SessionOptions } from './CheckoutSettings.js';
import type { CheckoutDisplay } from './events.js';
import {
  createProposal,
  type PendingPurchase,
  pendingPurchases,
  toPurchaseKey,
} from './purchases.js';
import type { ViewRequest } from './view.js';

/** The notice beside the button about a checkout that is open in another window, or that may have been paid. */
export interface CheckoutNotice extends BackendConnection {
  /**
   * `open`: the checkout is open in another window. `hidden`: it is open in a window that the page cannot see, or the
   * shopper has closed that window. `paid`: the backend has an order. `closed`: the widget was closed after being open
   * long enough for a payment. After `resume`: `ended` if the checkout cannot continue, `unknown` if the backend could
   * not tell whether it is paid.
   */
  readonly reason: 'open' | 'hidden' | 'paid' | 'closed' | 'ended' | 'unknown';
  /**
   * The references of the checkout and, if it replaced an earlier checkout, of the earlier one.
   */
  readonly references: readonly string[];
  /** Whether the second window may still be open; `undefined` if the checkout was not moved to a second window. */
  readonly secondWindow: 'open' | 'closed' | undefined;
  /** The last known state of the checkout, if it has an order. */
  readonly checkout?: CheckoutResponse | undefined;
  /** True if screen readers have announced the state of `checkout` already. */
  readonly isAnnounced?: boolean | undefined;
  /** The element that opened the checkout, usually the button. It gets the focus when the checkout is closed. */
  readonly trigger?: HTMLElement | undefined;
  /** Moves the focus to the window of the checkout. Set while that window is open. */
  readonly showWindow?: (() => void) | undefined;
  /** Shows the checkout again. Call it inside a click. Set if the checkout was closed and may still be unpaid. */
  readonly resume?: (() => void) | undefined;
  /**
   * Opens another checkout for the same purchase. Call it inside a click. Set if the shopper has clicked a button while
   * this checkout may be open or paid: then the notice asks first.
   */
  readonly startNew?: (() => void) | undefined;
}

/** The state of the last checkout of a button. `status` does not tell whether the checkout is paid. */
export interface SessionState {
  /**
   * `idle` while no checkout is open, `signing` while a signature is requested, `open` while the widget is shown.
   * `blocked` if the browser blocked the window, `error` if the checkout could not be opened.
   */
  readonly status: 'idle' | 'signing' | 'open' | 'blocked' | 'error';
  /** Set if the status is `error` or `blocked`. */
  readonly error?: RampError | undefined;
  /** Set if the status is `error`: opens the checkout again, with the same display. Call it inside a click. */
  readonly retry?: (() => void) | undefined;
  /**
   * Set if the status is `blocked`: the URL for a visible link. The URL is meant for only one opening of the widget.
   */
  readonly url?: string | undefined;
  /** Set if the status is `blocked`: call this function when the shopper has used the link. */
  readonly onLinkClick?: (() => void) | undefined;
  /** The backend's reference of the last opened checkout. */
  readonly reference?: string | undefined;
  /** Set while the checkout is open in another window, and after the end of a checkout that may have been paid. */
  readonly notice?: CheckoutNotice | undefined;
  /** What shows the error or the notice, with a button such as “Try again”. Set once its code has loaded. */
  readonly Note?: unknown;
}

/** One opening of the widget, as requested by one click. */
export interface Opening extends Pick<ViewRequest, 'trigger'> {
  /**
   * The blank window that was opened during the click. Null or undefined if none was needed, or if the browser blocked
   * it.
   */
  readonly blank: Window | null | undefined;
  readonly display: CheckoutDisplay;
  /** The options at the time of the click. */
  readonly options: SessionOptions;
  /** The key of the purchase. Undefined if a checkout is continued and the page does not know what it buys. */
  readonly purchaseKey?: string | undefined;
  /**
   * The checkout that this opening replaced. If this opening continues that checkout, both have the same reference.
   * With `mayBePaid`, an order of the earlier checkout may still appear while this widget is open.
   */
  earlier?:
    | {
        readonly reference: string;
        readonly mayBePaid: boolean;
        /** Whether this opening is a new window that replaced the widget in the page. */
        readonly isMoved?: boolean | undefined;
      }
    | undefined;
}

/** Controls the widget that is shown, or the link that replaces a blocked window. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Removes the view. Emits `closed`, unless the window was blocked. */
  end(): void;
  /**
   * Called on unmount. Removes the widget from the page; a window stays open, because the shopper may be paying in it.
   */
  detach(): void;
}

/**
 * The checkouts of one button, independent of React. This module has only the code that must be there at the click. The
 * rest is in `startCheckout.ts`, which loads when the browser is idle after the mount, or earlier if the shopper
 * hovers over the button, focuses it or clicks it.
 */
export interface CheckoutSession {
  readonly request: BackendConnection['request'];
  readonly signatures: SignatureCache;
  /** The options of the latest render. */
  options: SessionOptions;
  /** The element that an inline widget is placed in, while it is mounted. */
  container?: HTMLElement | null;
  /** The opening that is pending or shown. Results of an older opening are ignored. */
  opening?: Opening | undefined;
  view?: CheckoutView | undefined;
  /** Aborts all watches of this button's checkouts when the button unmounts. */
  watches?: AbortController | undefined;
  /** What shows the errors and notices of this session. The lazy code sets it. */
  Note?: SessionState['Note'];
  setState(state: SessionState): void;
  /** Identifies the pending prefetch of a signature. Setting another value cancels that prefetch. */
  intent?: object | undefined;
  /** The functions that a page calls. */
  readonly controls: {
    inlineRef(container: HTMLElement | null): void;
    /**
     * Loads the rest of the code, and fetches a signature once the pointer has rested on the button. Failures are
     * silent.
     */
    prefetch(event?: Pick<Event, 'type' | 'currentTarget'>): void;
    open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
    close(): void;
  };
  /**
   * Aborts a pending opening and detaches the view. The session stays usable, because React mounts it again in
   * StrictMode.
   */
  dispose(): void;
}

/** The state after an opening that has failed. */
export const createErrorState = (
  { controls, Note }: CheckoutSession,
  { display, trigger }: Opening,
  error: RampError,
): SessionState => ({
  status: 'error',
  error,
  retry: () => void controls.open(display, trigger),
  Note,
});

/** The code that a click loads: `startCheckout.ts`, and what shows errors and notices. */
interface LazyCheckout {
  openCheckout(session: CheckoutSession, opening: Opening): Promise<void>;
  /** Shows a pending purchase in place of the checkout that the click would have opened. */
  showPurchase(session: CheckoutSession, clicked: Opening, purchase: PendingPurchase): void;
  prefetchSignature: typeof import('./signature.js').prefetchSignature;
}

/** @param code - The code that a click loads. It differs in what shows errors: a component or plain DOM. */
export function createCheckoutSession(
  options: SessionOptions,
  setState: (state: never) => void,
  code: CodeLoader<LazyCheckout>,
): CheckoutSession {
  let status: SessionState['status'] | undefined;
  let lastTrigger: HTMLElement | undefined;
  const signatures: SignatureCache = {
    request(options) {
      const { signer } = options;
      if (signer && !signatures.pending) {
        signatures.options = options;
        const controller = new AbortController();
        signatures.controller = controller;
        signatures.pending = (async () =>
          signer(createProposal(options), { signal: controller.signal }))();
        // Prevent an unhandled rejection. The opening that awaits the signature reports the error, perhaps only after
        // its code has loaded.
        signatures.pending.catch(() => {});
      }
      return signatures.pending;
    },
    discard() {
      signatures.controller?.abort();
      signatures.pending = undefined;
    },
  };

  const session: CheckoutSession = {
    options,
    signatures,
    request: fetchBackend,
    setState(state) {
      status = state.status;
      setState(state as never);
    },
    controls: {
      inlineRef(container) {
        session.container = container;
      },
      prefetch(event) {
        // Read the target now, because React resets it once the event's handlers have run.
        const target = event?.currentTarget;
        code.preload().then((lazy) => lazy?.prefetchSignature(session, target, event));
      },
      open(wanted, trigger = lastTrigger) {
        const { options, view } = session;
        if (status === 'signing' || view?.isOpen()) {
          return void view?.focus();
        }
        view?.end();
        // A page may pass this function itself to onClick. Then the first argument is an event.
        const display = (typeof wanted === 'string' ? wanted : options.display) || 'modal';
        const purchaseKey = toPurchaseKey(options);
        const purchase = pendingPurchases.get(purchaseKey);
        // Open the window before any await. After an await, the browser would block the window, because the call would
        // no longer belong to the click.
        let blank: Opening['blank'];
        try {
          if (display === 'window' && !purchase)
            blank = window.open('', '_blank', 'popup,width=480,height=760');
          if (blank?.closed) blank = null;
        } catch {
          // In some in-app browsers, window.open is missing or throws. The shopper gets a link instead.
        }
        const opening = { display, trigger, options, blank, purchaseKey };
        session.opening = opening;
        lastTrigger = trigger;
        if (!purchase) {
          signatures.request(options);
          session.setState({ status: 'signing' });
        }
        return code.load().then(
          (lazy) =>
            purchase
              ? lazy.showPurchase(session, opening, purchase)
              : lazy.openCheckout(session, opening),
          (cause) => {
            if (session.opening !== opening) return;
            blank?.close();
            const error = createLoadError(cause);
            session.setState(createErrorState(session, opening, error));
            try {
              options.onError?.(error);
            } finally {
              options.onEvent?.({ type: 'failed', widget: options.widget, display, error });
            }
          },
        );
      },
      close: () => (session.view?.end ?? session.dispose)(),
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

/**
 * Holds at most one signature for a button. The signature may be too old or made for other options, or its request may
 * have failed. So get every signature that you use from `requestSignature` in `signature.ts`, which discards such a
 * signature first.
 */
interface SignatureCache {
  /** The cached or pending signature. */
  pending?: Promise<SignedCheckout> | undefined;
  /** The options with which it was requested. */
  options?: SessionOptions | undefined;
  /** Aborts the request. Removed when the request has ended. */
  controller?: AbortController | undefined;
  /** Returns the cached or pending signature, or requests one. Without a signer: `undefined`. */
  request(options: SessionOptions): Promise<SignedCheckout> | undefined;
  /** Discards the cached signature, and aborts a pending request. */
  discard(): void;
}
