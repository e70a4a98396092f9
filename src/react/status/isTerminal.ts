// Not in watchCheckout.ts, because the list of checkouts needs this function too, and a bundler would merge both
// chunks.
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** Returns whether the checkout has reached its last state: `settled`, or `finished` for an on-ramp checkout. */
export const isTerminal = (checkout: CheckoutResponse | undefined): boolean =>
  checkout?.progress === 'settled' ||
  (checkout?.progress === 'finished' && checkout.widget === 'on-ramp');
