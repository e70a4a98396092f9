import type { OrderStore } from './OrderStore.js';

const memoryStores = new WeakSet<OrderStore>();
const trackerStores = new WeakMap<object, OrderStore>();

/** Records that a store keeps its data in itself, so that another store cannot have the same data. */
export function addMemoryStore(store: OrderStore): OrderStore {
  memoryStores.add(store);
  return store;
}

/** Records which store a tracker uses. */
export function addTrackerStore<T extends object>(tracker: T, store: OrderStore): T {
  trackerStores.set(tracker, store);
  return tracker;
}

/** Returns whether a tracker uses another memory store than this one, so that no order would match. */
export function usesOtherMemoryStore(tracker: object, store: OrderStore): boolean {
  const used = trackerStores.get(tracker);
  return used !== undefined && used !== store && memoryStores.has(used) && memoryStores.has(store);
}
