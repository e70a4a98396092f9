import type { Order } from '../../../protocol/api/resources.js';

/**
 * How an order differs from its intent. `second-order` means that another order has already bought the NFT of the
 * intent.
 */
export type QuarantineReason = 'widget' | 'wallet' | 'amount' | 'currency' | 'nft' | 'second-order';

/**
 * Whether an order belongs to a checkout of this backend, and has its terms.
 *
 * - `matched`: the order belongs to an intent and has its terms. Deliver it.
 * - `unknown`: the order belongs to an intent and has its terms, but the service reports a state that this package does
 *   not know, so it may not be paid. When its next state is recorded, it is matched again.
 * - `quarantined`: the order belongs to an intent and differs from its terms. Review it, and never deliver it. It stays
 *   quarantined in its later states, because you may have paid the shopper back.
 * - `unmatched`: the order does not belong to an intent.
 */
export type OrderMatch =
  | {
      readonly matchStatus: 'matched';
      readonly reference: string;
      /** Whether another order matched the checkout before, so the shopper may have paid twice by mistake. */
      readonly isLaterOrder?: true | undefined;
    }
  | { readonly matchStatus: 'unknown'; readonly reference: string }
  | {
      readonly matchStatus: 'quarantined';
      readonly reference: string;
      readonly reason: QuarantineReason;
      /** The field that differs, such as `walletAddress`. Its values are in the order and the intent. */
      readonly field?: string | undefined;
    }
  | { readonly matchStatus: 'unmatched' };

/** The possible values of `matchStatus`, which {@link OrderMatch} explains. */
export type MatchStatus = OrderMatch['matchStatus'];

/** The most advanced state of an order that was read from the order list, and the match of the order. */
export type OrderRecord = OrderMatch & {
  readonly order: Order;
  /** When the order was first recorded, Unix seconds. */
  readonly firstSeenAt: number;
  /** When the recorded state last advanced, Unix seconds. */
  readonly changedAt: number;
};

/** Returns the reference of the checkout that an order belongs to, or undefined if the order is unmatched. */
export const getReference = (record: OrderRecord): string | undefined =>
  record.matchStatus === 'unmatched' ? undefined : record.reference;

/**
 * Returns a stored record, and corrects its match status from `matched` to `unknown` if the order is in an unknown
 * state. An earlier version stored such orders as matched, and its instances may still run beside this one.
 */
export function correctMatchStatus(record: OrderRecord): OrderRecord {
  if (record.matchStatus !== 'matched' || record.order.state !== 'unknown') return record;
  const { isLaterOrder: _, ...others } = record;
  return { ...others, matchStatus: 'unknown' };
}

/** Returns the key of a change of an order. It is the same on every instance and at each delivery. */
export const toChangeKey = ({ order: { orderId, state } }: OrderRecord): string =>
  `${orderId}:${state}`;

/**
 * Returns when an unsettled NFT order finished, Unix seconds; if the service reports no finish time, when it was
 * delivered or paid. Returns undefined for other orders.
 */
export const getUnsettledSince = ({ kind, state, ...order }: Order): number | undefined => {
  const { finishTime, deliverTime, payTime } = order;
  if (kind !== 'nft' || state === 'settled') return undefined;
  return finishTime || deliverTime || payTime || undefined;
};
