import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';

/** Whether nothing more is to come that a shopper waits for. */
export const isTerminal = (answer: CheckoutResponse | undefined): boolean =>
  answer?.progress === 'settled' ||
  (answer?.progress === 'finished' && answer.widget === 'on-ramp');
