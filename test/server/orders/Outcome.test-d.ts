// `tsc` checks this file, and nothing runs it. Each `@ts-expect-error` marks code that the types must refuse: `tsc`
// fails if such a line has no type error.
import type {
  Checkout,
  DeliverAt,
  MatchStatus,
  OrderHistory,
  OrderToDeliver,
  OrderToReview,
  PendingChange,
  ReviewReason,
} from '../../../src/server/index.js';
import { findOutcome, type Outcome } from '../../../src/server/orders/outcomes.js';

type Same<A, B> = [A, B] extends [B, A] ? true : false;

declare const change: PendingChange;
declare const history: OrderHistory;
declare const deliverAt: DeliverAt;

/** A change has every match status except `erased`, which is recorded without a change. */
export const hasEveryStatus: Same<
  PendingChange['matchStatus'],
  Exclude<MatchStatus, 'erased'>
> = true;
/** Only a change without a checkout has no checkout. */
export const hasCheckouts: Same<
  Exclude<PendingChange, { readonly matchStatus: 'unmatched' }>['checkout'],
  Checkout
> = true;

const outcome = findOutcome(change, history, deliverAt);
export const isOutcome: Same<typeof outcome, Outcome> = true;
export const hasEveryAction: Same<Outcome['action'], 'deliver' | 'review' | 'none'> = true;

/** `switch` needs no default: there is no fourth outcome. */
export function describeOutcome(one: Outcome): string {
  switch (one.action) {
    case 'deliver':
      return one.order.checkout.reference;
    case 'review':
      return `${one.reason} ${one.order.checkout?.reference}`;
    case 'none':
      return one.why;
  }
}

const reasons = {
  widget: true,
  wallet: true,
  amount: true,
  currency: true,
  nft: true,
  'second-order': true,
  'no-checkout': true,
  'unknown-status': true,
  'status-after-end': true,
};
export const hasEveryReason: Same<keyof typeof reasons, ReviewReason> = true;

export function refused(one: Outcome, order: OrderToDeliver, reviewed: OrderToReview): unknown[] {
  return [
    // @ts-expect-error only a review has a reason.
    one.reason,
    // @ts-expect-error an order to review may belong to no checkout.
    reviewed.checkout.reference,
    // @ts-expect-error an order to deliver differs in no field.
    order.field,
    // @ts-expect-error an order has no other states.
    findOutcome(change, history, 'paid'),
    // @ts-expect-error there is no such reason.
    findOutcome(change, { reviewedFor: ['other'] }, deliverAt),
  ];
}
