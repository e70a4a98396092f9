// Apart from the watch, which is another chunk: a bundler would join the two.
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';

/** Returns whether the order list has a payment of the checkout. */
export const isPaid = ({ progress }: CheckoutResponse): boolean =>
  /^(finished|settle)/.test(progress);

/** Returns whether the backend knows an order of the checkout, in any state. */
export const hasOrder = ({ progress }: CheckoutResponse): boolean =>
  progress !== 'waiting' && progress !== 'expired';
