import type { OrderHistory } from '../outcomes.js';
import type { OrderRecord } from '../store/OrderRecord.js';
import {
  type Checkout,
  type CheckoutOutcome,
  type CheckoutRecord,
  compareNewestFirst,
  type OrderStore,
  type PurgeLimits,
} from '../store/OrderStore.js';

export interface MemoryCheckout {
  readonly terms: Checkout;
  outcome?: CheckoutOutcome;
  openedAt?: number;
  announcedAt?: number;
  /** The ID of the first order that matched the checkout. */
  matchedOrderId?: string;
  /** The IDs of this checkout's orders, oldest first. */
  readonly orderIds: Set<string>;
}

export interface MemoryChange {
  readonly key: string;
  readonly record: OrderRecord;
  tries: number;
  notBefore: number;
}

export interface MemoryTables {
  /** The checkouts by reference, in the order of creation. */
  readonly checkouts: Map<string, MemoryCheckout>;
  /** The newest checkout for each order number in the partner's marketplace. */
  readonly byOrderNo: Map<string, MemoryCheckout>;
  /** The records by order ID. */
  readonly records: Map<string, OrderRecord>;
  /** The changes by key, in the order in which they were recorded. */
  readonly changes: Map<string, MemoryChange>;
  /** Each order's deliveries and reviews, by order ID. */
  readonly histories: Map<string, OrderHistory>;
}

export const createMemoryTables = (): MemoryTables => ({
  checkouts: new Map(),
  byOrderNo: new Map(),
  records: new Map(),
  changes: new Map(),
  histories: new Map(),
});

/** Copies data as `structuredClone` does, in a quarter of the time for a checkout. */
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

/** How long checkouts that expired without an order are kept. Their orders may arrive late. */
const RETENTION_SECONDS = 7 * 86_400;

type CheckoutMethods = Pick<
  OrderStore,
  | 'saveCheckout'
  | 'findCheckout'
  | 'listCheckouts'
  | 'markOpened'
  | 'listAnnouncedOrders'
  | 'markUnconfirmed'
  | 'expireCheckouts'
>;

export const memoryCheckouts = (tables: MemoryTables): CheckoutMethods => {
  const { checkouts, byOrderNo, records } = tables;
  return {
    async saveCheckout(given) {
      const { reference, params, createdAt } = given;
      if (checkouts.has(reference)) throw new Error('This checkout reference is taken.');
      const before = createdAt - RETENTION_SECONDS;
      purgeCheckouts(tables, { before, unopenedBefore: before });
      const checkout = { terms: copyData(given), orderIds: new Set<string>() };
      checkouts.set(reference, checkout);
      if (params.merchantOrderNo) byOrderNo.set(params.merchantOrderNo, checkout);
    },
    async findCheckout(reference, { subject } = {}) {
      const checkout = checkouts.get(reference);
      if (!checkout || (subject !== undefined && checkout.terms.subject !== subject))
        return undefined;
      return toCheckoutRecord(checkout, records);
    },
    async listCheckouts({ subject, references = [], before, limit }) {
      const isOwn = ({ terms }: MemoryCheckout) =>
        subject === undefined || terms.subject === subject;
      const opened = [...checkouts.values()].filter(
        (checkout) =>
          isOwn(checkout) &&
          checkout.openedAt !== undefined &&
          (!before || compareNewestFirst(checkout.terms, before) > 0),
      );
      opened.sort((a, b) => compareNewestFirst(a.terms, b.terms));
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
    async listAnnouncedOrders(since, limit) {
      const announced = [...checkouts.values()].filter(
        (checkout) => !checkout.outcome && isAwaitingOrder(checkout, since),
      );
      announced.sort((a, b) => (a.announcedAt ?? 0) - (b.announcedAt ?? 0));
      return announced.slice(0, limit).map(({ terms }) => terms.reference);
    },
    async markUnconfirmed(references) {
      for (const checkout of references.flatMap((name) => checkouts.get(name) ?? []))
        if (!checkout.matchedOrderId) checkout.outcome ??= 'unconfirmed';
    },
    async expireCheckouts(now) {
      const expired = [...checkouts.values()].filter(
        ({ terms, outcome, matchedOrderId }) =>
          terms.expiresAt <= now && outcome !== 'expired' && !matchedOrderId,
      );
      for (const checkout of expired) checkout.outcome = 'expired';
      return expired.length;
    },
  };
};

/** Returns a copy of a checkout with its orders. */
function toCheckoutRecord(
  { terms, outcome, openedAt, announcedAt, orderIds }: MemoryCheckout,
  records: MemoryTables['records'],
): CheckoutRecord {
  const orders = [...orderIds].map((id) => records.get(id) as OrderRecord);
  const known = {
    ...(outcome && { outcome }),
    ...(openedAt !== undefined && { openedAt }),
    ...(announcedAt !== undefined && { announcedAt }),
  };
  return copyData<CheckoutRecord>({ ...terms, ...known, orders });
}

export const isAwaitingOrder = (
  { announcedAt, orderIds }: MemoryCheckout,
  since: number,
): boolean => announcedAt !== undefined && announcedAt >= since && orderIds.size === 0;

/**
 * Deletes old checkouts. The map is in the order of creation, so the loop ends at the first checkout that is too new.
 */
export function purgeCheckouts(
  { checkouts, byOrderNo }: MemoryTables,
  { before, unopenedBefore }: Pick<PurgeLimits, 'before' | 'unopenedBefore'>,
): void {
  for (const [reference, checkout] of checkouts) {
    const { terms, openedAt, orderIds } = checkout;
    if (terms.expiresAt >= Math.max(before, unopenedBefore)) return;
    const limit = openedAt === undefined ? unopenedBefore : before;
    if (orderIds.size > 0 || terms.expiresAt >= limit) continue;
    checkouts.delete(reference);
    const { merchantOrderNo = '' } = terms.params;
    if (byOrderNo.get(merchantOrderNo) === checkout) byOrderNo.delete(merchantOrderNo);
  }
}
