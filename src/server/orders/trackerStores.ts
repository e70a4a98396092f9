const memoryStores = new WeakSet<object>();
const trackerStores = new WeakMap<object, object>();

/** Records that a store keeps its data in memory, so another store never has the same data. */
export function addMemoryStore<Store extends object>(store: Store): Store {
  memoryStores.add(store);
  return store;
}

/** Records which store a tracker uses. */
export function addTrackerStore<Tracker extends object>(tracker: Tracker, store: object): Tracker {
  trackerStores.set(tracker, store);
  return tracker;
}

/** Returns whether a tracker uses a memory store other than this one, so that orders would never match. */
export function usesOtherMemoryStore(tracker: object, store: object): boolean {
  const used = trackerStores.get(tracker);
  return used !== undefined && used !== store && memoryStores.has(used) && memoryStores.has(store);
}
