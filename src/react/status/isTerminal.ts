// Apart from the watch, because the list of checkouts is another chunk: a bundler would join the two.
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** Returns whether the checkout has reached its last state for the shopper. */
export const isTerminal = (checkout: CheckoutResponse | undefined): boolean =>
  checkout?.progress === 'settled' ||
  (checkout?.progress === 'finished' && checkout.widget === 'on-ramp');
