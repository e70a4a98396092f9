import type { OrderHistory } from '../outcomes.js';
import type { OrderRecord } from '../store/OrderRecord.js';
import {
  type CheckoutIntent,
  type CheckoutOutcome,
  type CheckoutRecord,
  type CheckoutStore,
  canAdvance,
  canPurge,
  compareNewestFirst,
  type OrderEvent,
  type PurgeLimits,
} from '../store/OrderStore.js';

export interface MemoryCheckout {
  readonly intent: CheckoutIntent;
  outcome?: CheckoutOutcome;
  openedAt?: number;
  announcedAt?: number;
  /** The ID of the first order that matched the checkout. */
  matchedOrderId?: string;
  /** The IDs of the orders of this checkout, oldest first. */
  readonly orderIds: Set<string>;
  /** Whether the purge erases the orders too. Undefined unless the checkout is marked for erasure. */
  erasesOrders?: boolean;
}

/** What remains of an erased checkout, so that a late order of it is recognized. */
export interface ErasedCheckout {
  readonly intent?: undefined;
  readonly openedAt?: undefined;
  readonly reference: string;
  readonly expiresAt: number;
  readonly merchantOrderNo?: string;
  /** Undefined unless the orders stay. */
  readonly subject?: string | undefined;
  /** The IDs of the orders that stay. */
  readonly orderIds: ReadonlySet<string>;
  erasesOrders?: boolean;
}

/** Returns the order number of a checkout in the partner's marketplace. */
export const getOrderNo = (checkout: MemoryCheckout | ErasedCheckout): string | undefined =>
  checkout.intent ? checkout.intent.params.merchantOrderNo : checkout.merchantOrderNo;

export interface MemoryChange {
  readonly key: string;
  readonly record: OrderRecord;
  tries: number;
  notBefore: number;
}

export interface MemoryTables {
  /** The checkouts by reference, in the order of creation. */
  readonly checkouts: Map<string, MemoryCheckout>;
  /** The newest checkout of each order number of the partner's marketplace. */
  readonly byOrderNo: Map<string, MemoryCheckout | ErasedCheckout>;
  /** The erased checkouts by reference. */
  readonly erased: Map<string, ErasedCheckout>;
  /** The records by order ID. */
  readonly records: Map<string, OrderRecord>;
  /** The changes by key, in the order in which they were recorded. */
  readonly changes: Map<string, MemoryChange>;
  /** What became of each order, by order ID. */
  readonly histories: Map<string, OrderHistory>;
  /** The deliveries that are running, by order ID. They never reject. */
  readonly deliveries: Map<string, Promise<void>>;
  events: OrderEvent[];
  lastEventId: number;
}

export const createMemoryTables = (): MemoryTables => ({
  checkouts: new Map(),
  byOrderNo: new Map(),
  erased: new Map(),
  records: new Map(),
  changes: new Map(),
  histories: new Map(),
  deliveries: new Map(),
  events: [],
  lastEventId: 0,
});

/** Copies data as `structuredClone` does, in a quarter of the time for an intent. */
export function copyData<T>(data: T): T {
  if ((typeof data !== 'object' && typeof data !== 'function') || data === null) return data;
  if (Array.isArray(data)) return data.map(copyData) as T;
  if (!isPlain(data)) return structuredClone(data);
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) copy[name] = copyData(value);
  return copy as T;
}

/** Returns whether assigning the properties one by one copies an object completely. */
function isPlain(data: object): boolean {
  const prototype = Object.getPrototypeOf(data);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !Object.hasOwn(data, '__proto__');
}

export function announceOrder({ checkouts }: MemoryTables, reference: string, at: number): void {
  const checkout = checkouts.get(reference);
  if (!checkout) return;
  checkout.announcedAt ??= at;
  // A checkout with an announced order was opened.
  checkout.openedAt ??= at;
}

export function appendEvent(tables: MemoryTables, entry: Omit<OrderEvent, 'id'>): void {
  tables.events.push({ id: ++tables.lastEventId, ...entry });
}

/** How long checkouts that expired without an order are kept. Their orders may arrive late. */
const RETENTION_SECONDS = 7 * 86_400;

