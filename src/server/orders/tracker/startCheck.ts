import { createConfigError } from '../../../protocol/errors/RampError.js';
import { createReportLimit } from '../../internal/errorReports.js';
import { getSeconds } from '../../internal/runtime.js';
import { parseSyncState } from './syncState.js';
import type { TrackerSettings } from './trackerOptions.js';

/** A process that syncs does so at least once a day. */
const MAX_SECONDS_WITHOUT_SYNC = 26 * 3600;
/** How long another process may take to complete the first sync of a new shop. */
const FIRST_SYNC_SECONDS = 600;

/**
 * Creates a check for a process that signs checkouts and was not started, which is fine only if another process syncs.
 * The check looks in the store for another process's sync, and reports once if there is none.
 *
 * @param getOwnSync - Returns when this process last read the newest orders, Unix seconds.
 */
export function createStartCheck(
  { store, runtime, onError }: TrackerSettings,
  getOwnSync: () => number | undefined,
): () => Promise<void> {
  const startedAt = getSeconds(runtime);
  const isDue = createReportLimit(runtime);
  let lastForeignSync = startedAt;
  let isReported = false;
  return async () => {
    if (isReported || !isDue('check')) return;
    // A process that cannot read an old day still syncs, so only the newest orders count.
    const syncedAt = await store.readSyncState().then(
      ({ state }) => parseSyncState(state).ranges.newest.completeAt,
      () => lastForeignSync,
    );
    const now = getSeconds(runtime);
    if (syncedAt !== getOwnSync()) lastForeignSync = Math.max(lastForeignSync, syncedAt);
    const hasNever = syncedAt === 0 && now - startedAt > FIRST_SYNC_SECONDS;
    if (!hasNever && now - lastForeignSync <= MAX_SECONDS_WITHOUT_SYNC) return;
    isReported = true;
    onError(
      createConfigError(
        'createRamp',
        'signs checkouts, and no process has called ramp.start(), so an order is found only if its webhook arrives. Call ramp.start() once when your server starts, or in a process of its own on the same store.',
      ),
    );
  };
}
