import type { Order } from '../../protocol/resources.js';
import { judgeOrder, namesOf, takesPlace } from '../orders/judgeOrder.js';
import type { OrderRecord } from '../orders/OrderRecord.js';
import { keyOf } from './keyOf.js';
import type { KnownPage } from './readKnown.js';

export interface JudgedPage {
  /** What is new or has moved, in the order in which it was listed. */
  readonly changes: readonly OrderRecord[];
  /** The key of the order that an intent is matched with first, by the key of its reference. */
  readonly matches: ReadonlyMap<string, string>;
}

/** Judges the orders of a page one after the other: each knows of those before it. */
export function judgePage(known: KnownPage, orders: readonly Order[], at: number): JudgedPage {
  const records = new Map(known.records);
  const matches = new Map<string, string>();
  const changes: OrderRecord[] = [];
  for (const order of orders) {
    const key = keyOf(order.orderId);
    const record = records.get(key);
    const { reference, merchantOrderNo } = namesOf(order, record);
    const named = lookUp(known.byReference, reference) ?? lookUp(known.byOrderNo, merchantOrderNo);
    const matched = named && (named.matchedOrderId ?? matches.get(keyOf(named.intent.reference)));
    // Both are keys, and the order is compared by its name.
    const matchedOrderId = matched === key ? order.orderId : matched;
    const change = judgeOrder(order, { record, intent: named?.intent, matchedOrderId }, at);
    if (!change) continue;
    changes.push(change);
    records.set(key, change);
    if (named && !matched && takesPlace(change)) matches.set(keyOf(named.intent.reference), key);
  }
  return { changes, matches };
}

const lookUp = <Value>(byKey: ReadonlyMap<string, Value>, name: string | undefined) =>
  name === undefined ? undefined : byKey.get(keyOf(name));
