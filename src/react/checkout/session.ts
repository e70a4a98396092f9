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
  /** `paid`: the backend has an order. `closed`: the widget was open long enough for a payment. */
  readonly reason: 'paid' | 'closed';
  /** The closed checkout, and the checkout that was open before it in the page. */
  readonly references: readonly string[];
  /** After a checkout in a second window: whether that window may still be open. */
  readonly secondWindow: 'open' | 'closed' | undefined;
}

/** The state of a checkout, as the page sees it. */
export interface CheckoutState {
  /** `signing` while a signature is requested, `open` while the widget is shown. */
  readonly status: 'idle' | 'signing' | 'open' | 'blocked' | 'error';
  /** The error, with `error` and `blocked`. */
  readonly error?: RampError | undefined;
  /** With `blocked`: the URL for a visible link, valid for one opening. */
  readonly url?: string | undefined;
  /** With `blocked`: call it once the link has been used. */
  readonly onLinkClick?: (() => void) | undefined;
  /** The backend's reference of the last opened checkout. */
  readonly reference?: string | undefined;
  /** After a checkout that may have been paid, and while the window of a paid checkout is open. */
  readonly notice?: CheckoutNotice | undefined;
  /** Shows the error or the notice with its action, such as a retry. Set once its code has loaded. */
  readonly Note?: ComponentType<CheckoutNoteProps> | undefined;
}

/** One click that opens the widget. */
export interface Opening extends Pick<ViewRequest, 'trigger' | 'container'> {
  /** The window that was opened inside the click; null or undefined when the browser blocked it. */
  readonly blank: Window | null | undefined;
  readonly display: CheckoutDisplay;
  /** The options at the time of the click. */
  readonly options: CheckoutOptions;
  /**
   * The checkout that was open in the page before this new window: the same one if it continues there. It may have
   * been paid, and its order may appear while this window is open.
   */
  earlier?: { readonly reference: string; readonly mayBePaid: boolean } | undefined;
}

/** The shown widget, or the link to a blocked one. */
interface CheckoutView {
  isOpen(): boolean;
  focus(): void;
  /** Removes the view and emits `closed`. */
  end(): void;
  /** Called on unmount. Removes a dialog; a window stays open, because the shopper may be paying in it. */
  detach(): void;
}

/**
 * The checkouts of one button, independent of React. It holds only the code that a click cannot wait for; the rest
 * is in `openCheckout.ts`, loaded on intent.
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
  /** Aborts the watches that notify the page of status changes. */
  watches?: AbortController | undefined;
  setState(state: CheckoutState): void;
  /** The pending prefetch of a signature. It is cancelled when this changes. */
  intent?: object | undefined;
  /** Loads the rest of the code, and fetches a signature if the pointer rests. Fails silently. */
  prefetch(event?: Pick<Event, 'type' | 'currentTarget'>): void;
  open(display?: CheckoutDisplay, trigger?: HTMLElement): Promise<void> | undefined;
  /** Aborts a pending opening and detaches the view. StrictMode uses the session again afterwards. */
  dispose(): void;
}

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

/** The signature of one button: at most one, cached or pending. */
interface SignatureCache {
  /** Returns the signature for these options: cached, pending or new. `undefined` without a signer. */
  request(options: CheckoutOptions): Promise<SignedCheckout> | undefined;
  /** Returns how long the cached signature may still be used, in milliseconds. */
  ttlMs(): number;
  /** Discards the cached signature, and aborts a pending request. */
  discard(): void;
}

/** Creates the cache of one button. Each signature serves one opening. */
function createSignatureCache(): SignatureCache {
  let key: string | undefined;
  let signature: Promise<SignedCheckout> | undefined;
  let controller: AbortController | undefined;
  // Two clocks: the monotonic one may stop while the machine sleeps, the other may be set back.
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
      // The identity of the signer is ignored: pages often create a new function at each render.
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
          // The request has ended: discard() must not abort it.
          controller = undefined;
        },
        () => {
          // Reported by the opening that awaits it.
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
