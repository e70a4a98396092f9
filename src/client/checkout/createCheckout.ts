import type { BackendSettings } from '../backend/fetchBackend.js';
import type { CodeLoader } from '../createCodeLoader.js';
import { createListeners } from '../createListeners.js';
import { createLoadError } from '../createLoadError.js';
import type { CheckoutOptions } from './CheckoutSettings.js';
import {
  type CheckoutChange,
  type CheckoutPhase,
  type CheckoutState,
  changePhase,
  initialPhase,
} from './checkoutStates.js';
import { chooseDisplay } from './chooseDisplay.js';
import { type CheckoutDisplay, emitCheckoutEvent } from './events.js';
import type { EarlierCheckout, Opening } from './Opening.js';
import { getPendingPurchase, toPurchaseKey } from './purchases.js';
import { createSignatures, type Signatures } from './signatures.js';
import { openBlankWindow } from './views/blankWindow.js';

/** How a click opens the widget. */
export interface OpenRequest {
  /** @default the option `display` */
  readonly display?: CheckoutDisplay | 'auto' | undefined;
  /** The element that gets the focus when the widget closes. @default that of the last call */
  readonly trigger?: HTMLElement | undefined;
}

/**
 * The checkout of one button, independent of React, and the owner of its state. This module has only the code that must
 * be there at the click. The rest is in `openCheckout.ts`, which loads when the browser is idle after the mount, or
 * earlier if the shopper hovers over the button, focuses it or clicks it.
 */
export interface Checkout {
  /** The options of the latest render. */
  options: CheckoutOptions;
  /** The element that an inline widget is placed in, while it is mounted. */
  container: HTMLElement | null;
  /** The reference of a checkout that was opened before, and that each click continues. */
  readonly continues: string | undefined;
  readonly signatures: Signatures;
  subscribe(listener: () => void): () => void;
  getSnapshot(): CheckoutState;
  /** Opens the widget, or focuses it if it is open. Call it during the click, so that the browser allows a window. */
  open(request?: OpenRequest, earlier?: EarlierCheckout): void;
  /** Opens the widget of a closed checkout again, if it is not paid. Call it during the click. */
  reopen(closed: Opening, reference: string): void;
  /** Closes the widget, aborts a pending opening, or removes the link that replaces a blocked window. */
  close(): void;
  /** Loads the rest of the code, and fetches a signature once the pointer has rested on the button. */
  prefetch(event?: Pick<Event, 'type' | 'currentTarget'>): void;
  /**
   * Aborts a pending opening, and removes the widget when the button unmounts. A window stays open. The checkout stays
   * usable, because React mounts it again in StrictMode.
   */
  dispose(): void;
  /** Tells what has happened. See the table in `checkoutStates.ts`. */
  change(change: CheckoutChange): void;
  /** Returns whether an opening is the one that is pending or shown. */
  isCurrent(opening: Opening): boolean;
  /** Returns the backend with the settings of the latest render, because the page may have renewed a token. */
  getBackend(api: string): BackendSettings;
  /** Returns the signal that aborts when the button unmounts. After another mount, there is a new one. */
  getUnmountSignal(): AbortSignal;
}

/** The code that a click loads. */
type LazyCheckout = typeof import('./openCheckout.js');

/** @param continues - The reference of the checkout to continue. Without it, each click opens a new checkout. */
export function createCheckout(
  options: CheckoutOptions,
  code: CodeLoader<LazyCheckout>,
  continues?: string,
): Checkout {
  let phase: CheckoutPhase = initialPhase;
  let unmount = new AbortController();
  let lastTrigger: HTMLElement | undefined;
  const { subscribe, notify } = createListeners();
  const signatures = createSignatures();

  function change(given: CheckoutChange): void {
    const before = phase;
    phase = changePhase(before, given);
    if (phase.state !== before.state) notify();
  }

  /** Ends what is pending or shown. A window that the shopper may be paying in stays open. */
  function leave(): void {
    const { opening, widget } = phase;
    signatures.discard();
    change({ type: 'left' });
    if (widget) widget.detach();
    else opening?.blank?.close();
  }

  function begin(
    opening: Opening,
    reference: string | undefined,
    run: (lazy: LazyCheckout) => void,
  ): void {
    change({ type: 'clicked', opening, reference });
    code.load().then(run, (cause) => {
      if (!checkout.isCurrent(opening)) return;
      opening.blank?.close();
      const error = createLoadError(cause);
      change({ type: 'failed', opening, error });
      emitCheckoutEvent(opening, 'failed', reference, error);
    });
  }

  const checkout: Checkout = {
    options,
    container: null,
    continues,
    signatures,
    subscribe,
    getSnapshot: () => phase.state,
    open({ display: wanted, trigger = lastTrigger } = {}, earlier) {
      if (phase.state.status === 'signing') return;
      if (phase.widget?.isOpen()) return phase.widget.focus();
      phase.widget?.end();
      const { options } = checkout;
      const display = chooseDisplay(wanted ?? options.display, options.autoDisplays);
      const purchaseKey = continues === undefined ? toPurchaseKey(options) : undefined;
      const purchase = getPendingPurchase(purchaseKey);
      // Open the window before any await. After an await, the browser would block the window, because the call would no
      // longer belong to the click.
      const blank = display === 'window' && !purchase ? openBlankWindow() : undefined;
      const opening: Opening = { display, trigger, options, blank, purchaseKey, earlier };
      lastTrigger = trigger;
      if (!purchase && continues === undefined) signatures.request(options);
      begin(opening, continues, (lazy) => {
        if (purchase) lazy.showPurchase(checkout, opening, purchase);
        else lazy.openCheckout(checkout, opening);
      });
    },
    reopen(closed, reference) {
      const blank = closed.display === 'window' ? openBlankWindow() : undefined;
      const opening: Opening = { ...closed, blank, earlier: { reference, mayBePaid: true } };
      begin(opening, reference, (lazy) => lazy.reopenCheckout(checkout, opening, reference));
    },
    close() {
      if (phase.widget) phase.widget.end();
      else leave();
    },
    prefetch(event) {
      // Read the target now, because React resets it once the event's handlers have run.
      const target = event?.currentTarget;
      code.preload().then((lazy) => {
        if (continues === undefined) lazy?.prefetchSignature(checkout, target, event);
      });
    },
    dispose() {
      const { opening, widget } = phase;
      // A menu removes its items at the click, before the widget is open.
      if (
        process.env.NODE_ENV !== 'production' &&
        opening &&
        !widget &&
        opening.trigger?.isConnected === false
      )
        import('../dev/warnInDev.js').then(({ warnRemovedButton }) => warnRemovedButton());
      leave();
      unmount.abort();
    },
    change,
    isCurrent: (opening) => phase.opening === opening,
    getBackend(api) {
      const { credentials, headers, fetch } = checkout.options;
      return { api, credentials, headers, fetch };
    },
    getUnmountSignal() {
      if (unmount.signal.aborted) unmount = new AbortController();
      return unmount.signal;
    },
  };
  return checkout;
}
