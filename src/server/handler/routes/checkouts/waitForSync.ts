import { withTimeLimit } from '../../../internal/withTimeLimit.js';
import type { HandlerTracker } from '../../../orders/tracker/OrderTracker.js';

/** The settings of the handler that `waitForSync` uses. */
export interface WaitForSyncOptions {
  readonly tracker: HandlerTracker | undefined;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The longest wait: the shopper looks at a blank window meanwhile. */
const LIMIT_MS = 3000;
/** The delay before the next attempt while another instance syncs. */
const BUSY_MS = 250;
/** A sync that started this long before the request is recent enough, so requests cause at most one sync per second. */
const FRESH_SECONDS = 1;
/** The number of syncs: a running sync may already have read past the order, so another one follows. */
const MAX_SYNCS = 2;

/**
 * Waits at most 3 seconds for a sync of the order list that started after this call, or up to a second before.
 * Concurrent requests share a sync. It never rejects: if the sync fails or times out, the caller uses the
 * stored state.
 */
export async function waitForSync({ tracker, now, onError }: WaitForSyncOptions): Promise<void> {
  if (!tracker?.sync) return;
  const since = Math.floor(now() / 1000) - FRESH_SECONDS;
  const run = async (signal: AbortSignal) => {
    for (let syncs = 0; syncs < MAX_SYNCS && !signal.aborted && !isFresh(tracker, since); ) {
      if (await tracker.sync?.()) syncs++;
      else await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
  };
  const limit = { limitMs: LIMIT_MS, onTimeout: () => {} };
  await withTimeLimit(limit, (signal) => run(signal).catch(onError));
}

function isFresh({ report }: HandlerTracker, since: number): boolean {
  return report?.endedAt !== undefined && !report.failed && report.startedAt >= since;
}
