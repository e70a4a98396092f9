import type { Order } from '../../protocol/api/resources.js';
import type { QuarantineReason } from './store/OrderRecord.js';
import type { Checkout, PendingChange } from './store/OrderStore.js';

/**
 * Why a person must look at an order. In each case, the order may have been paid.
 *
 * - `widget`, `wallet`, `amount`, `currency`, `nft`: the order differs from what the policy granted; `field` names what
 *   differs.
 * - `second-order`: another order of the same checkout came first, so the shopper may have paid twice.
 * - `no-checkout`: the order names no checkout of this store. It may belong to another system with your partner ID, or
 *   to a checkout that is missing from a restored backup.
 * - `unknown-status`: the service reports a status that this package does not know.
 * - `status-after-end`: the same, after the order was delivered or resolved. It may mean that the payment was reversed.
 */
export type ReviewReason = QuarantineReason | 'no-checkout' | 'unknown-status' | 'status-after-end';

/** The deliveries and reviews of an order so far. */
export interface OrderHistory {
  /** When `deliver` succeeded, Unix seconds. */
  readonly deliveredAt?: number | undefined;
  /** The reasons for which `review` has succeeded, each once. */
  readonly reviewedFor?: readonly ReviewReason[] | undefined;
}

/** The state from which an NFT order is delivered. */
export type DeliverAt = 'finished' | 'settlement' | 'settled';

/** An order from the service, with the checkout that it paid for. */
export type OrderToDeliver = Order & {
  /** The terms that your policy granted, with the shopper's id as `subject`, and your `metadata`. */
  readonly checkout: Checkout;
  /** The same in each call for this order. Use it as the idempotency key for what you do outside the transaction. */
  readonly key: string;
};

/** An order that a person must look at. */
export type OrderToReview = Order & {
  /** Absent if the order belongs to no checkout. */
  readonly checkout?: Checkout | undefined;
  /** The name of the field that differs from the grant, such as `walletAddress`. */
  readonly field?: string | undefined;
  /** The same in each call for this reason. Use it as the idempotency key for what you do outside the transaction. */
  readonly key: string;
};

/** What to do about an order change. */
export type Outcome =
  | { readonly action: 'deliver'; readonly order: OrderToDeliver }
  | { readonly action: 'review'; readonly order: OrderToReview; readonly reason: ReviewReason }
  /**
   * Nothing: the order has not reached `deliverAt` yet, or was already delivered, reviewed for this reason, or
   * resolved.
   */
  | { readonly action: 'none'; readonly why: 'early' | 'delivered' | 'reviewed' | 'resolved' };

/** The sequence of an NFT order's states. */
const RANK = { finished: 1, settlement: 2, settled: 3 } as const;

/**
 * Decides what happens to a change of an order. The first order that matches a checkout is delivered once, and
 * everything else that may have been paid is reviewed, once for each reason.
 */
export function findOutcome(
  change: PendingChange,
  history: OrderHistory,
  deliverAt: DeliverAt,
): Outcome {
  const { record } = change;
  const { order, resolution } = record;
  // An unknown status may mean anything, so the order is reviewed whatever happened before.
  if (order.state === 'unknown')
    return toReview(
      change,
      resolution || history.deliveredAt !== undefined ? 'status-after-end' : findReason(change),
    );
  if (resolution) return { action: 'none', why: 'resolved' };
  if (change.matchStatus === 'matched' && !change.record.isLaterOrder) {
    if (history.deliveredAt !== undefined) return { action: 'none', why: 'delivered' };
    // A crypto order has no state after `finished`.
    if (order.kind === 'nft' && RANK[order.state] < RANK[deliverAt])
      return { action: 'none', why: 'early' };
    const key = `${order.orderId}:deliver`;
    return { action: 'deliver', order: { ...order, checkout: change.checkout, key } };
  }
  const reason = findReason(change);
  return history.reviewedFor?.includes(reason)
    ? { action: 'none', why: 'reviewed' }
    : toReview(change, reason);
}

/** Returns why an undelivered change is reviewed. */
function findReason(change: PendingChange): ReviewReason {
  switch (change.matchStatus) {
    case 'matched':
      return change.record.isLaterOrder ? 'second-order' : 'unknown-status';
    case 'quarantined':
      return change.record.reason;
    case 'unmatched':
      return 'no-checkout';
    case 'unknown':
      return 'unknown-status';
  }
}

function toReview(change: PendingChange, reason: ReviewReason): Outcome {
  const { record, checkout } = change;
  const { order } = record;
  const field = record.matchStatus === 'quarantined' ? record.field : undefined;
  const status = order.state === 'unknown' ? `:${order.orderStatus}` : '';
  return {
    action: 'review',
    reason,
    order: {
      ...order,
      ...(checkout && { checkout: checkout }),
      ...(field !== undefined && { field }),
      key: `${order.orderId}:${reason}${status}`,
    },
  };
}
