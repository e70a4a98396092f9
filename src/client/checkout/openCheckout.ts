import type { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { toOpeningError } from '../backend/responses.js';
import type { Checkout } from './Checkout.js';
import type { CheckoutNotice } from './CheckoutNotice.js';
import { getCheckoutChoices } from './checkoutChoices.js';
import { type Continuation, continueCheckout } from './continueCheckout.js';
import { createNotice } from './createNotice.js';
import { emitCheckoutEvent } from './events.js';
import { getMessages } from './getMessages.js';
import type { Opening } from './Opening.js';
import { getPurchaseKey, type PendingPurchase, removePendingPurchase } from './purchases.js';
import { showWidget } from './showWidget.js';
import { awaitSignature } from './sign.js';
import { getSignatureMs } from './signatures.js';
import { prepareWindow, showText } from './views/window.js';

export { prefetchSignature } from './prefetchSignature.js';

/** How one kind of opening gets its signature, and what happens if it gets none. */
interface Signing {
  /**
   * Requests the signature. It resolves with `undefined` if the widget opens unsigned, with `paid` if there is already
   * an order, and with `ended` if the checkout cannot continue.
   */
  sign(opening: Opening, signal: AbortSignal): Promise<Continuation | undefined>;
  /** Returns the opening, completed with details that only the backend's reply contains. */
  complete?(opening: Opening, signed: SignedCheckout): Opening;
  /** Returns how long the signature may still be used, in milliseconds. */
  getTtlMs(opening: Opening, signed: SignedCheckout): number;
  /** Called when the shopper closed the blank window before the widget opened. */
  onWindowClosed(opening: Opening): void;
  /** Called if the checkout to continue is already paid or has ended. Never needed for a new checkout. */
  onEnded?(opening: Opening, result: 'paid' | 'ended'): void;
  onFailed(opening: Opening, error: RampError): void;
}

/** Opens the checkout of a click: a new one, or the one that this button continues. */
export function openCheckout(checkout: Checkout, opening: Opening): Promise<void> {
  const { continues } = checkout;
  const signing =
    continues === undefined ? createNew(checkout) : continueFromCard(checkout, continues);
  return runOpening(checkout, opening, signing);
}

/** Shows a pending purchase in place of the checkout that a click would have opened. */
export function showPurchase(
  checkout: Checkout,
  clicked: Opening,
  purchase: PendingPurchase,
): void {
  // The button was unmounted while this code was loading.
  if (checkout.isCurrent(clicked)) purchase.show(checkout, clicked);
}

/**
 * Reopens the widget of a closed checkout if the backend signs the checkout again. Otherwise, shows a notice with the
 * reason.
 */
export function reopenCheckout(
  checkout: Checkout,
  opening: Opening,
  reference: string,
): Promise<void> {
  return runOpening(checkout, opening, continueFromNotice(checkout, reference));
}

/**
 * Gets the signature and shows the widget: the part of every opening that may run asynchronously. If the opening is
 * aborted in between, because the button was unmounted or the page closed the checkout, it ends silently.
 */
async function runOpening(checkout: Checkout, clicked: Opening, signing: Signing): Promise<void> {
  const { trigger, blank, options } = clicked;
  let opening = clicked;
  const isCurrent = () => checkout.isCurrent(opening);
  if (!isCurrent()) return;
  // Focus the button, because Safari does not focus a button that is clicked. If the shopper clicked "Try again", that
  // button is about to be removed, and the focus would be lost.
  trigger?.focus({ preventScroll: true });
  const controller = new AbortController();
  const abort = () => controller.abort();
  const unmount = checkout.getUnmountSignal();
  unmount.addEventListener('abort', abort);
  const stopWatching = watchBlank(blank, () => {
    abort();
    if (isCurrent()) signing.onWindowClosed(opening);
  });
  try {
    prepareWindow(blank, getMessages(options), trigger);
    const signed = await signing.sign(opening, controller.signal);
    if (!isCurrent()) return;
    if (blank?.closed) return signing.onWindowClosed(opening);
    if (signed === 'paid' || signed === 'ended') {
      blank?.close();
      return signing.onEnded?.(opening, signed);
    }
    let ttlMs = Number.POSITIVE_INFINITY;
    if (signed) {
      ttlMs = signing.getTtlMs(opening, signed);
      const completed = signing.complete?.(opening, signed) ?? opening;
      checkout.change({ type: 'signed', opening, completed });
      opening = completed;
    }
    showWidget(checkout, opening, signed, ttlMs);
  } catch (cause) {
    if (!isCurrent()) return;
    blank?.close();
    signing.onFailed(opening, toOpeningError(cause));
  } finally {
    stopWatching();
    unmount.removeEventListener('abort', abort);
  }
}

/** Returns how a click opens a new checkout. */
const createNew = (checkout: Checkout): Signing => ({
  sign: (opening) => awaitSignature(checkout, opening),
  getTtlMs: ({ options }) => checkout.signatures.getTtlMs(options),
  // The signature was not used, so the next click can use it.
  onWindowClosed: (opening) => checkout.change({ type: 'ended', opening }),
  onFailed(opening, error) {
    // The next attempt must neither use this signature nor wait for it.
    checkout.signatures.discard();
    fail(checkout, opening, error);
    emitCheckoutEvent(opening, 'failed', undefined, error);
  },
});

/** Returns how a card continues a checkout that waits for its payment. */
const continueFromCard = (checkout: Checkout, reference: string): Signing => ({
  ...continueWith(checkout, reference),
  // The button knows only the reference. Add what the shopper chose when the checkout was opened, such as the coin, and
  // the purchase. The parameters that the backend signed take precedence.
  complete({ options, ...opening }, { selection }) {
    const { api = '', widget } = options;
    const unsignedParams = getCheckoutChoices(api, reference, widget, selection);
    const purchaseKey = getPurchaseKey(reference);
    return { ...opening, purchaseKey, options: { ...options, unsignedParams } };
  },
  onWindowClosed: (opening) => checkout.change({ type: 'ended', opening, reference }),
  onEnded(opening, reason) {
    removePendingPurchase(getPurchaseKey(reference));
    const notice = createNotice(checkout, opening, reference, { reason });
    checkout.change({ type: 'ended', opening, reference, notice });
  },
  onFailed(opening, error) {
    fail(checkout, opening, error, reference);
    emitCheckoutEvent(opening, 'failed', reference, error);
  },
});

/** Returns how the notice about a closed checkout continues it. The shopper may have paid, whatever the outcome. */
function continueFromNotice(checkout: Checkout, reference: string): Signing {
  const end = (opening: Opening, reason: CheckoutNotice['reason']) => {
    const notice = createNotice(checkout, opening, reference, { reason });
    checkout.change({ type: 'ended', opening, reference, notice });
  };
  return {
    ...continueWith(checkout, reference),
    onWindowClosed: (opening) => end(opening, 'closed'),
    onEnded(opening, reason) {
      // The notice reports how this checkout ended, and another click starts a new purchase.
      removePendingPurchase(opening.purchaseKey);
      end(opening, reason);
    },
    onFailed(opening, error) {
      end(opening, 'unknown');
      emitCheckoutEvent(opening, 'failed', reference, error);
    },
  };
}

/** Requests a new signature for a checkout that was opened before. */
const continueWith = (
  checkout: Checkout,
  reference: string,
): Pick<Signing, 'sign' | 'getTtlMs'> => ({
  sign({ blank, options }, signal) {
    const { api = '' } = options;
    const onWait = () => showText(blank, getMessages(options).checkingPayment);
    return continueCheckout(checkout.getBackend(api), reference, signal, onWait);
  },
  getTtlMs: ({ options }, signed) => getSignatureMs(options, signed),
});

function fail(checkout: Checkout, opening: Opening, error: RampError, reference?: string): void {
  const { display, trigger } = opening;
  const retry = () => checkout.open({ display, trigger });
  checkout.change({ type: 'failed', opening, error, retry, reference });
}

const BLANK_MS = 250;

/** Calls `onClosed` when the shopper closes the blank window. Returns a function that stops watching. */
function watchBlank(blank: Window | null | undefined, onClosed: () => void): () => void {
  if (!blank) return () => {};
  const timer = setInterval(() => {
    if (blank.closed) onClosed();
  }, BLANK_MS);
  return () => clearInterval(timer);
}
