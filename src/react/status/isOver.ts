import type { CheckoutAnswer } from '../../protocol/handler-answers.js';

/** Whether nothing more is to come that a shopper waits for. */
export const isOver = (answer: CheckoutAnswer | undefined): boolean =>
  answer?.progress === 'settled' ||
  (answer?.progress === 'finished' && answer.widget === 'on-ramp');
