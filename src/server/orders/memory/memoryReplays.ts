import type { ReplayStore } from '../store/ReplayStore.js';
import { announceOrder, type MemoryTables } from './MemoryTables.js';

/** Creates a replay store in memory. */
export function memoryReplays(tables: MemoryTables): ReplayStore {
  /** The time until which each hash is kept. */
  const replays = new Map<string, number>();
  return {
    async claimReplay(hash, keepUntil, now, announced) {
      for (const [known, until] of replays) {
        // All hashes have the same lifetime, so the oldest expires first.
        if (until > now) break;
        replays.delete(known);
      }
      if ((replays.get(hash) ?? now) > now) return false;
      replays.set(hash, keepUntil);
      if (announced !== undefined) announceOrder(tables, announced, now);
      return true;
    },
  };
}
