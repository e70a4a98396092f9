import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { awaitSignature } from './awaitSignature.js';
import { CheckoutNote } from './CheckoutNote.js';
import type { CheckoutSession } from './CheckoutSession.js';
import { emitCheckoutEvent } from './emitCheckoutEvent.js';
import type { Opening } from './Opening.js';
import { showView } from './showView.js';
import { toRampError } from './toRampError.js';
import { prepareWindow } from './views/prepareWindow.js';

export { preconnect } from './preconnect.js';

/** Waits for the signature and shows the widget: the part of a click that may take its time. */
export async function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  const { signatures } = session;
  const { options, blank } = opening;
  const messages = { ...checkoutEnglish, ...options.messages };
  const isCurrent = () => session.opening === opening;
  try {
    prepareWindow(blank, messages);
    const signed = await awaitSignature(opening, signatures.request(options));
    if (!isCurrent()) return;
    if (!blank?.closed) return showView(session, opening, messages, signed, signatures.ttlMs());
    // The shopper did not wait. The signature has opened nothing, and serves the next click.
    session.opening = undefined;
    session.setState({ status: 'idle' });
  } catch (cause) {
    if (!isCurrent()) return;
    // A failed signature is not kept for the next attempt, nor waited for any longer.
    signatures.discard();
    blank?.close();
    const failed = 'The checkout failed to open; see the cause.';
    const error = toRampError(cause, 'ERR_WIDGET_LOAD', failed);
    session.setState({ status: 'error', error, Note: CheckoutNote });
    emitCheckoutEvent(opening, 'failed', undefined, error);
  }
}
