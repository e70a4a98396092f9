import { getSeconds, type Timer } from '../../internal/runtime.js';
import { MAX_BACKOFF_SECONDS } from '../store/OrderStore.js';
import type { SyncMonitor } from './createSyncMonitor.js';
import type { TrackerSettings } from './trackerOptions.js';

const HOUR = 3600;
const DAY = 86_400;
/** The pause while another instance syncs although a sync was requested, or while due changes remain. */
export const BUSY_SECONDS = 2;
/** The pause after the first failure. Each further failure doubles it, up to `pollSeconds`. */
const RETRY_SECONDS = 5;
/** The shortest time between two requested syncs: webhooks may arrive faster. */
const REQUEST_SECONDS = 1;
/** The pause after an announced order: the order list may not have it yet. */
const ANNOUNCED_SECONDS = 5;
/** A timer that is later than this is replaced: the machine slept. */
const LATE_MS = 1000;

/** Decides when the syncs of a tracker run. */
export interface Schedule {
  /** Starts a sync now, and later ones when they are due. */
  start(): void;
  /** Cancels the next sync. */
  stop(): void;
  readonly status: 'unstarted' | 'started' | 'stopped';
  /** Whether a sync has ended. */
  readonly hasSynced: boolean;
  /** Runs a sync now, or joins the running one. Resolves with whether this instance had the lease. */
  sync(): Promise<boolean>;
  /** The running sync. */
  readonly running: Promise<boolean> | undefined;
  /**
   * Requests a sync soon.
   *
   * @param isAnnounced - The order that is expected may be listed late, so more syncs follow, with growing pauses.
   */
  requestSync(isAnnounced: boolean): void;
  /** Notes that a checkout was granted, whose order may come soon. */
  checkoutGranted(): void;
}

interface ScheduleOptions {
  readonly settings: TrackerSettings;
  readonly monitor: SyncMonitor;
  /** Runs a sync. Resolves with the number of recorded orders, or undefined when another instance has the lease. */
  readonly runSync: () => Promise<number | undefined>;
  readonly getSecondsUntilFullSync: () => number;
}

/**
 * Creates the schedule of a tracker. The pause between two syncs depends on the last result and on the work ahead:
 * `pollSeconds` while a checkout is open, doubled after each sync that records nothing, up to `maxPollSeconds`; an
 * hour while an NFT awaits settlement; a day when there is nothing to wait for. Then the schedule looks into the
 * store every `maxPollSeconds`, because another instance may have granted a checkout and stopped.
 */
