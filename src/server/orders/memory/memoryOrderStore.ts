import type { OrderStore } from '../store/OrderStore.js';
import { addMemoryStore } from '../trackerStores.js';
import { createMemoryTables } from './MemoryTables.js';
import { memoryCheckouts, purgeCheckouts } from './memoryCheckouts.js';
import { memoryDeliveries } from './memoryDeliveries.js';
import { memoryOrders } from './memoryOrders.js';
import { memoryReplays } from './memoryReplays.js';
import { memorySyncState } from './memorySyncState.js';

/**
 * Creates a store that keeps everything in the memory of this process, for development and tests. A restart
 * loses it.
 *
 * @example
 * const handler = createRampHandler({ signer, policy, allowedOrigins, store: memoryOrderStore() });
 */
export function memoryOrderStore(): OrderStore {
  const tables = createMemoryTables();
  return addMemoryStore({
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
}
