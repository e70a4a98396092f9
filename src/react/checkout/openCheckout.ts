import type { PendingPurchase } from '../../client/checkout/purchases.js';
import type { CheckoutSession, Opening } from '../../client/checkout/session.js';
import { startCheckout } from '../../client/checkout/startCheckout.js';
import { CheckoutNote } from './CheckoutNote.js';

export { prefetchSignature } from '../../client/checkout/signature.js';

/** Opens the checkout of a component, which shows errors and notices with React. */
export function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  session.Note = CheckoutNote;
  return startCheckout(session, opening);
}

/** Shows a pending purchase in place of the checkout that a click would have opened. */
export function showPurchase(
  session: CheckoutSession,
  clicked: Opening,
  purchase: PendingPurchase,
): void {
  // The button was unmounted while this code was loading.
  if (session.opening !== clicked) return;
  session.Note = CheckoutNote;
  session.opening = undefined;
  purchase.show(session, clicked);
}
