import type { ReplayStore } from '../store/ReplayStore.js';

/** Keeps in memory which webhooks were verified. */
export function memoryReplays(): ReplayStore {
  /** Until when each hash is kept. */
  const replays = new Map<string, number>();
  return {
    async claimReplay(hash, keepUntil, now) {
      for (const [known, until] of replays) {
        // All are kept for the same time, so the oldest expires first.
        if (until > now) break;
        replays.delete(known);
      }
      if ((replays.get(hash) ?? now) > now) return false;
      replays.set(hash, keepUntil);
      return true;
    },
  };
}
