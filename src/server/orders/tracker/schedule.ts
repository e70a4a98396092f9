import { getSeconds, type Timer } from '../../internal/runtime.js';
import { MAX_BACKOFF_SECONDS } from '../store/OrderStore.js';
import type { SyncMonitor } from './createSyncMonitor.js';
import type { TrackerSettings } from './trackerOptions.js';

const HOUR = 3600;
const DAY = 86_400;
/**
 * The pause if a sync was requested but another instance has the lease, or if the last sync left due changes
 * undelivered.
 */
export const BUSY_SECONDS = 2;
/** The pause after the first failure. Each further failure doubles it, up to `pollSeconds`. */
const RETRY_SECONDS = 5;
/** The shortest time between two requested syncs, because webhooks may arrive faster than that. */
const REQUEST_SECONDS = 1;
/** The pause before the next attempt to find an announced order, which may be missing from the order list at first. */
export const ANNOUNCED_SECONDS = 5;
/** At least this many syncs follow the first sync for an announced order, whatever `pollSeconds` is. */
export const MIN_FOLLOW_UPS = 4;

/** What the pause after a sync depends on, apart from the store. */
interface SyncFacts {
  /** Why the last scheduled sync was of no use: another instance has the lease, or there was an error. */
  readonly obstacle: 'busy' | 'failed' | undefined;
  /** The number of scheduled syncs that have failed in a row. */
  readonly failures: number;
  /** Whether a requested sync has begun and none has succeeded since. */
  readonly isRequestPending: boolean;
  /** Whether syncs still follow a request for an announced order. */
  readonly isFollowingUp: boolean;
  /** When the last sync that had the lease began, Unix seconds. */
  readonly syncedAt: number;
  /** The pause after this sync while there is something to wait for. */
  readonly pauseSeconds: number;
  readonly secondsSinceSync: () => number;
  readonly secondsUntilFullSync: () => number;
}

/**
 * Returns the seconds between the end of the last sync and the next one. Each condition may cost a query, so the
 * function returns as soon as one condition holds.
 */
export async function findPause(settings: TrackerSettings, facts: SyncFacts): Promise<number> {
  const { store, pollSeconds, maxPollSeconds, settlementSeconds, runtime } = settings;
  const { obstacle, failures, isRequestPending, isFollowingUp, syncedAt, pauseSeconds } = facts;
  const hasChange = async (byTime: number) =>
    (await store.listPendingChanges(byTime, 1)).length > 0;
  if (obstacle === 'failed') return Math.min(RETRY_SECONDS * 2 ** (failures - 1), pollSeconds);
  // If a sync was requested, try again soon: the other instance may have read past the new order, or have crashed.
  if (obstacle === 'busy') return isRequestPending ? BUSY_SECONDS : pollSeconds;
  const now = getSeconds(runtime);
  // A change is still due, because the last sync had no time to deliver it.
  if (await hasChange(now)) return BUSY_SECONDS;
  // If a checkout was open when the last sync began, another sync must follow, even if the checkout has expired since:
  // the machine may have slept during the sync.
  const isOpen = () => store.hasOpenCheckouts(Math.min(now, syncedAt));
  if (isFollowingUp || (await isOpen())) return pauseSeconds;
  if (await store.hasAnnouncedOrders(now - DAY)) return pauseSeconds;
  const isPostponed = await hasChange(now + MAX_BACKOFF_SECONDS);
  if (isPostponed && (await hasChange(now + maxPollSeconds))) return pollSeconds;
  const isUnsettled = (await store.findOldestUnsettled(now - settlementSeconds)) !== undefined;
  const longest = isPostponed ? maxPollSeconds : isUnsettled ? HOUR : DAY;
  return Math.min(longest, facts.secondsSinceSync() + facts.secondsUntilFullSync());
}

