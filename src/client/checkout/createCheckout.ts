import type { CodeLoader } from '../createCodeLoader.js';
import { createListeners } from '../createListeners.js';
import { createLoadError } from '../createLoadError.js';
import type { Checkout } from './Checkout.js';
import type { CheckoutOptions } from './CheckoutSettings.js';
import {
  type CheckoutChange,
  type CheckoutPhase,
  changePhase,
  initialPhase,
} from './checkoutStates.js';
import { chooseDisplay } from './chooseDisplay.js';
import { emitCheckoutEvent } from './events.js';
import type { Opening } from './Opening.js';
import { getPendingPurchase, toPurchaseKey } from './purchases.js';
import { createSignatures } from './signatures.js';
import { openBlankWindow } from './views/blankWindow.js';

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

  /** Aborts a pending opening or removes the widget. A window that the shopper may be paying in stays open. */
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
      // The click may have removed the button before the widget was open, as a menu removes its items. Warn about that.
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
