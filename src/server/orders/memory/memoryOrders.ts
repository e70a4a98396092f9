import { matchOrders } from '../matchOrder.js';
import {
  getReference,
  getUnsettledSince,
  type OrderRecord,
  toChangeKey,
} from '../store/OrderRecord.js';
import type { OrderCursor, OrderRecordStore } from '../store/OrderRecordStore.js';
import { appendEvent, type MemoryTables } from './MemoryTables.js';

/** Creates a store of order records and the event log in memory. */
export const memoryOrders = (tables: MemoryTables): OrderRecordStore => {
  const { checkouts, records } = tables;
  const context = { records, byReference: checkouts, byOrderNo: tables.byOrderNo, toKey };
  return {
    async recordOrders(orders, at) {
      const matched = matchOrders(orders, context, at);
      for (const record of matched.records) addRecord(tables, record, at);
      for (const [reference, orderId] of matched.claims) {
        const checkout = checkouts.get(reference);
        if (checkout) checkout.matchedOrderId = orderId;
      }
      return matched.records.length;
    },
    async findOldestUnsettled(since) {
      const times = [...records.values()].flatMap(({ order }) => getUnsettledSince(order) ?? []);
      const later = times.filter((time) => time >= since);
      return later.length > 0 ? Math.min(...later) : undefined;
    },
    async listOrders({ matchStatus, before, limit }) {
      const found = [...records.values()].filter(
        (one) =>
          (!before || compareNewestFirst(one, before) > 0) &&
          (!matchStatus || one.matchStatus === matchStatus),
      );
      found.sort(compareNewestFirst);
      return structuredClone(found.slice(0, limit));
    },
    async listEventsAfter(id, limit) {
      return structuredClone(tables.events.filter((event) => event.id > id).slice(0, limit));
    },
    async lastEventId() {
      return tables.lastEventId;
    },
  };
};

/** Returns a name unchanged: a map accepts any text as a key. */
const toKey = (name: string): string => name;

function addRecord(tables: MemoryTables, record: OrderRecord, at: number): void {
  const { orderId } = record.order;
  const reference = getReference(record);
  if (reference) tables.checkouts.get(reference)?.orderIds.add(orderId);
  tables.records.set(orderId, record);
  appendEvent(tables, { at, ...(reference && { reference }), record });
  const key = toChangeKey(record);
  tables.changes.set(key, { key, record, tries: 0, notBefore: 0 });
}

/** Compares two records, newest first. Several orders may change within a second, so their IDs decide. */
const compareNewestFirst = (a: OrderCursor, b: OrderCursor): number =>
  b.changedAt - a.changedAt || (a.order.orderId < b.order.orderId ? 1 : -1);
