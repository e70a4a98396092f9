import type { Order } from '../../protocol/api/resources.js';
import { isCreatedReference } from '../internal/reference.js';
import { findMismatch } from './findMismatch.js';
import {
  getReference,
  type OrderMatch,
  type OrderRecord,
  type QuarantineReason,
} from './store/OrderRecord.js';
import type { Checkout } from './store/OrderStore.js';

interface KnownOrder {
  /** The earlier record of the order. */
  readonly record?: OrderRecord | undefined;
  /** The checkout that is named in the order's `ext` or `merchantOrderNo`. */
  readonly checkout?: Checkout | undefined;
  /** The first order that matched this checkout. */
  readonly matchedOrderId?: string | undefined;
}

/**
 * The order in which states advance. `unknown` stands for any state that section 3 of the service interface does not
 * list, and is the lowest.
 */
const RANK: Readonly<Record<Order['state'], number>> = {
  unknown: 0,
  finished: 1,
  settlement: 2,
  settled: 3,
};

/**
 * Matches an order of the order list with its checkout, and returns the record of the change. Returns undefined if
 * nothing has changed. The following count as changes:
 *
 * - The state has advanced. An earlier state is ignored, because a page that arrives late must not replace a newer one.
 * - The service reports a status that this package does not know, and that it has not reported for this order before.
 *   It may mean anything, for example that the payment was taken back, so it counts as a change after any other state.
 * - The order was unmatched, and its checkout exists now, for example because a backup was restored.
 *
 * @param at - Unix seconds.
 */
export function matchOrder(listed: Order, known: KnownOrder, at: number): OrderRecord | undefined {
  const { record, checkout } = known;
  const isNew = !record || isNewState(listed, record);
  const isFound = record?.matchStatus === 'unmatched' && checkout !== undefined;
  if (!isNew && !isFound) return undefined;
  // A page that arrives late may be the one that finds the checkout. Then the record holds the newer state.
  const order = isNew ? listed : record.order;
  const unknownStatuses = listUnknownStatuses(order, record);
  return {
    ...(isUnknownAfterKnown(order, record) ? toUnknownMatch(record) : toOrderMatch(order, known)),
    order,
    firstSeenAt: record?.firstSeenAt ?? at,
    changedAt: at,
    ...(unknownStatuses.length > 0 && { unknownStatuses }),
    ...(!isNew && { wasUnmatched: true }),
    ...(record?.resolution && { resolution: record.resolution }),
  };
}

function isNewState(order: Order, record: OrderRecord): boolean {
  if (order.state === 'unknown') return !record.unknownStatuses?.includes(order.orderStatus);
  return RANK[order.state] > RANK[record.order.state];
}

function listUnknownStatuses(order: Order, record: OrderRecord | undefined): readonly number[] {
  const earlier = record?.unknownStatuses ?? [];
  const isNew = order.state === 'unknown' && !earlier.includes(order.orderStatus);
  return isNew ? [...earlier, order.orderStatus] : earlier;
}

const isUnknownAfterKnown = (
  order: Order,
  record: OrderRecord | undefined,
): record is OrderRecord =>
  record !== undefined && order.state === 'unknown' && record.order.state !== 'unknown';

/** Matches an unknown state without comparing the terms, which were compared when the known state was recorded. */
function toUnknownMatch(record: OrderRecord): OrderMatch {
  if (record.matchStatus === 'matched')
    return { matchStatus: 'unknown', reference: record.reference };
  return toMatch(record);
}

/**
 * Returns the record that a store keeps of an order after a change. An unknown status never replaces a known state,
 * because there is no telling which one is later: the page with the unknown status may have arrived late. The record
 * only remembers the status.
 */
function toStoredRecord(change: OrderRecord, earlier: OrderRecord | undefined): OrderRecord {
  if (!isUnknownAfterKnown(change.order, earlier)) return change;
  return { ...earlier, unknownStatuses: change.unknownStatuses };
}