export interface Schedule {
  /** Starts a sync now, and later ones when they are due. */
  start(): void;
  /** Cancels the next sync. A running sync continues. */
  stop(): void;
  readonly status: 'unstarted' | 'started' | 'stopped';
  /** Whether any sync has ended, successfully or not. */
  readonly hasSynced: boolean;
  /** Runs a sync now, or joins the sync that is running. Resolves with whether this instance had the lease. */
  sync(): Promise<boolean>;
  readonly running: Promise<boolean> | undefined;
  /**
   * Requests a sync soon.
   *
   * @param isAnnounced - Whether the sync is for an announced order. The order may be listed late, so more syncs
   * follow, with growing pauses.
   */
  requestSync(isAnnounced: boolean): void;
  /** Runs the next sync earlier, because a checkout was granted and its order may come soon. */
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
 * Creates the schedule of a tracker. The pause between two syncs depends on the last result and on what the tracker
 * waits for. The pause is short after a failure, and while a change waits for its delivery. Otherwise it is
 *
 * - `pollSeconds` while a checkout is open, doubled after each sync that records nothing, up to `maxPollSeconds`; it
 *   starts at five seconds if an order was announced;
 * - an hour while an NFT order awaits settlement;
 * - a day when there is nothing to wait for.
 *
 * During a long pause the schedule checks the store every `maxPollSeconds`, because another instance may have granted a
 * checkout and stopped.
 */
export function createSchedule(options: ScheduleOptions): Schedule {
  const { settings, monitor, runSync, getSecondsUntilFullSync } = options;
  const { pollSeconds, maxPollSeconds, onError, runtime } = settings;
  let status: Schedule['status'] = 'unstarted';
  let running: Promise<boolean> | undefined;
  let timer: Timer | undefined;
  let dueMs = 0;
  /** When the last sync ended, by the monotonic clock. */
  let endedMs = Number.NEGATIVE_INFINITY;
  /** When the last sync that had the lease began, Unix seconds. */
  let syncedAt = Number.POSITIVE_INFINITY;
  /**
   * Changes with each `start()` and with each scheduled sync. `tick`, `look` and `plan` compare this value after they
   * have awaited a sync or the store. If the value has changed, newer work plans the next sync, so the older work ends
   * without setting the timer.
   */
  let turn = Symbol();
  /** The number of syncs that have ended. */
  let ends = 0;

  let obstacle: SyncFacts['obstacle'];
  /** The number of scheduled syncs that have failed in a row. */
  let failures = 0;
  let pauseSeconds = pollSeconds;
  /** The pause after the next sync if that sync records no order. */
  let nextPauseSeconds = pollSeconds;

  /** Whether a sync was requested, and no scheduled sync has begun since. */
  let isRequested = false;
  /** Whether a requested sync has begun and none has succeeded since, for example because another instance syncs. */
  let isRequestPending = false;
  /** Whether syncs still follow a request for an announced order, which may be listed late. */
  let isFollowingUp = false;
  /** The number of syncs since the last request for an announced order. */
  let syncsSinceAnnounced = 0;
  /**
   * Whether a scheduled sync is running, or the next one is being planned. Meanwhile, `checkoutGranted` only sets
   * `isGrantedMeanwhile`, and `plan` reads that flag when it ends. Has no meaning while the schedule is stopped.
   */
  let isPlanning = false;
  let isGrantedMeanwhile = false;

  const getSecondsSinceSync = () => (runtime.monotonic() - endedMs) / 1000;

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
    const startedAt = getSeconds(runtime);
    const recorded = await runSync();
    if (recorded === undefined) return false;
    syncedAt = startedAt;
    // If an order was recorded, poll at least every `pollSeconds`. Keep a shorter pause for an announced order, because
    // the recorded order may be a different one.
    pauseSeconds = recorded > 0 ? Math.min(pollSeconds, nextPauseSeconds) : nextPauseSeconds;
    nextPauseSeconds = Math.min(pauseSeconds * 2, maxPollSeconds);
    syncsSinceAnnounced++;
    isFollowingUp &&= pauseSeconds < pollSeconds || syncsSinceAnnounced <= MIN_FOLLOW_UPS;
    return true;
  }

