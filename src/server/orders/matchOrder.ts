import type { Order } from '../../protocol/api/resources.js';
import { findMismatch } from './findMismatch.js';
import { getReference, type OrderMatch, type OrderRecord } from './OrderRecord.js';
import type { CheckoutIntent } from './store/CheckoutStore.js';

/** What the store knows about an order. */
interface KnownOrder {
  /** The order itself, as it was recorded before. */
  readonly record?: OrderRecord | undefined;
  /** The intent that its `ext` or `merchantOrderNo` names. */
  readonly intent?: CheckoutIntent | undefined;
  /** The order that this intent was matched with first. */
  readonly matchedOrderId?: string | undefined;
}

/** How far an order is. What section 3 does not name is known of, and no more. */
const RANK: Readonly<Record<Order['state'], number>> = {
  unknown: 0,
  finished: 1,
  settlement: 2,
  settled: 3,
};

/**
 * What becomes of an order that was listed: its record, or nothing when it says no more than is known.
 * Orders only move forward, so whichever way the same ones arrive, the same is known in the end.
 *
 * @param at - Unix seconds.
 */
export function matchOrder(order: Order, known: KnownOrder, at: number): OrderRecord | undefined {
  const { record } = known;
  if (record && RANK[order.state] <= RANK[record.order.state]) return undefined;
  return {
    ...toOrderMatch(order, known),
    order,
    firstSeenAt: record?.firstSeenAt ?? at,
    changedAt: at,
  };
}

function toOrderMatch(order: Order, { intent, matchedOrderId }: KnownOrder): OrderMatch {
  if (!intent) return { matchStatus: 'unmatched' };
  const { reference } = intent;
  const fault = findMismatch(order, intent);
  if (fault) return { matchStatus: 'quarantined', reference, ...fault };
  // What a shopper can pay twice is sold once; crypto may be bought as often as one likes.
  if (intent.widget === 'nft' && matchedOrderId && matchedOrderId !== order.orderId)
    return { matchStatus: 'quarantined', reference, reason: 'second-order' };
  return { matchStatus: 'matched', reference };
}

/**
 * Whether its intent is matched with an order from now on. One in a state that nobody named may have
 * failed, and another may follow it.
 */
export const claimsIntent = ({ matchStatus, order }: OrderRecord): boolean =>
  matchStatus === 'matched' && order.state !== 'unknown';

/**
 * The reference of an order, and the order number of the partner's marketplace. An order stays with the
 * intent that it was recorded for: a newer one may have its order number.
 */
export function orderKeys(
  { ext, nftDetails }: Order,
  record: OrderRecord | undefined,
): {
  readonly reference: string | undefined;
  readonly merchantOrderNo: string | undefined;
} {
  const recorded = record && getReference(record);
  return {
    reference: recorded ?? (ext || undefined),
    merchantOrderNo: nftDetails[0]?.merchantOrderNo,
  };
}
