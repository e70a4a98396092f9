import type { Order } from '../../protocol/api/resources.js';
import { findMismatch } from './findMismatch.js';
import { toErasedRecord } from './store/erasure.js';
import { getReference, type OrderMatch, type OrderRecord } from './store/OrderRecord.js';
import type { CheckoutIntent } from './store/OrderStore.js';

interface KnownOrder {
  /** The earlier record of the order. */
  readonly record?: OrderRecord | undefined;
  /** The intent that is named in the order's `ext` or `merchantOrderNo`. */
  readonly intent?: CheckoutIntent | undefined;
  /** The first order that matched this intent. */
  readonly matchedOrderId?: string | undefined;
}

/**
 * The order in which states advance. `unknown` stands for any state that docs/service-interface.md section 3 does not
 * list, and is the lowest.
 */
const RANK: Readonly<Record<Order['state'], number>> = {
  unknown: 0,
  finished: 1,
  settlement: 2,
  settled: 3,
};

/**
 * Matches an order of the order list with its intent, and returns its record. Returns undefined if the state of the
 * order has not advanced, so a page that arrives late cannot replace a newer state.
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
    ...(record?.resolution && { resolution: record.resolution }),
  };
}

function toOrderMatch(order: Order, { record, intent, matchedOrderId }: KnownOrder): OrderMatch {
  // An order stays quarantined in its later states, because somebody may have paid the shopper back.
  if (record?.matchStatus === 'quarantined') {
    const { matchStatus, reference, reason, field } = record;
    return { matchStatus, reference, reason, ...(field !== undefined && { field }) };
  }
  if (!intent) return { matchStatus: 'unmatched' };
  const { reference } = intent;
  const fault = findMismatch(order, intent);
  if (fault) return { matchStatus: 'quarantined', reference, ...fault };
  // An NFT is sold only once, even if the shopper pays twice, so a second order is quarantined. Crypto may be bought
  // any number of times.
  const isSecond = matchedOrderId !== undefined && matchedOrderId !== order.orderId;
  if (intent.widget === 'nft' && isSecond)
    return { matchStatus: 'quarantined', reference, reason: 'second-order' };
  if (order.state === 'unknown') return { matchStatus: 'unknown', reference };
  return { matchStatus: 'matched', reference, ...(isSecond && { isLaterOrder: true }) };
}

/**
 * Returns the two names by which the intent of an order is found: its reference, and its order number in the partner's
 * marketplace. If the order was recorded before, the reference is that of its record. So the order keeps its intent,
 * even if a newer intent has the same order number.
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

export interface KnownIntent {
  /** Undefined if the checkout was erased. */
  readonly intent?: CheckoutIntent | undefined;
  /** The key of the first order that matched the intent. */
  readonly matchedOrderId?: string | undefined;
}

/** The stored data about the orders of a page, by key. */
export interface MatchContext {
  readonly records: ReadonlyMap<string, OrderRecord>;
  readonly byReference: Pick<ReadonlyMap<string, KnownIntent>, 'get'>;
  /** The newest intent of each order number of the partner's marketplace. */
  readonly byOrderNo: Pick<ReadonlyMap<string, KnownIntent>, 'get'>;
  /** Returns the key under which the store keeps an order ID, a reference or an order number. */
  readonly toKey: (name: string) => string;
}

export interface MatchedOrders {
  /** The orders that are new or have advanced, in the order of the list. */
  readonly records: readonly OrderRecord[];
  /** The records of orders that are new and belong to an erased checkout. */
  readonly erased: readonly OrderRecord[];
  /**
   * The intents that were matched for the first time, each with its order: the key of the reference is mapped to the
   * key of the order ID.
   */
  readonly claims: ReadonlyMap<string, string>;
}

/**
 * Matches the orders of a page one after the other, so that each match considers the results of the orders before it.
 * The memory store and the SQL store both use this function.
 *
 * @param at - Unix seconds.
 */
export function matchOrders(
  orders: readonly Order[],
  context: MatchContext,
  at: number,
): MatchedOrders {
  const { toKey } = context;
  const find = (byKey: MatchContext['byReference'], name: string | undefined) =>
    name === undefined ? undefined : byKey.get(toKey(name));
  const latest = new Map<string, OrderRecord>();
  const claims = new Map<string, string>();
  const records: OrderRecord[] = [];
  const erased: OrderRecord[] = [];
  for (const order of orders) {
    const key = toKey(order.orderId);
    const record = latest.get(key) ?? context.records.get(key);
    const { reference, merchantOrderNo } = orderKeys(order, record);
    const known = find(context.byReference, reference) ?? find(context.byOrderNo, merchantOrderNo);
    if (record?.matchStatus === 'erased') continue;
    if (known && !known.intent) {
      // `keepOrders` may have kept the record of this order. Such a record does not change any more.
      if (record) continue;
      const stub = toErasedRecord({ order, firstSeenAt: at, changedAt: at });
      erased.push(stub);
      latest.set(key, stub);
      continue;
    }
    const intent = known?.intent;
    const claimed = intent && (known.matchedOrderId ?? claims.get(toKey(intent.reference)));
    // `matchOrder` compares `matchedOrderId` with the ID of the order, but `claimed` is a key. If it is the key of this
    // order, pass the ID.
    const matchedOrderId = claimed === key ? order.orderId : claimed;
    const matched = matchOrder(order, { record, intent, matchedOrderId }, at);
    if (!matched) continue;
    records.push(matched);
    latest.set(key, matched);
    // A matched order claims its intent, so that no second order of an NFT can match the intent. An order in an unknown
    // state does not claim it: the order may have failed, and another one may follow.
    if (intent && !claimed && matched.matchStatus === 'matched')
      claims.set(toKey(intent.reference), key);
  }
  return { records, erased, claims };
}
