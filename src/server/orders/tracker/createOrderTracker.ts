import { warnDeveloper } from '../../internal/warnDeveloper.js';
import { addTrackerStore } from '../trackerStores.js';
import { createSyncer } from './createSyncer.js';
import { createSyncMonitor } from './createSyncMonitor.js';
import type { OrderTracker, OrderTrackerOptions } from './OrderTracker.js';
import { parseTrackerOptions } from './parseTrackerOptions.js';

const HOUR = 3600;
const DAY = 86_400;
/** How soon again, when the list does not have yet what was announced. */
const ANNOUNCED_SECONDS = 5;
/** How soon again, when another instance syncs and this one was nudged, or changes are left. */
const BUSY_SECONDS = 2;
/** How soon a sync is tried again that failed; each failure doubles it, up to `pollSeconds`. */
const RETRY_SECONDS = 5;
/** Webhooks may come faster than syncs: those that come sooner after one share the next. */
const REQUEST_SECONDS = 1;

/** How often an unstarted tracker tries while another instance syncs, whose lease lasts for 9 seconds. */
const BUSY_TRIES = 6;

/** A timer that is later than this is set anew. */
const LATE_MS = 1000;

/**
 * Makes what finds out about orders: the webhook comes once or never, so the order list is read, often
 * while checkouts are open, hourly while an NFT is not settled, and daily over a week whatever happens.
 * Each change of an order reaches `onOrderChange` at least once.
 *
 * Several instances may run on one store: one syncs at a time.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 * @example
 * const tracker = createOrderTracker({
 *   api, store,
 *   onOrderChange: ({ record: { matchStatus, order } }) =>
 *     matchStatus === 'matched' && order.state !== 'unknown' && shipOnce(order.orderId, order),
 * });
 * tracker.start();
 */
