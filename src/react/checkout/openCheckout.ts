import { CheckoutNote } from './CheckoutNote.js';
import type { CheckoutSession, Opening } from './session.js';
import { startCheckout } from './startCheckout.js';

export { prefetchSignature } from './signature.js';

/** Opens the checkout of a component, which shows errors and notices with React. */
export function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  session.Note = CheckoutNote;
  return startCheckout(session, opening);
}
