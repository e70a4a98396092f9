import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';

/** Returns whether the checkout has reached its last state for the shopper. */
export const isTerminal = (answer: CheckoutResponse | undefined): boolean =>
  answer?.progress === 'settled' ||
  (answer?.progress === 'finished' && answer.widget === 'on-ramp');

/** Returns whether the order list has a payment of the checkout. */
export const isPaid = (checkout: CheckoutResponse | undefined): boolean =>
  /^(finished|settle)/.test(checkout?.progress ?? '');

/** Returns whether the backend knows an order of the checkout, in any state. */
export const hasOrder = ({ progress }: CheckoutResponse): boolean =>
  progress !== 'waiting' && progress !== 'expired';

/** Returns whether a payment would be missing if `next` replaced `known`: a slow proxy or a replica returned it. */
export const losesPayment = (known: CheckoutResponse | undefined, next: CheckoutResponse) =>
  isPaid(known) && /^(waiting|unconfirmed|expired)$/.test(next.progress);