  /** Runs a scheduled sync, and plans the next one. */
  async function tick(): Promise<void> {
    const own = Symbol();
    turn = own;
    isPlanning = true;
    isGrantedMeanwhile = false;
    // If a sync is already running, this tick joins it. That sync may have read past the announced order, so keep
    // `isRequested` for the next tick.
    if (!running) {
      isRequestPending ||= isRequested;
      isRequested = false;
    }
    monitor.start();
    try {
      const isSynced = await sync();
      // stop() aborted this sync, and start() was called since.
      if (own !== turn) return;
      obstacle = isSynced ? undefined : 'busy';
      if (isSynced) isRequestPending = false;
      await plan();
    } catch (error) {
      if (own === turn) await planAfter(error);
    }
  }

  /** Plans the next sync anew, because the store may have changed. */
  async function look(): Promise<void> {
    const current = turn;
    isGrantedMeanwhile = false;
    isPlanning = true;
    try {
      await plan();
    } catch (error) {
      if (current === turn) await planAfter(error);
    }
  }

  async function planAfter(error: unknown): Promise<void> {
    // A sync that stop() aborted does not count as failed.
    if (status !== 'started') return;
    onError(error);
    obstacle = 'failed';
    failures++;
    await plan();
  }

  async function plan(): Promise<void> {
    const current = turn;
    let lastEnd: number;
    let pause: number;
    do {
      lastEnd = ends;
      pause = await findPause(settings, {
        obstacle,
        failures,
        isRequestPending,
        isFollowingUp,
        syncedAt,
        pauseSeconds,
        secondsSinceSync: getSecondsSinceSync,
        secondsUntilFullSync: getSecondsUntilFullSync,
      });
      // Another scheduled sync has begun meanwhile, or is about to. It plans the next one itself.
      if (current !== turn) return;
    } while (lastEnd !== ends);
    // Await nothing from here on. Otherwise a request that arrives in between would be lost.
    isPlanning = false;
    // If another instance has the lease, the monitor keeps watching.
    if (obstacle !== 'busy') monitor.stop();
    if (obstacle !== 'failed') failures = 0;
    let inSeconds = pause - getSecondsSinceSync();
    if (isGrantedMeanwhile) inSeconds = Math.min(inSeconds, pollSeconds);
    if (isRequested) inSeconds = Math.min(inSeconds, REQUEST_SECONDS);
    if (inSeconds > maxPollSeconds) setTimer(maxPollSeconds, () => void look());
    else syncIn(Math.max(0, inSeconds));
  }

  return {
    get status() {
      return status;
    },
    get hasSynced() {
      return ends > 0;
    },
    get running() {
      return running;
    },
    sync,
    start() {
      status = 'started';
      turn = Symbol();
      if (!running) return syncIn(0);
      // A sync is still running, and stop() may have aborted it. A scheduled sync would join it, so wait for its end.
      isPlanning = true;
      const begin = () => syncIn(0);
      running.then(begin, begin);
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
        syncsSinceAnnounced = running ? -1 : 0;
        nextPauseSeconds = Math.min(ANNOUNCED_SECONDS, pollSeconds);
      }
      // If a sync was requested before, it is already scheduled. If a sync is running, it may already have read past
      // the new order, so another sync follows when that one ends.
      if (wasRequested || running) return;
      syncIn(Math.max(0, REQUEST_SECONDS - getSecondsSinceSync()));
    },
    checkoutGranted() {
      nextPauseSeconds = pollSeconds;
      if (isPlanning) {
        isGrantedMeanwhile = true;
        return;
      }
      // Move the sync only to an earlier time. Otherwise frequent checkouts would postpone it again and again.
      if (dueMs - runtime.monotonic() > pollSeconds * 1000) syncIn(pollSeconds);
    },
  };
}
