import type { Order } from '../../../protocol/api/resources.js';

/** Why an order differs from its intent. `second-order`: the NFT of this intent was bought before. */
export type QuarantineReason = 'widget' | 'wallet' | 'amount' | 'currency' | 'nft' | 'second-order';

/**
 * How an order matches the checkouts of this backend. `matched`: it belongs to an intent and has its terms.
 * `quarantined`: it belongs to an intent and differs from its terms, so it must be reviewed and never
 * delivered. `unmatched`: it belongs to no intent.
 */
export type OrderMatch =
  | { readonly matchStatus: 'matched'; readonly reference: string }
  | {
      readonly matchStatus: 'quarantined';
      readonly reference: string;
      readonly reason: QuarantineReason;
      /** The field that differs, such as `walletAddress`. Its values are in the order and the intent. */
      readonly field?: string | undefined;
    }
  | { readonly matchStatus: 'unmatched' };

/** How an order matches the checkouts of this backend. */
export type MatchStatus = OrderMatch['matchStatus'];

/** An order as it was last read from the order list. Its state only advances. */
export type OrderRecord = OrderMatch & {
  readonly order: Order;
  /** Unix seconds. */
  readonly firstSeenAt: number;
  readonly changedAt: number;
};

/** Returns the reference of the checkout that an order was matched with, also of a quarantined order. */
export const getReference = (record: OrderRecord): string | undefined =>
  record.matchStatus === 'unmatched' ? undefined : record.reference;

/** Returns the key of a change of an order: the same on every instance and at each delivery. */
export const toChangeKey = ({ order: { orderId, state } }: OrderRecord): string =>
  `${orderId}:${state}`;

/** Returns when an order finished whose NFT is not settled, as exactly as the service reports it. */
export const getUnsettledSince = ({ kind, state, ...order }: Order): number | undefined => {
  const { finishTime, deliverTime, payTime } = order;
  if (kind !== 'nft' || state === 'settled') return undefined;
  return finishTime || deliverTime || payTime || undefined;
};
