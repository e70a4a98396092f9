// This function has its own module, because both watchCheckout.ts and StatusList.tsx need it, and they load separately.
// If one of them contained it, a bundler would merge their chunks.
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** Returns whether the checkout has reached its last state: `settled`, or `finished` for an on-ramp checkout. */
export const isTerminal = (checkout: CheckoutResponse | undefined): boolean =>
  checkout?.progress === 'settled' ||
  (checkout?.progress === 'finished' && checkout.widget === 'on-ramp');
