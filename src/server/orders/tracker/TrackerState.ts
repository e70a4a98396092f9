import type { TrackerSettings } from './parseTrackerOptions.js';

/**
 * The state of an order tracker: a plain object that survives JSON. `reduceTrackerState` applies events to
 * it, and `nextDelay` derives from it when the next sync is due. Names that end in `Ms` are times of a
 * monotonic clock, names in `At` are Unix seconds, and names in `Seconds` are durations.
 */
export interface TrackerState {
  readonly status: 'unstarted' | 'started' | 'stopped';
  /** The pause between two syncs while a checkout is open. */
  readonly pauseSeconds: number;
  /** The pause after the next sync if it records no order: exponential backoff. */
  readonly nextPauseSeconds: number;
  /** Whether a scheduled sync runs, or the next one is being planned: what happens meanwhile must not be forgotten. */
  readonly isTicking: boolean;
  /** The result of the last scheduled sync. `busy`: another instance had the lease. */
  readonly result: 'synced' | 'busy' | 'failed';
  /** The number of scheduled syncs that have failed in a row. */
  readonly failures: number;
  /** When the next scheduled sync is due. */
  readonly dueMs: number;
  /** When the last sync ended. Null before the first. */
  readonly endedMs: number | null;
  /** A sync was requested, and no scheduled sync has begun since. */
  readonly isSyncRequested: boolean;
  /** A sync was requested, and other instances have had the lease since. */
  readonly isRequestPending: boolean;
  /** A sync was requested recently, for an order that may be listed late. */
  readonly isFollowingUp: boolean;
  /** A checkout was granted while the next sync was being planned. */
  readonly isCheckoutGranted: boolean;
  /** When the last full sync began. 0 before the first. */
  readonly fullSyncAt: number;
  /** When the last sync that included the unsettled NFT orders began. 0 before the first. */
  readonly settlementSyncAt: number;
  /** The number of wide syncs, which read further back than `lookbackSeconds`, that have failed since one succeeded. */
  readonly wideFailures: number;
  /** When the next wide sync may begin. */
  readonly wideRetryAt: number;
}

/** An event that changes the state of a tracker. */
export type TrackerEvent =
  | { readonly type: 'started' | 'stopped' }
  | { readonly type: 'scheduled'; readonly dueMs: number }
  /** A scheduled sync began. */
  | { readonly type: 'tick-began' }
  /** The loop began to plan the next sync, or has planned it. */
  | { readonly type: 'plan-began' | 'plan-ended' }
  | { readonly type: 'tick-result'; readonly result: TrackerState['result'] }
  | {
      readonly type: 'list-read';
      readonly startedAt: number;
      readonly isFullSync: boolean;
      readonly includesUnsettled: boolean;
    }
  | { readonly type: 'wide-read-failed'; readonly startedAt: number }
  | { readonly type: 'synced'; readonly recorded: number }
  /** A sync has ended, with any result. */
  | { readonly type: 'sync-ended'; readonly atMs: number }
  /** `isFollowedUp`: the order that is expected may be listed late, so more syncs follow soon. */
  | { readonly type: 'sync-requested'; readonly isFollowedUp: boolean }
  | { readonly type: 'checkout-granted' };

/** The state of a tracker, and the only way to change it. */
export interface TrackerStateHolder {
  readonly state: TrackerState;
  dispatch(event: TrackerEvent): void;
}

/** The options that the state depends on. */
export type TrackerLimits = Pick<TrackerSettings, 'pollSeconds' | 'maxPollSeconds'>;

/** Returns the state of a new tracker. */
export const createTrackerState = ({ pollSeconds }: TrackerLimits): TrackerState => ({
  status: 'unstarted',
  pauseSeconds: pollSeconds,
  nextPauseSeconds: pollSeconds,
  isTicking: false,
  result: 'synced',
  failures: 0,
  dueMs: 0,
  endedMs: null,
  isSyncRequested: false,
  isRequestPending: false,
  isFollowingUp: false,
  isCheckoutGranted: false,
  fullSyncAt: 0,
  settlementSyncAt: 0,
  wideFailures: 0,
  wideRetryAt: 0,
});
