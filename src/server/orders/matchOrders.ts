import type { Order } from '../../protocol/api/resources.js';
import { claimsIntent, matchOrder, orderKeys } from './matchOrder.js';
import type { OrderRecord } from './OrderRecord.js';
import type { CheckoutIntent } from './store/CheckoutStore.js';

/** An intent, and the key of the order that it matched first. */
export interface KnownIntent {
  readonly intent: CheckoutIntent;
  readonly matchedOrderId?: string | undefined;
}

/** What a store knows about the orders of a page, by key. */
export interface MatchContext {
  readonly records: ReadonlyMap<string, OrderRecord>;
  readonly byReference: ReadonlyMap<string, KnownIntent>;
  /** The newest intent of each order number of the partner's marketplace. */
  readonly byOrderNo: ReadonlyMap<string, KnownIntent>;
  /** Returns the key under which the store keeps an order ID, a reference or an order number. */
  readonly toKey: (name: string) => string;
}

/** The result of matching a page of orders. */
export interface MatchedOrders {
  /** The orders that are new or have advanced, in the order of the list. */
  readonly records: readonly OrderRecord[];
  /** The key of the order that an intent has now matched first, by the key of its reference. */
  readonly claims: ReadonlyMap<string, string>;
}

/**
 * Matches the orders of a page, one after the other, so that each is matched with what is known after the
 * orders before it.
 *
 * @param at - Unix seconds.
 */
export function matchOrders(
  orders: readonly Order[],
  context: MatchContext,
  at: number,
): MatchedOrders {
  const { toKey } = context;
  const find = <Value>(byKey: ReadonlyMap<string, Value>, name: string | undefined) =>
    name === undefined ? undefined : byKey.get(toKey(name));
  const latest = new Map<string, OrderRecord>();
  const claims = new Map<string, string>();
  const records: OrderRecord[] = [];
  for (const order of orders) {
    const key = toKey(order.orderId);
    const record = latest.get(key) ?? context.records.get(key);
    const { reference, merchantOrderNo } = orderKeys(order, record);
    const known = find(context.byReference, reference) ?? find(context.byOrderNo, merchantOrderNo);
    const claimed = known && (known.matchedOrderId ?? claims.get(toKey(known.intent.reference)));
    // Both are keys, and matchOrder compares the order's own ID.
    const matchedOrderId = claimed === key ? order.orderId : claimed;
    const matched = matchOrder(order, { record, intent: known?.intent, matchedOrderId }, at);
    if (!matched) continue;
    records.push(matched);
    latest.set(key, matched);
    if (known && !claimed && claimsIntent(matched)) claims.set(toKey(known.intent.reference), key);
  }
  return { records, claims };
}
