import type { SyncStateStore } from '../store/SyncStateStore.js';

/** Creates a store of the watermark and the lease in memory. */
export function memorySyncState(): SyncStateStore {
  let watermark: number | undefined;
  let isLeased = false;
  return {
    async readWatermark() {
      return watermark;
    },
    async writeWatermark(to) {
      watermark = to;
    },
    async withSyncLease(sync) {
      if (isLeased) return false;
      isLeased = true;
      try {
        await sync(() => true);
      } finally {
        isLeased = false;
      }
      return true;
    },
  };
}
