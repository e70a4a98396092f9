import type { CheckoutIntent, CheckoutOutcome } from '../store/CheckoutStore.js';
import type { OrderRecord } from '../store/OrderRecord.js';
import type { OrderEvent } from '../store/OrderRecordStore.js';

/** A checkout in the memory store. */
export interface MemoryCheckout {
  readonly intent: CheckoutIntent;
  outcome?: CheckoutOutcome;
  openedAt?: number;
  announcedAt?: number;
  /** The order that it matched first. */
  matchedOrderId?: string;
  /** The orders of this checkout, oldest first. */
  readonly orderIds: Set<string>;
}

/** A pending change in the memory store. */
interface MemoryChange {
  readonly key: string;
  readonly record: OrderRecord;
  tries: number;
  notBefore: number;
}

/** The data of a memory store, which its parts share. */
export interface MemoryTables {
  /** By reference, in the order of creation. */
  readonly checkouts: Map<string, MemoryCheckout>;
  /** The newest checkout of each order number of the partner's marketplace. */
  readonly byOrderNo: Map<string, MemoryCheckout>;
  /** By order ID. */
  readonly records: Map<string, OrderRecord>;
  /** By key, in the order in which they were recorded. */
  readonly changes: Map<string, MemoryChange>;
  events: OrderEvent[];
  lastEventId: number;
}

/** Creates the empty tables of a memory store. */
export const createMemoryTables = (): MemoryTables => ({
  checkouts: new Map(),
  byOrderNo: new Map(),
  records: new Map(),
  changes: new Map(),
  events: [],
  lastEventId: 0,
});

/** Records that an order of a checkout was announced. */
export function announceOrder({ checkouts }: MemoryTables, reference: string, at: number): void {
  const checkout = checkouts.get(reference);
  if (!checkout) return;
  checkout.announcedAt ??= at;
  // It was announced because it was paid, so it was opened.
  checkout.openedAt ??= at;
}

/** Adds an entry to the log. */
export function appendEvent(tables: MemoryTables, entry: Omit<OrderEvent, 'id'>): void {
  tables.events.push({ id: ++tables.lastEventId, ...entry });
}
