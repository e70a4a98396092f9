import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { toOpeningError } from '../backend/responses.js';
import { emitCheckoutEvent } from './events.js';
import { type CheckoutSession, createErrorState, type Opening } from './session.js';
import { awaitSignature, getTtlMs } from './signature.js';
import { showView } from './view.js';
import { prepareWindow } from './views/window.js';

/** Waits for the signature and shows the widget. This is the part of a click that may run asynchronously. */
export async function startCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  const { signatures } = session;
  const { options, blank } = opening;
  const messages = { ...checkoutEnglish, ...options.messages };
  const isCurrent = () => session.opening === opening;
  // The button was unmounted, or the page has closed the checkout, while this code was loading.
  if (!isCurrent()) return;
  // Focus the button, because Safari does not focus a button that is clicked. If the shopper clicked "Try again", that
  // button is removed now, and the focus would be lost.
  opening.trigger?.focus({ preventScroll: true });
  try {
    prepareWindow(blank, messages, opening.trigger);
    const signed = await awaitSignature(session, opening);
    if (!isCurrent()) return;
    if (!blank?.closed)
      return showView(session, opening, messages, signed, getTtlMs(session, options));
    // The shopper closed the window before the widget opened. The signature is unused, so the next click can use it.
    session.opening = undefined;
    session.setState({ status: 'idle' });
  } catch (cause) {
    if (!isCurrent()) return;
    // Discard the signature, so that the next attempt neither uses it nor waits for it.
    signatures.discard();
    session.opening = undefined;
    blank?.close();
    const error = toOpeningError(cause);
    session.setState(createErrorState(session, opening, error));
    emitCheckoutEvent(opening, 'failed', undefined, error);
  }
}