export const memoryCheckouts = (tables: MemoryTables): CheckoutStore => {
  const { checkouts, byOrderNo, erased, records } = tables;
  return {
    async saveIntent(intent) {
      const { reference, params, createdAt } = intent;
      if (checkouts.has(reference) || erased.has(reference))
        throw new Error('This checkout reference is taken.');
      const before = createdAt - RETENTION_SECONDS;
      purgeCheckouts(tables, { before, unopenedBefore: before });
      const checkout = { intent: copyData(intent), orderIds: new Set<string>() };
      checkouts.set(reference, checkout);
      if (params.merchantOrderNo) byOrderNo.set(params.merchantOrderNo, checkout);
    },
    async findCheckout(reference, { subject } = {}) {
      const checkout = checkouts.get(reference);
      if (!checkout || (subject !== undefined && checkout.intent.subject !== subject))
        return undefined;
      return toCheckoutRecord(checkout, records);
    },
    async listCheckouts({ subject, references = [], before, limit }) {
      const isOwn = ({ intent }: MemoryCheckout) =>
        subject === undefined || intent.subject === subject;
      const opened = [...checkouts.values()].filter(
        (checkout) =>
          isOwn(checkout) &&
          checkout.openedAt !== undefined &&
          (!before || compareNewestFirst(checkout.intent, before) > 0),
      );
      opened.sort((a, b) => compareNewestFirst(a.intent, b.intent));
      const named = references.flatMap((reference) => checkouts.get(reference) ?? []);
      const toRecord = (checkout: MemoryCheckout) => toCheckoutRecord(checkout, records);
      return {
        newest: opened.slice(0, limit).map(toRecord),
        named: named.filter(isOwn).map(toRecord),
      };
    },
    async markOpened(reference, at) {
      const checkout = checkouts.get(reference);
      if (checkout) checkout.openedAt ??= at;
    },
    announceOrder: async (reference, at) => announceOrder(tables, reference, at),
    async listAnnouncedOrders(since, limit) {
      const announced = [...checkouts.values()].filter(
        (checkout) => !checkout.outcome && isAwaitingOrder(checkout, since),
      );
      announced.sort((a, b) => (a.announcedAt ?? 0) - (b.announcedAt ?? 0));
      return announced.slice(0, limit).map(({ intent }) => intent.reference);
    },
    async recordOutcome(reference, outcome, at) {
      const checkout = checkouts.get(reference);
      if (checkout) setOutcome(tables, checkout, outcome, at);
    },
    async expireCheckouts(now) {
      const expired = [...checkouts.values()].filter(({ intent }) => intent.expiresAt <= now);
      return expired.filter((checkout) => setOutcome(tables, checkout, 'expired', now)).length;
    },
  };
};

/** Returns a copy of a checkout with its orders. */
export function toCheckoutRecord(
  { intent, outcome, openedAt, announcedAt, erasesOrders, orderIds }: MemoryCheckout,
  records: MemoryTables['records'],
): CheckoutRecord {
  const orders = [...orderIds].map((id) => records.get(id) as OrderRecord);
  const known = {
    ...(outcome && { outcome }),
    ...(openedAt !== undefined && { openedAt }),
    ...(announcedAt !== undefined && { announcedAt }),
    ...(erasesOrders !== undefined && { isErasing: true as const }),
  };
  return copyData<CheckoutRecord>({ intent, ...known, orders });
}

export const isAwaitingOrder = (
  { announcedAt, orderIds }: MemoryCheckout,
  since: number,
): boolean => announcedAt !== undefined && announcedAt >= since && orderIds.size === 0;

/** Records an outcome if the checkout can advance to it, and returns whether it has advanced. */
function setOutcome(
  tables: MemoryTables,
  checkout: MemoryCheckout,
  next: CheckoutOutcome,
  at: number,
): boolean {
  const { intent, outcome, matchedOrderId } = checkout;
  if (!canAdvance({ outcome, isMatched: matchedOrderId !== undefined }, next)) return false;
  checkout.outcome = next;
  // An `unconfirmed` checkout has an announced order, so it was opened.
  if (next === 'unconfirmed') checkout.openedAt ??= at;
  appendEvent(tables, { at, reference: intent.reference, outcome: next });
  return true;
}

/**
 * Deletes old checkouts. The map is in the order of creation, so the loop ends at the first checkout that is too new.
 */
export function purgeCheckouts(tables: MemoryTables, limits: PurgeLimits): void {
  const { checkouts, byOrderNo, erased } = tables;
  const deleteOrderNo = (checkout: MemoryCheckout | ErasedCheckout) => {
    const merchantOrderNo = getOrderNo(checkout) ?? '';
    if (byOrderNo.get(merchantOrderNo) === checkout) byOrderNo.delete(merchantOrderNo);
  };
  for (const [reference, stub] of erased) {
    const { expiresAt, orderIds } = stub;
    if (!canPurge({ expiresAt, isOpened: false, hasOrder: orderIds.size > 0 }, limits)) continue;
    erased.delete(reference);
    deleteOrderNo(stub);
  }
  for (const [reference, checkout] of checkouts) {
    const { intent, openedAt, orderIds } = checkout;
    const { expiresAt } = intent;
    if (expiresAt >= Math.max(limits.before, limits.unopenedBefore)) return;
    const known = { expiresAt, isOpened: openedAt !== undefined, hasOrder: orderIds.size > 0 };
    if (!canPurge(known, limits)) continue;
    checkouts.delete(reference);
    deleteOrderNo(checkout);
  }
}
