import type { HandlerTracker } from '../../../orders/tracker/OrderTracker.js';

export interface WaitForSyncOptions {
  readonly tracker: HandlerTracker | undefined;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** A shopper waits for it, with a blank window in front of them. */
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
  const { signal, abort, end } = timeLimit();
  const run = async () => {
    for (let syncs = 0; syncs < MAX_SYNCS && !signal.aborted && !isFresh(tracker, since); ) {
      if (await tracker.sync?.()) syncs++;
      else await Promise.race([abort, new Promise((done) => setTimeout(done, BUSY_MS))]);
    }
  };
  await Promise.race([run().catch(onError), abort]);
  end();
}

function isFresh({ report }: HandlerTracker, since: number): boolean {
  return report?.endedAt !== undefined && !report.failed && report.startedAt >= since;
}

function timeLimit() {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = new Promise<void>((done) => signal.addEventListener('abort', () => done()));
  const timer = setTimeout(() => controller.abort(), LIMIT_MS);
  return { signal, abort, end: () => clearTimeout(timer) };
}
