import { withTimeLimit } from '../../../internal/withTimeLimit.js';
import type { HandlerTracker } from '../../../orders/tracker/OrderTracker.js';

export interface WaitForSyncOptions {
  readonly tracker: HandlerTracker | undefined;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The shopper waits in front of a blank window. */
const LIMIT_MS = 3000;
/** How soon a sync is requested again while another instance runs one. */
const BUSY_MS = 250;
/** A sync that started this long before the request counts, so requests cause one sync per second at most. */
const FRESH_SECONDS = 1;
/** A running sync may have read past the order already, so one more follows it. */
const MAX_SYNCS = 2;

/**
 * Waits for a sync of the order list that started with this call, for 3 seconds at most. Requests at the
 * same time share a sync. Never rejects: when the sync fails or times out, the caller goes on with what
 * the store has.
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
