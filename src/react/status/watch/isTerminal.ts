import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';

/** Returns whether the checkout has reached its last state for the shopper. */
export const isTerminal = (answer: CheckoutResponse | undefined): boolean =>
  answer?.progress === 'settled' ||
  (answer?.progress === 'finished' && answer.widget === 'on-ramp');
