import type { OrderStore, PendingChange } from '../OrderStore.js';

const BATCH = 50;
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 3600;

/** Not before so many seconds again, after a change has failed so often. */
const retrySeconds = (tries: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** tries, LAST_RETRY_SECONDS);

interface Delivery {
  readonly store: OrderStore;
  readonly deliver: ((change: PendingChange) => unknown) | undefined;
  readonly onError: (error: unknown) => void;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Hands every change that is due to the partner, oldest first. One that fails is put off and the others
 * go on; without a handler they are taken as seen.
 */
export async function deliverChanges(delivery: Delivery): Promise<void> {
  const { store, deliver, onError, now, signal } = delivery;
  for (;;) {
    const pending = await store.pendingChanges(now(), BATCH);
    for (const change of pending) {
      if (signal.aborted) return;
      try {
        await deliver?.(change);
      } catch (error) {
        onError(error);
        await store.postponeChange(change.key, now() + retrySeconds(change.tries));
        continue;
      }
      await store.settleChange(change.key);
    }
    if (pending.length < BATCH) return;
  }
}