export function createSchedule(options: ScheduleOptions): Schedule {
  const { settings, monitor, runSync, getSecondsUntilFullSync } = options;
  const { store, onOrderChange, pollSeconds, maxPollSeconds, settlementSeconds, onError, runtime } =
    settings;
  let status: Schedule['status'] = 'unstarted';
  let running: Promise<boolean> | undefined;
  let timer: Timer | undefined;
  let dueMs = 0;
  /** When the last sync ended, of a clock that never goes back. */
  let endedMs: number | undefined;
  /** The number of scheduled syncs that have begun. */
  let ticks = 0;
  /** The number of syncs that have ended. */
  let ends = 0;

  let result: 'synced' | 'busy' | 'failed' = 'synced';
  /** The scheduled syncs that have failed in a row. */
  let failures = 0;
  let pauseSeconds = pollSeconds;
  /** The pause after the next sync if it records no order. */
  let nextPauseSeconds = pollSeconds;

  /** A sync was requested, and no scheduled sync has begun since. */
  let isRequested = false;
  /** A sync was requested, and other instances have had the lease since. */
  let isRequestPending = false;
  /** A sync was requested recently for an order that may be listed late. */
  let isFollowingUp = false;
  /** A scheduled sync runs, or the next one is being planned: what happens meanwhile must not be forgotten. */
  let isPlanning = false;
  let isGrantedMeanwhile = false;

  const getSecondsSinceSync = () =>
    endedMs === undefined ? 0 : (runtime.monotonic() - endedMs) / 1000;

  function setTimer(inSeconds: number, work: () => void): void {
    runtime.clearTimeout(timer);
    if (status !== 'started') return;
    dueMs = runtime.monotonic() + inSeconds * 1000;
    timer = runtime.setTimeout(work, inSeconds * 1000);
    timer.unref();
  }

  const syncIn = (seconds: number) => setTimer(seconds, () => void tick());

  function sync(): Promise<boolean> {
    running ??= runAndCount().finally(() => {
      running = undefined;
      endedMs = runtime.monotonic();
      ends++;
      if (isRequested) syncIn(REQUEST_SECONDS);
      else if (status === 'started' && !isPlanning) void look();
    });
    return running;
  }

  async function runAndCount(): Promise<boolean> {
    const recorded = await runSync();
    if (recorded === undefined) return false;
    // A recorded order may be another than the announced one.
    pauseSeconds = recorded > 0 ? Math.min(pollSeconds, nextPauseSeconds) : nextPauseSeconds;
    nextPauseSeconds = Math.min(pauseSeconds * 2, maxPollSeconds);
    isFollowingUp &&= pauseSeconds < pollSeconds;
    return true;
  }

  /** Runs a scheduled sync, and plans the next one. */
  async function tick(): Promise<void> {
    ticks++;
    isPlanning = true;
    isGrantedMeanwhile = false;
    isRequestPending ||= isRequested;
    isRequested = false;
    monitor.start();
    try {
      const isSynced = await sync();
      result = isSynced ? 'synced' : 'busy';
      if (isSynced) isRequestPending = false;
      await plan();
      // While another instance has the lease, the monitor continues.
      if (isSynced) monitor.stop();
    } catch (error) {
      monitor.stop();
      await planAfter(error);
    }
  }

  /** Plans the next sync anew, because the store may have changed. */
  async function look(): Promise<void> {
    const begun = ticks;
    isGrantedMeanwhile = false;
    isPlanning = true;
    try {
      await plan();
    } catch (error) {
      if (begun === ticks) await planAfter(error);
    }
  }

  async function planAfter(error: unknown): Promise<void> {
    // A sync that stop() aborted does not count as failed.
    if (status !== 'started') {
      isPlanning = false;
      return;
    }
    onError(error);
    result = 'failed';
    failures++;
    await plan();
  }

  async function plan(): Promise<void> {
    const begun = ticks;
    let lastEnd: number;
    let pause: number;
    do {
      lastEnd = ends;
      pause = await findPause();
      // A requested sync has begun meanwhile, and plans the next one.
      if (begun !== ticks) return;
    } while (lastEnd !== ends);
    // From here on nothing is awaited, or a request in between would be lost.
    isPlanning = false;
    if (result !== 'failed') failures = 0;
    let inSeconds = pause - getSecondsSinceSync();
    if (isGrantedMeanwhile && result === 'synced') inSeconds = Math.min(inSeconds, pollSeconds);
    if (isRequested) inSeconds = Math.min(inSeconds, REQUEST_SECONDS);
    if (inSeconds > maxPollSeconds) setTimer(maxPollSeconds, () => void look());
    else syncIn(Math.max(0, inSeconds));
  }

  /** Returns the seconds between the end of the last sync and the next one. Reads only what matters. */
  async function findPause(): Promise<number> {
    if (result === 'failed') return Math.min(RETRY_SECONDS * 2 ** (failures - 1), pollSeconds);
    // Another instance may have read past the requested order, or may have crashed during its sync.
    if (result === 'busy') return isRequestPending ? BUSY_SECONDS : pollSeconds;
    const now = getSeconds(runtime);
    // The last sync had no time to deliver it.
    if (await hasChange(now)) return BUSY_SECONDS;
    if (isFollowingUp || (await store.hasOpenCheckouts(now))) return pauseSeconds;
    if (await store.hasAnnouncedOrders(now - DAY)) return pauseSeconds;
    if (await hasChange(now + maxPollSeconds)) return pollSeconds;
    const isUnsettled = (await store.findOldestUnsettled(now - settlementSeconds)) !== undefined;
    const isPostponed = await hasChange(now + MAX_BACKOFF_SECONDS);
    const longest = isPostponed ? maxPollSeconds : isUnsettled ? HOUR : DAY;
    return Math.min(longest, getSecondsSinceSync() + getSecondsUntilFullSync());
  }

  // A change that this tracker leaves to another one does not make a sync due.
  const hasChange = async (byTime: number) =>
    onOrderChange !== undefined && (await store.listPendingChanges(byTime, 1)).length > 0;

  return {
    get status() {
      return status;
    },
    get hasSynced() {
      return endedMs !== undefined;
    },
    get running() {
      return running;
    },
    sync,
    start() {
      status = 'started';
      syncIn(0);
    },
    stop() {
      status = 'stopped';
      runtime.clearTimeout(timer);
      monitor.stop();
    },
    requestSync(isAnnounced) {
      const wasRequested = isRequested;
      isRequested = true;
      if (isAnnounced) {
        isFollowingUp = true;
        nextPauseSeconds = Math.min(ANNOUNCED_SECONDS, pollSeconds);
      }
      // A running sync may already have read past the order, so another one follows it.
      if (wasRequested || running) return;
      syncIn(endedMs === undefined ? 0 : Math.max(0, REQUEST_SECONDS - getSecondsSinceSync()));
    },
    checkoutGranted() {
      nextPauseSeconds = pollSeconds;
      if (isPlanning) {
        isGrantedMeanwhile = true;
        return;
      }
      // Only to an earlier time, because checkouts may be granted faster than syncs end.
      const waitMs = dueMs - runtime.monotonic();
      if (waitMs < -LATE_MS) syncIn(0);
      else if (waitMs > pollSeconds * 1000) syncIn(pollSeconds);
    },
  };
}
