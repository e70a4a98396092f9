import type { Order } from '../../protocol/api/resources.js';

/** Why an order is not what its intent bound. `second-order`: the NFT of this intent was bought before. */
export type QuarantineReason = 'widget' | 'wallet' | 'amount' | 'currency' | 'nft' | 'second-order';

/**
 * What an order is to this backend. `matched`: of one of its intents, and as it was bound. `quarantined`:
 * of one of its intents and not as it was bound: never to be delivered, but to be looked at. `unmatched`:
 * of none of them.
 */
export type OrderMatch =
  | { readonly matchStatus: 'matched'; readonly reference: string }
  | {
      readonly matchStatus: 'quarantined';
      readonly reference: string;
      readonly reason: QuarantineReason;
      /** The field that differs, such as `walletAddress`. Its values are in the order and the intent. */
      readonly field?: string;
    }
  | { readonly matchStatus: 'unmatched' };

/** How an order matches the checkouts of this backend. */
export type MatchStatus = OrderMatch['matchStatus'];

/** An order as it was last taken from the list. It only moves forward. */
export type OrderRecord = OrderMatch & {
  readonly order: Order;
  /** Unix seconds. */
  readonly firstSeenAt: number;
  readonly changedAt: number;
};