export function createOrderTracker(options: OrderTrackerOptions): OrderTracker {
  const settings = parseTrackerOptions(options);
  const { store, pollSeconds, maxPollSeconds, settlementSeconds, onError, now } = settings;
  const syncer = createSyncer(settings);
  const monitor = createSyncMonitor(settings, syncer);
  const seconds = () => Math.floor(now() / 1000);
  /** Until the next sync while a checkout is open, and what follows if nothing comes. */
  let pause = pollSeconds;
  let nextPause = pollSeconds;
  let isStarted = false;
  /** Neither started nor stopped: no timer will sync. */
  let isUnstarted = true;
  /** The sync that an unstarted tracker begins once the running one has ended. */
  let requested: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends, by the clock of timers: milliseconds. */
  let dueAt = 0;
  let isTicking = false;
  /** A checkout was granted during a tick, which may have looked for open checkouts already. */
  let isCheckoutGranted = false;
  /** How many in a row have failed. */
  let failures = 0;
  /** When the last sync ended, by the clock of timers: milliseconds. */
  let syncedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<boolean> | undefined;
  let controller = new AbortController();
  /** An order was announced a moment ago, maybe of a checkout that is open no more. */
  let isOrderAnnounced = false;
  let isSyncRequested = false;
  /** A requestSync came, and another instance was at it. */
  let isRequestPending = false;

  async function runSync(): Promise<boolean> {
    const done = await syncer.sync(controller.signal);
    if (!done) return false;
    if (done.recorded > 0) nextPause = pollSeconds;
    pause = nextPause;
    if (pause >= pollSeconds) isOrderAnnounced = false;
    nextPause = Math.min(pause * 2, maxPollSeconds);
    return true;
  }

  function sync(): Promise<boolean> {
    running ??= runSync().finally(() => {
      running = undefined;
      syncedAt = performance.now();
      if (isSyncRequested) schedule(REQUEST_SECONDS);
    });
    return running;
  }

  /** Sweeps without a timer; one that is running may have read past the order already. */
  async function syncWithoutTimer(): Promise<void> {
    await running?.catch(() => {});
    requested = undefined;
    try {
      for (let tries = 1; !(await sync()) && tries < BUSY_TRIES; tries++)
        await new Promise((done) => setTimeout(done, BUSY_SECONDS * 1000));
    } catch (error) {
      onError(error);
    }
  }

  /** When it is time for the next sync; nothing is due later than in a day. */
  async function nextDelay(): Promise<number> {
    const at = seconds();
    // What the last sync had no time to hand on.
    if ((await store.listPendingChanges(at, 1)).length > 0) return BUSY_SECONDS;
    if (isOrderAnnounced || (await store.hasOpenCheckouts(at))) return pause;
    if ((await store.listPendingChanges(at + maxPollSeconds, 1)).length > 0) return pollSeconds;
    const isUnsettled = (await store.findOldestUnsettled(at - settlementSeconds)) !== undefined;
    // What failed often is put off for an hour at the most.
    const isPending = (await store.listPendingChanges(at + HOUR, 1)).length > 0;
    const longest = isPending ? maxPollSeconds : isUnsettled ? HOUR : DAY;
    return Math.min(longest, Math.max(0, syncer.fullSyncDueAt - at));
  }

  function schedule(inSeconds: number): void {
    clearTimeout(timer);
    if (!isStarted) return;
    const inMs = Math.max(0, inSeconds) * 1000;
    dueAt = performance.now() + inMs;
    timer = setTimeout(runScheduledSync, inMs);
    timer.unref();
  }

  async function runScheduledSync(): Promise<void> {
    isRequestPending ||= isSyncRequested;
    isSyncRequested = false;
    isTicking = true;
    isCheckoutGranted = false;
    monitor.start();
    let wait: number;
    try {
      if (await sync()) {
        isRequestPending = false;
        wait = await nextDelay();
        if (isCheckoutGranted) wait = Math.min(wait, pollSeconds);
        monitor.stop();
        // Another instance may have read past what this one was nudged for, or has died at it.
      } else wait = isRequestPending ? BUSY_SECONDS : pollSeconds;
      failures = 0;
    } catch (error) {
      monitor.stop();
      // What was given up by `stop` has not failed.
      if (!isStarted) return;
      onError(error);
      wait = Math.min(RETRY_SECONDS * 2 ** failures++, pollSeconds);
    } finally {
      isTicking = false;
    }
    schedule(isSyncRequested ? Math.min(REQUEST_SECONDS, wait) : wait);
  }

  const tracker: OrderTracker = {
    get report() {
      return syncer.report;
    },
    sync,
    start() {
      if (isStarted) return;
      isStarted = true;
      isUnstarted = false;
      controller = new AbortController();
      schedule(0);
    },
    async stop() {
      isStarted = isUnstarted = false;
      clearTimeout(timer);
      monitor.stop();
      controller.abort();
      await running?.catch(() => {});
    },
    async requestSync(reference) {
      if (reference) syncer.announceOrder(reference);
      if (isUnstarted) {
        warnNotStarted(
          'The webhook was received but tracker.start() was never called, so the order list is read for this webhook alone, and orders whose webhook is lost are not found.',
        );
        requested ??= syncWithoutTimer();
        return requested;
      }
      isOrderAnnounced ||= reference !== undefined;
      nextPause = Math.min(ANNOUNCED_SECONDS, pollSeconds);
      if (isSyncRequested) return;
      isSyncRequested = true;
      // One that is running may have read past the order already: another follows it.
      if (!running) schedule(REQUEST_SECONDS - (performance.now() - syncedAt) / 1000);
    },
    checkoutGranted() {
      if (isUnstarted && syncedAt < 0 && !running)
        warnNotStarted(
          'A checkout was signed but tracker.start() was never called in this process, so only a webhook finds its order.',
        );
      nextPause = pollSeconds;
      if (isTicking) {
        isCheckoutGranted = true;
        return;
      }
      const waitMs = dueAt - performance.now();
      // A timer may be late after the machine slept. Otherwise a sync is only brought forward, never put
      // off: checkouts may come faster than syncs.
      if (waitMs < -LATE_MS) schedule(0);
      else if (waitMs > pollSeconds * 1000) schedule(pollSeconds);
    },
  };
  return addTrackerStore(tracker, store);
}

let hasWarned = false;

function warnNotStarted(consequence: string): void {
  if (hasWarned) return;
  hasWarned = true;
  warnDeveloper(
    `${consequence} Call tracker.start() once when your server starts; where no process stays alive, call tracker.sync() from a scheduled job as well.`,
  );
}
