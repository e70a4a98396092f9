import type { Order } from '../../../protocol/api/resources.js';
import { claimsIntent, matchOrder, orderKeys } from '../../orders/matchOrder.js';
import type { OrderRecord } from '../../orders/OrderRecord.js';
import { toKey } from '../schema/toKey.js';
import type { PageContext } from './readPageContext.js';

export interface MatchedPage {
  /** What is new or has moved, in the order in which it was listed. */
  readonly changes: readonly OrderRecord[];
  /** The key of the order that an intent is matched with first, by the key of its reference. */
  readonly matches: ReadonlyMap<string, string>;
}

/** Judges the orders of a page one after the other: each knows of those before it. */
export function matchPage(known: PageContext, orders: readonly Order[], at: number): MatchedPage {
  const records = new Map(known.records);
  const matches = new Map<string, string>();
  const changes: OrderRecord[] = [];
  for (const order of orders) {
    const key = toKey(order.orderId);
    const record = records.get(key);
    const { reference, merchantOrderNo } = orderKeys(order, record);
    const named =
      findByName(known.byReference, reference) ?? findByName(known.byOrderNo, merchantOrderNo);
    const matched = named && (named.matchedOrderId ?? matches.get(toKey(named.intent.reference)));
    // Both are keys, and the order is compared by its name.
    const matchedOrderId = matched === key ? order.orderId : matched;
    const change = matchOrder(order, { record, intent: named?.intent, matchedOrderId }, at);
    if (!change) continue;
    changes.push(change);
    records.set(key, change);
    if (named && !matched && claimsIntent(change)) matches.set(toKey(named.intent.reference), key);
  }
  return { changes, matches };
}

const findByName = <Value>(byKey: ReadonlyMap<string, Value>, name: string | undefined) =>
  name === undefined ? undefined : byKey.get(toKey(name));