function toOrderMatch(order: Order, { record, checkout, matchedOrderId }: KnownOrder): OrderMatch {
  // An order stays quarantined in its later states, because the shopper may have been refunded.
  if (record?.matchStatus === 'quarantined') return toMatch(record);
  if (!checkout) return { matchStatus: 'unmatched' };
  const { reference } = checkout;
  const mismatch = findMismatch(order, checkout);
  // The values may be personal, so do not store a second copy: the order and the checkout contain them.
  if (mismatch) return toQuarantine(reference, mismatch);
  // An NFT is sold only once, even if the shopper pays twice, so a second order is quarantined. Crypto may be bought
  // any number of times.
  const isSecond = matchedOrderId !== undefined && matchedOrderId !== order.orderId;
  if (checkout.widget === 'nft' && isSecond)
    return { matchStatus: 'quarantined', reference, reason: 'second-order' };
  if (order.state === 'unknown') return { matchStatus: 'unknown', reference };
  return { matchStatus: 'matched', reference, ...(isSecond && { isLaterOrder: true }) };
}

/** Returns the match of a quarantined or unmatched record. */
function toMatch(record: OrderRecord): OrderMatch {
  if (record.matchStatus !== 'quarantined') return { matchStatus: 'unmatched' };
  return toQuarantine(record.reference, record);
}

const toQuarantine = (
  reference: string,
  { reason, field }: { readonly reason: QuarantineReason; readonly field?: string | undefined },
): OrderMatch => ({
  matchStatus: 'quarantined',
  reference,
  reason,
  ...(field !== undefined && { field }),
});

/**
 * Returns the two names by which the checkout of an order is found: its reference, and its order number in the
 * partner's marketplace. If the order was recorded before, the reference comes from its record, so that the order keeps
 * its checkout even if a newer checkout has the same order number.
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

export interface KnownCheckout {
  readonly terms: Checkout;
  /** The key of the first order that matched the checkout. */
  readonly matchedOrderId?: string | undefined;
}

/** The stored data that a page of orders is matched with, by key. */
export interface MatchContext {
  readonly records: ReadonlyMap<string, OrderRecord>;
  readonly byReference: Pick<ReadonlyMap<string, KnownCheckout>, 'get'>;
  /** The newest checkout for each order number in the partner's marketplace. */
  readonly byOrderNo: Pick<ReadonlyMap<string, KnownCheckout>, 'get'>;
  /** Returns the key under which the store keeps an order ID, a reference or an order number. */
  readonly toKey: (name: string) => string;
}

export interface MatchedOrders {
  /** The records of the changed orders, in list order. */
  readonly records: readonly OrderRecord[];
  /** The record that the store keeps of each changed order, by the key of the order ID. */
  readonly latest: ReadonlyMap<string, OrderRecord>;
  /**
   * The checkouts that were matched for the first time, each with its order: the key of the reference is mapped to the
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
  for (const order of orders) {
    const key = toKey(order.orderId);
    const record = latest.get(key) ?? context.records.get(key);
    // The checkout of this order was erased, and nothing may bring its data back.
    if (record?.matchStatus === 'erased') continue;
    const { reference, merchantOrderNo } = orderKeys(order, record);
    // An order that names a checkout of this package belongs to that one only. If that checkout was erased or purged, a
    // person must see the order: another checkout with the same order number may be another shopper's.
    const byName = find(context.byReference, reference);
    const known = isCreatedReference(reference ?? '')
      ? byName
      : (byName ?? find(context.byOrderNo, merchantOrderNo));
    const checkout = known?.terms;
    const claimed = checkout && (known.matchedOrderId ?? claims.get(toKey(checkout.reference)));
    // `matchOrder` compares `matchedOrderId` with the ID of the order, but `claimed` is a key. If it is the key of this
    // order, pass the ID.
    const matchedOrderId = claimed === key ? order.orderId : claimed;
    const matched = matchOrder(order, { record, checkout, matchedOrderId }, at);
    if (!matched) continue;
    records.push(matched);
    latest.set(key, toStoredRecord(matched, record));
    // A matched order claims its checkout, so that no second order of an NFT can match the checkout. An order in an
    // unknown state does not claim it: the order may have failed, and another one may follow.
    if (checkout && !claimed && matched.matchStatus === 'matched')
      claims.set(toKey(checkout.reference), key);
  }
  return { records, latest, claims };
}
