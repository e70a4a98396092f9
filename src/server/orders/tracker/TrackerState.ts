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
  /** Whether a scheduled sync runs, or the next one is being planned. */
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
  /** An order was announced recently. Its checkout may have expired. */
  readonly isOrderAnnounced: boolean;
  /** A checkout was granted while the next sync was being planned. */
  readonly isCheckoutGranted: boolean;
  /** References of checkouts whose orders were announced. The next sync confirms them. */
  readonly announced: readonly string[];
  /** The references that the running sync confirms. */
  readonly confirming: readonly string[];
  /** When the last full sync began. 0 before the first. */
  readonly fullSyncAt: number;
  /** When the last sync that included the unsettled NFT orders began. 0 before the first. */
  readonly settlementSyncAt: number;
}

/** An event that changes the state of a tracker. */
export type TrackerEvent =
  | { readonly type: 'started' | 'stopped' }
  | { readonly type: 'scheduled'; readonly dueMs: number }
  /** A scheduled sync began; or it ended, and the next one is planned. */
  | { readonly type: 'tick-began' | 'tick-ended' }
  | { readonly type: 'tick-result'; readonly result: TrackerState['result'] }
  /** A sync began to read the order list. */
  | { readonly type: 'read-began' }
  | {
      readonly type: 'list-read';
      readonly startedAt: number;
      readonly isFullSync: boolean;
      readonly includesUnsettled: boolean;
    }
  /** The announced orders were confirmed, or the sync failed before that. */
  | { readonly type: 'read-ended'; readonly isConfirmed: boolean }
  | { readonly type: 'synced'; readonly recorded: number }
  /** A sync has ended, with any result. */
  | { readonly type: 'sync-ended'; readonly atMs: number }
  | { readonly type: 'order-announced'; readonly reference: string }
  | { readonly type: 'sync-requested'; readonly isAnnounced: boolean }
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
  isOrderAnnounced: false,
  isCheckoutGranted: false,
  announced: [],
  confirming: [],
  fullSyncAt: 0,
  settlementSyncAt: 0,
});
