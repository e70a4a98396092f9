import type { CheckoutOutcome } from './OrderStore.js';

const RANK: Readonly<Record<CheckoutOutcome, number>> = { unconfirmed: 1, expired: 2 };

/** Whether a outcome moves a checkout forward: it never goes back, and tells nothing of one with an order. */
export const canAdvance = (
  checkout: { readonly outcome: CheckoutOutcome | null | undefined; readonly isMatched: boolean },
  next: CheckoutOutcome,
): boolean => !checkout.isMatched && (!checkout.outcome || RANK[checkout.outcome] < RANK[next]);
