import type { CheckoutMark } from '../OrderStore.js';

const RANK: Readonly<Record<CheckoutMark, number>> = { unconfirmed: 1, expired: 2 };

/** Whether a mark moves a checkout forward: it never goes back, and tells nothing of one with an order. */
export const moves = (
  checkout: { readonly mark: CheckoutMark | null | undefined; readonly isMatched: boolean },
  next: CheckoutMark,
): boolean => !checkout.isMatched && (!checkout.mark || RANK[checkout.mark] < RANK[next]);
