import type { CheckoutSession, Opening } from '../react/checkout/session.js';
import { startCheckout } from '../react/checkout/startCheckout.js';
import { showNote } from './showNote.js';

export { prefetchSignature } from '../react/checkout/signature.js';

/** Opens the checkout of an element, which shows errors and notices as plain DOM. */
export function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  session.Note = showNote;
  return startCheckout(session, opening);
}
