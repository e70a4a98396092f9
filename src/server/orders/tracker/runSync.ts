import { trace } from '../../diagnostics.js';
import { getSeconds } from '../../internal/runtime.js';
import type { Deliverer } from './deliverChanges.js';
import { readDueRanges } from './readDueRanges.js';
import { beginSync, keepState, parseSyncState, type SyncState } from './syncState.js';
import type { TrackerSettings } from './trackerOptions.js';

/** The part of `syncSeconds` in which the list is read. In the rest, changes are delivered. */
const READING_SHARE = 2 / 3;

/** What a sync did: counts only, so it can be sent to a scheduler and logged. */
export type SyncRun =
  | {
      /** False if no sync was due, or another process is syncing. */
      readonly ran: false;
    }
  | {
      readonly ran: true;
      /** Whether everything that was due was read. If not, the time ran out, and the next sync continues. */
      readonly isComplete: boolean;
      /** The number of orders that were read from the list, not counting malformed ones. */
      readonly listed: number;
      /** The number of orders that were new or had advanced. */
      readonly recorded: number;
      /** The number of malformed orders in the list. */
      readonly malformed: number;
      /** The number of changes that were handed to `deliver` or `review`, or needed neither. */
      readonly delivered: number;
    };

/** The conditions under which a sync does nothing, and the webhook that requested it. */
export interface SyncConditions {
  /** Do nothing if the stored state has another revision, because another process has synced since it was read. */
  readonly revision?: number | undefined;
  /** Do nothing if a sync that began after this time has read the newest orders, Unix seconds. */
  readonly unlessSince?: number | undefined;
  /** When a webhook requested the sync. Further syncs follow, because its order may be listed late. */
  readonly requestedAt?: number | undefined;
}

export interface Syncer {
  /**
   * Reads what is due in the order list, records its orders, and delivers the due changes, under the store's lease and
   * within `syncSeconds`.
   *
   * Each write of the state compares its revision. So if another process takes the lease, this sync ends, and the other
   * process's state stays.
   *
   * @throws the errors of the API and the store. No order is lost, because the next sync reads the same range.
   */
  run(signal: AbortSignal, conditions?: SyncConditions): Promise<SyncRun>;
  /** Changes whenever a running sync makes progress. */
  readonly progress: string;
  /** When this process began its last complete reading of the newest orders, Unix seconds. */
  readonly completeAt: number | undefined;
}

export function createSyncer(settings: TrackerSettings, deliverer: Deliverer): Syncer {
  const { store, runtime, onError } = settings;
  let saves = 0;
  let completeAt: number | undefined;
  let counts = { listed: 0, recorded: 0, malformed: 0 };

  async function sync(
    signal: AbortSignal,
    hasLease: () => boolean,
    { revision, unlessSince, requestedAt }: SyncConditions,
  ): Promise<SyncRun> {
    const stored = await store.readSyncState();
    // Another process may have taken the lease during the read.
    if (!hasLease() || (revision !== undefined && stored.revision !== revision))
      return { ran: false };
    const now = getSeconds(runtime);
    const state = parseSyncState(stored.state);
    if (unlessSince !== undefined && hasReadSince(state, unlessSince, now)) return { ran: false };

    const kept = keepState(store, stored.revision, state, () => saves++);
    await kept.save(beginSync(requestedAt === undefined ? state : { ...state, requestedAt }, now));
    const time = limitTime(settings, signal);
    counts = { listed: 0, recorded: 0, malformed: 0 };
    const failures: unknown[] = [];
    let isComplete = false;
    try {
      isComplete = await readDueRanges(settings, {
        ...{ now, kept, counts, failures, signal: time.signal, isOver: time.isReadingOver },
        onNewestRead() {
          completeAt = kept.state.ranges.newest.completeAt;
        },
      });
      // Save this now: even if the process is killed while it delivers, the list has been read.
      await kept.save({ ...kept.state, failures: 0, reading: undefined });
    } catch (error) {
      failures.push(error);
      // A sync that was told to stop has not failed.
      if (!signal.aborted) kept.change({ ...kept.state, failures: kept.state.failures + 1 });
    } finally {
      time.endReading();
    }
    try {
      // Deliver the recorded changes even if the rest of the list could not be read.
      await deliverer.deliver(signal, hasLease, time.isOver);
    } catch (error) {
      failures.unshift(error);
    }
    const endedAt = getSeconds(runtime);
    const recordedAt = counts.recorded > 0 ? endedAt : kept.state.recordedAt;
    if (!kept.isLost)
      await kept.save({ ...kept.state, recordedAt, reading: undefined, endedAt }).catch((error) => {
        // Usually this error has the same cause as an earlier failure.
        if (failures.length === 0) throw error;
      });
    for (const error of failures.slice(1)) onError(error);
    if (failures.length > 0) throw failures[0];
    return { ran: true, isComplete, ...counts, delivered: deliverer.delivered };
  }

  return {
    get completeAt() {
      return completeAt;
    },
    get progress() {
      return `${saves} ${counts.listed + counts.malformed} ${deliverer.delivered}`;
    },
    run: (signal, conditions = {}) =>
      trace('partner-ramp:sync', runtime, {}, async (update) => {
        let run: SyncRun = { ran: false };
        try {
          await store.withSyncLease(async (hasLease = () => true) => {
            run = await sync(signal, hasLease, conditions);
          });
        } catch (error) {
          if (signal.aborted) update({ outcome: 'stopped' });
          throw error;
        }
        update(describe(run));
        return run;
      }),
  };
}

/**
 * Limits the time of a sync: `signal` ends the reading of the list after `READING_SHARE` of `syncSeconds`, so that time
 * is left for deliveries.
 */
function limitTime({ runtime, syncSeconds }: TrackerSettings, caller: AbortSignal) {
  const beganMs = runtime.monotonic();
  const controller = new AbortController();
  let isReadingOver = false;
  const end = () => controller.abort(caller.reason);
  const timer = runtime.setTimeout(
    () => {
      isReadingOver = !caller.aborted;
      end();
    },
    syncSeconds * 1000 * READING_SHARE,
  );
  caller.addEventListener('abort', end);
  if (caller.aborted) end();
  return {
    signal: controller.signal,
    isReadingOver: () => isReadingOver,
    isOver: () => runtime.monotonic() - beganMs >= syncSeconds * 1000,
    endReading() {
      runtime.clearTimeout(timer);
      caller.removeEventListener('abort', end);
    },
  };
}

function describe(run: SyncRun) {
  if (!run.ran) return { outcome: 'busy' } as const;
  const { isComplete, listed, recorded, malformed } = run;
  return { outcome: isComplete ? 'synced' : 'stopped', listed, recorded, malformed } as const;
}

/** Returns whether a sync that began later than `since` has read the newest orders. */
export const hasReadSince = ({ ranges }: SyncState, since: number, now: number): boolean =>
  ranges.newest.completeAt > since && ranges.newest.completeAt <= now;
