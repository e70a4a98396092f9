import {
  type DeliveryStore,
  MAX_BACKOFF_SECONDS,
  type PendingChange,
} from '../store/DeliveryStore.js';
import { getReference } from '../store/OrderRecord.js';
import type { MemoryTables } from './MemoryTables.js';

/** Creates a delivery store in memory. */
export const memoryDeliveries = ({ changes, checkouts }: MemoryTables): DeliveryStore => ({
  async listPendingChanges(now, limit) {
    const latest = now + MAX_BACKOFF_SECONDS;
    const due = [...changes.values()].filter(
      ({ notBefore }) => notBefore <= now || notBefore > latest,
    );
    due.sort((a, b) => a.notBefore - b.notBefore);
    return due.slice(0, limit).map(({ key, record, tries }) => {
      const intent = checkouts.get(getReference(record) ?? '')?.intent;
      return structuredClone<PendingChange>({ key, record, tries, ...(intent && { intent }) });
    });
  },
  async acknowledgeChanges(keys) {
    for (const key of keys) changes.delete(key);
  },
  async postponeChange(key, notBefore) {
    const change = changes.get(key);
    if (change) Object.assign(change, { notBefore, tries: change.tries + 1 });
  },
});
