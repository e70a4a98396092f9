import type { ComponentType } from 'react';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { type BackendConnection, fetchBackend } from '../backend/fetchBackend.js';
import { createLoadError } from '../createLoadError.js';
import type { CheckoutNoteProps } from './CheckoutNote.js';
import type { CheckoutDisplay } from './events.js';
import type { CheckoutOptions } from './useCheckout.js';
import type { ViewRequest } from './view.js';

/** The notice beside the button about a checkout that may have been paid. */
export interface CheckoutNotice extends BackendConnection {
  /** `paid`: the backend has an order. `closed`: the widget was closed after being open long enough for a payment. */
  readonly reason: 'paid' | 'closed';
  /**
   * The reference of the checkout that ended. If it was opened in a new window in place of an earlier checkout, also
   * the reference of that one.
   */
  readonly references: readonly string[];
  /** Whether the second window may still be open; `undefined` if the checkout was not moved to a second window. */
  readonly secondWindow: 'open' | 'closed' | undefined;
}

/** The state of a checkout, as the page sees it. */
export interface CheckoutState {
  /**
   * `signing` while a signature is requested, `open` while the widget is shown. `blocked` if the browser blocked the
   * window, `error` if the checkout could not be opened.
   */
  readonly status: 'idle' | 'signing' | 'open' | 'blocked' | 'error';
  /** Set if the status is `error` or `blocked`. */
  readonly error?: RampError | undefined;
  /** Set if the status is `blocked`: the URL for a visible link, which the shopper can open once. */
  readonly url?: string | undefined;
  /** Set if the status is `blocked`: call this function when the shopper has used the link. */
  readonly onLinkClick?: (() => void) | undefined;
  /** The backend's reference of the last opened checkout. */
  readonly reference?: string | undefined;
  /** Set after the end of a checkout that may have been paid, and while a second window is open for a paid checkout. */
  readonly notice?: CheckoutNotice | undefined;
  /**
   * The component that shows the error or the notice, with a button such as “Try again”. Set once its code has
   * loaded.
   */
  readonly Note?: ComponentType<CheckoutNoteProps> | undefined;
}

/** One opening of the widget, as requested by one click. */
export interface Opening extends Pick<ViewRequest, 'trigger' | 'container'> {
  /**
   * The blank window that was opened during the click; null or undefined if there is none, or the browser blocked it.
   */
  readonly blank: Window | null | undefined;
  readonly display: CheckoutDisplay;
  /** The options at the time of the click. */
  readonly options: CheckoutOptions;
  /**
   * The checkout that was open in the page before the shopper moved to this window. If that checkout continues in this
   * window, this opening gets the same reference. With `mayBePaid`, the order of that checkout may still appear while
   * the window is open.
   */
  earlier?: { readonly reference: string; readonly mayBePaid: boolean } | undefined;
}

/** Controls the widget that is shown, or the link that replaces a blocked window. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Removes the view. Emits `closed`, unless the window was blocked. */
  end(): void;
  /** Called on unmount. Removes a dialog; a window stays open, because the shopper may be paying in it. */
  detach(): void;
}

/**
 * The checkouts of one button, independent of React. This module has only the code that must be there at the click. The
 * rest is in `openCheckout.ts`, which loads at the latest with the click, and earlier if the shopper hovers over the
 * button or focuses it.
 */
export interface CheckoutSession {
  readonly request: BackendConnection['request'];
  readonly signatures: SignatureCache;
  /** The options of the latest render. */
  options: CheckoutOptions;
  /** The element that an inline widget is placed in, while it is mounted. */
  container?: HTMLElement | null;
  inlineRef(container: HTMLElement | null): void;
  /** The opening that is pending or shown. Results of an older opening are ignored. */
  opening?: Opening | undefined;
  view?: CheckoutView | undefined;
  /** Aborts all watches of this button's checkouts when the button unmounts. */
  watches?: AbortController | undefined;
  setState(state: CheckoutState): void;
  /** Identifies the pending prefetch of a signature. Setting another value cancels that prefetch. */
  intent?: object | undefined;
  /** Loads the rest of the code, and fetches a signature once the pointer has rested. Failures are silent. */
  prefetch(event?: Pick<Event, 'type' | 'currentTarget'>): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Aborts a pending opening and detaches the view. React's StrictMode then mounts again with the same session. */
  dispose(): void;
}

// Cached for the page, because another import() at each click would delay the click by a frame.
let lazyModule: Promise<typeof import('./openCheckout.js')> | undefined;
const loadLazyModule = () =>
  (lazyModule ||= import('./openCheckout.js').catch((cause) => {
    lazyModule = undefined;
    throw cause;
  }));

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
      // Read the target now, because React resets it once the event's handlers have run.
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
      // A page may pass this function itself to onClick. Then the first argument is an event.
      const display = (typeof wanted === 'string' ? wanted : options.display) || 'modal';
      // Open the window before any await. Later, the browser would block the window, because it would no longer belong
      // to the click.
      let blank: Opening['blank'];
      try {
        if (display === 'window') blank = window.open('', '_blank', 'popup,width=480,height=760');
        if (blank?.closed) blank = null;
      } catch {
        // In some in-app browsers, window.open is missing or throws. The shopper gets a link instead.
      }
      const opening = { display, trigger, options, container: session.container, blank };
      session.opening = opening;
      signatures.request(options);
      session.setState({ status: 'signing' });
      // Focus the button: Safari does not focus a clicked button, and "Try again" loses the focus when it is removed.
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

/** Holds at most one signature for a button, either cached or pending. */
interface SignatureCache {
  /** Returns the cached or pending signature for these options, or requests one. Without a signer: `undefined`. */
  request(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** Returns how long the cached signature may still be used, in milliseconds. */
  ttlMs(): number;
  /** Discards the cached signature, and aborts a pending request. */
  discard(): void;
}

function createSignatureCache(): SignatureCache {
  let key: string | undefined;
  let signature: Promise<SignedCheckout> | undefined;
  let controller: AbortController | undefined;
  // A signature expires when the first of two clocks says so: performance.now() may stop while the machine sleeps, and
  // Date.now() may be set back.
  let expiresAtDate = 0;
  let expiresAtTime = 0;

  const cache = {
    request({
      widget,
      signer,
      signedParams: params = {},
      maxAgeSeconds = 60,
      api,
      headers,
    }: CheckoutOptions): Promise<SignedCheckout> | undefined {
      // The key does not include the signer, because pages often create a new function at each render.
      const next = JSON.stringify([widget, params, api, headers]);
      if (signature && signer && next === key && cache.ttlMs() > 0) return signature;
      cache.discard();
      if (!signer) return;
      controller = new AbortController();
      const { signal } = controller;
      const pending = (async () => signer({ widget, params }, { signal }))();
      key = next;
      signature = pending;
      expiresAtDate = expiresAtTime = Infinity;
      pending.then(
        (received) => {
          if (pending !== signature) return;
          const ms = Math.min(maxAgeSeconds, received?.expiresInSeconds ?? maxAgeSeconds) * 1000;
          expiresAtDate = Date.now() + ms;
          expiresAtTime = performance.now() + ms;
          // The request has ended, so discard() must no longer abort it.
          controller = undefined;
        },
        () => {
          // Only forget the signature here. The opening that awaits it reports the error.
          if (pending === signature) signature = undefined;
        },
      );
      return pending;
    },
    ttlMs: () => Math.min(expiresAtDate - Date.now(), expiresAtTime - performance.now()),
    discard() {
      controller?.abort();
      controller = signature = undefined;
    },
  };
  return cache;
}
