import type { Order } from '../../../protocol/api/resources.js';
import type { OrderResolution } from '../../../protocol/handler/CheckoutResponse.js';

/**
 * How an order differs from its checkout. `second-order` means that another order has already bought the checkout's
 * NFT.
 */
export type QuarantineReason = 'widget' | 'wallet' | 'amount' | 'currency' | 'nft' | 'second-order';

/**
 * Whether an order belongs to one of this backend's checkouts, and has its terms.
 *
 * - `matched`: the order belongs to a checkout and has its terms. The first such order of a checkout is delivered.
 * - `unknown`: the order belongs to a checkout and has its terms, but the service reports a state that this package
 *   does not know, so you cannot tell whether it is paid or, if it was `matched` before, still paid. When its next
 *   state is recorded, the order is matched again.
 * - `quarantined`: the order belongs to a checkout and differs from its terms. It is reviewed and never delivered. It
 *   stays quarantined in its later states, because you may have paid the shopper back.
 * - `unmatched`: the order does not belong to a checkout. If the checkout exists when the order is listed again, for
 *   example because a backup was restored, the order is matched then.
 * - `erased`: the order belonged to a checkout that `eraseSubject` has erased. Only its ID, state, amounts and times
 *   remain. It no longer changes, and is not delivered.
 */
export type OrderMatch =
  | {
      readonly matchStatus: 'matched';
      readonly reference: string;
      /** True if an earlier order matched the same checkout, so the shopper may have paid twice by mistake. */
      readonly isLaterOrder?: true | undefined;
    }
  | { readonly matchStatus: 'unknown'; readonly reference: string }
  | {
      readonly matchStatus: 'quarantined';
      readonly reference: string;
      readonly reason: QuarantineReason;
      /** The field that differs, such as `walletAddress`. Its values are in the order and the checkout. */
      readonly field?: string | undefined;
    }
  | { readonly matchStatus: 'unmatched' }
  | { readonly matchStatus: 'erased' };

/** The possible values of `matchStatus`, which {@link OrderMatch} explains. */
export type MatchStatus = OrderMatch['matchStatus'];

/** An order in the most advanced state that was read from the order list, with its match. */
export type OrderRecord = OrderMatch & {
  readonly order: Order;
  /** When the order was first recorded, Unix seconds. */
  readonly firstSeenAt: number;
  /** When the recorded state last advanced, or the checkout was found, Unix seconds. */
  readonly changedAt: number;
  /**
   * The statuses of the order that this package does not know, in the sequence in which they were seen. A record in a
   * known state keeps them too.
   */
  readonly unknownStatuses?: readonly number[] | undefined;
  /** Whether the order was recorded as `unmatched` in this state before, because its checkout was missing. */
  readonly wasUnmatched?: true | undefined;
  /** How the shop resolved the order by hand, if it did. */
  readonly resolution?: OrderResolution | undefined;
};

/** Returns a copy of the record with this resolution, or with none if `resolution` is null. */
export function withResolution(
  { resolution: _, ...record }: OrderRecord,
  resolution: OrderResolution | null,
): OrderRecord {
  return { ...record, ...(resolution && { resolution }) };
}

/** Returns the reference of the checkout that an order belongs to, or undefined if the order is unmatched or erased. */
export const getReference = (record: OrderRecord): string | undefined =>
  'reference' in record ? record.reference : undefined;

type ChangedOrder = Pick<OrderRecord, 'unknownStatuses' | 'wasUnmatched'> & {
  readonly order: Pick<Order, 'orderId' | 'orderStatus' | 'state'>;
};

/**
 * Returns the key for an order's change. It is the same on every instance and at each delivery. A second unknown
 * status, and an order whose checkout was missing before, get separate keys, because a shop skips a key that it has
 * already handled.
 */
export const toChangeKey = (record: ChangedOrder): string => {
  const { orderId, orderStatus, state } = record.order;
  const isOther = state === 'unknown' && record.unknownStatuses?.[0] !== orderStatus;
  return `${orderId}:${state}${isOther ? `:${orderStatus}` : ''}${record.wasUnmatched ? ':rematched' : ''}`;
};

/** Returns the keys of all changes that an order has had, or may have had. */
export const toChangeKeys = (record: ChangedOrder): readonly string[] => {
  const { order, unknownStatuses = [] } = record;
  const states = [
    ...(['finished', 'settlement', 'settled'] as const).map((state) => ({ ...order, state })),
    ...unknownStatuses.map((orderStatus) => ({ ...order, state: 'unknown' as const, orderStatus })),
  ];
  return states.flatMap((order) => [
    toChangeKey({ order, unknownStatuses }),
    toChangeKey({ order, unknownStatuses, wasUnmatched: true }),
  ]);
};

/**
 * Returns when an unsettled NFT order finished, Unix seconds. If the service reports no finish time, returns when the
 * order was delivered or paid. Returns undefined for other orders, for an erased one, and if the service reports none
 * of these times.
 */
export const getUnsettledSince = ({ matchStatus, order }: OrderRecord): number | undefined => {
  const { kind, state, finishTime, deliverTime, payTime } = order;
  if (kind !== 'nft' || state === 'settled' || matchStatus === 'erased') return undefined;
  return finishTime || deliverTime || payTime || undefined;
};
