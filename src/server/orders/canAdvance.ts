import type { CheckoutOutcome } from './store/CheckoutStore.js';

const RANK: Readonly<Record<CheckoutOutcome, number>> = { unconfirmed: 1, expired: 2 };

/** Returns whether an outcome advances a checkout. Outcomes only advance, and never apply once an order has matched. */
export const canAdvance = (
  checkout: { readonly outcome: CheckoutOutcome | null | undefined; readonly isMatched: boolean },
  next: CheckoutOutcome,
): boolean => !checkout.isMatched && (!checkout.outcome || RANK[checkout.outcome] < RANK[next]);
