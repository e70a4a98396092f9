import type { Order } from '../../../protocol/api/resources.js';

/** The difference of an order from its intent. `second-order`: another order already bought the NFT of the intent. */
export type QuarantineReason = 'widget' | 'wallet' | 'amount' | 'currency' | 'nft' | 'second-order';

/**
 * The match of an order with the checkouts of this backend.
 *
 * - `matched`: it belongs to an intent and has its terms. Deliver it.
 * - `unknown`: the same, but the service reports a state that this package does not know, so it may not be paid.
 *   Its next state is matched anew.
 * - `quarantined`: it belongs to an intent and differs from its terms. Review it, and never deliver it. It stays
 *   quarantined in its later states, because you may have paid the shopper back.
 * - `unmatched`: it does not belong to an intent.
 */
export type OrderMatch =
  | {
      readonly matchStatus: 'matched';
      readonly reference: string;
      /** Whether another order matched the checkout before: the shopper may have paid twice by mistake. */
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

/** The status of an {@link OrderMatch}. */
export type MatchStatus = OrderMatch['matchStatus'];

/** The last state of an order that was read from the order list. The state only advances. */
export type OrderRecord = OrderMatch & {
  readonly order: Order;
  /** When it was recorded first, Unix seconds. */
  readonly firstSeenAt: number;
  /** When its state last advanced, Unix seconds. */
  readonly changedAt: number;
};

/** Returns the reference of the checkout of an order, unless it is unmatched. */
export const getReference = (record: OrderRecord): string | undefined =>
  record.matchStatus === 'unmatched' ? undefined : record.reference;

/**
 * Returns a stored record, with the status `unknown` if release 0.1 stored it: that release called an order of an
 * unknown state matched, and its instances may still run beside this one.
 */
export function correctMatchStatus(record: OrderRecord): OrderRecord {
  if (record.matchStatus !== 'matched' || record.order.state !== 'unknown') return record;
  const { isLaterOrder: _, ...others } = record;
  return { ...others, matchStatus: 'unknown' };
}

/** Returns the key of a change of an order. It is the same on every instance and at each delivery. */
export const toChangeKey = ({ order: { orderId, state } }: OrderRecord): string =>
  `${orderId}:${state}`;

/** Returns when an NFT order without a settlement finished: the most exact time that the service reports. */
export const getUnsettledSince = ({ kind, state, ...order }: Order): number | undefined => {
  const { finishTime, deliverTime, payTime } = order;
  if (kind !== 'nft' || state === 'settled') return undefined;
  return finishTime || deliverTime || payTime || undefined;
};
