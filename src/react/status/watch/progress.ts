import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';

/** Returns whether the checkout has reached its last state for the shopper. */
export const isTerminal = (answer: CheckoutResponse | undefined): boolean =>
  answer?.progress === 'settled' ||
  (answer?.progress === 'finished' && answer.widget === 'on-ramp');

/** Returns whether a payment would be missing if `next` replaced `known`: a slow proxy or a replica returned it. */
export const losesPayment = (known: CheckoutResponse | undefined, next: CheckoutResponse) =>
  /^(finished|settle)/.test(known?.progress ?? '') &&
  /^(waiting|unconfirmed|expired)$/.test(next.progress);
