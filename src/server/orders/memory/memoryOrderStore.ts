import { createConfigError } from '../../../protocol/errors/createConfigError.js';
import type { Runtime } from '../../internal/runtime.js';
import type { OrderStore } from '../store/OrderStore.js';
import { withRecordedSignal } from '../store/withRecordedSignal.js';
import { createMemoryTables } from './MemoryTables.js';
import { memoryCheckouts, purgeCheckouts } from './memoryCheckouts.js';
import { memoryDeliveries } from './memoryDeliveries.js';
import { memoryOrders } from './memoryOrders.js';
import { memoryReplays } from './memoryReplays.js';
import { memorySyncState } from './memorySyncState.js';

/** Marks a memory store: another store never has the same data. A copy of a store does not have the mark. */
const MEMORY = Symbol('memory');

/**
 * Creates a store that keeps everything in the memory of this process, for development and tests. A restart
 * loses it.
 *
 * @example
 * const handler = createRampHandler({ signer, policy, allowedOrigins, store: memoryOrderStore() });
 */
export function memoryOrderStore(): OrderStore {
  const tables = createMemoryTables();
  const store = withRecordedSignal({
    ...memoryCheckouts(tables),
    ...memoryOrders(tables),
    ...memoryDeliveries(tables),
    ...memorySyncState(),
    ...memoryReplays(tables),
    async purge(before, unopenedBefore = before) {
      purgeCheckouts(tables, { before, unopenedBefore });
      tables.events = tables.events.filter(({ at }) => at >= before);
    },
  });
  return Object.defineProperty(store, MEMORY, { value: true });
}

const isMemoryStore = (store: object | undefined): boolean =>
  store !== undefined && MEMORY in store;

/** Returns whether a tracker uses a memory store other than this one, so that orders would never match. */
export const usesOtherMemoryStore = (
  tracker: { readonly store?: object | undefined } | null | undefined,
  store: object,
): boolean => isMemoryStore(tracker?.store) && isMemoryStore(store) && tracker?.store !== store;

/**
 * Reports, once in each process and only in production, that a store is missing or keeps its data in memory.
 *
 * @param owner - The function that the store was passed to.
 */
export function reportMemoryStore(
  runtime: Runtime,
  owner: string,
  store: object | undefined,
  report: (error: unknown) => void,
): void {
  if (process.env.NODE_ENV !== 'production') return;
  if (store !== undefined && !isMemoryStore(store)) return;
  if (!runtime.isFirst('memory store')) return;
  const has = store ? 'has a memoryOrderStore()' : 'has no store';
  report(
    createConfigError(
      owner,
      `${has}, so it keeps checkouts and orders in the memory of this process: a restart loses them, and other instances cannot read them. Pass a store, such as sqlOrderStore(), in production.`,
    ),
  );
}
