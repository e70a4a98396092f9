import { createConfigError } from '../../protocol/errors/createConfigError.js';

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

let hasReported = false;

/**
 * Reports, once in each process and only in production, that a store is missing or keeps its data in memory.
 *
 * @param owner - The function that the store was passed to.
 */
export function reportMemoryStore(
  owner: string,
  store: object | undefined,
  report: (error: unknown) => void,
): void {
  if (process.env.NODE_ENV !== 'production' || hasReported) return;
  if (store !== undefined && !memoryStores.has(store)) return;
  hasReported = true;
  const has = store ? 'has a memoryOrderStore()' : 'has no store';
  report(
    createConfigError(
      owner,
      `${has}, so it keeps checkouts and orders in the memory of this process: a restart loses them, and other instances cannot read them. Pass a store, such as sqlOrderStore(), in production.`,
    ),
  );
}
