import { createConfigError } from '../../../protocol/errors/RampError.js';
import { getSeconds, processRuntime, type Runtime, sleep } from '../../internal/runtime.js';
import { createPartnerClaim } from '../store/partnerClaim.js';
import { createSyncMonitor } from './createSyncMonitor.js';
import { createDeliverer } from './deliverChanges.js';
import { createListReader, type SyncReport, traceReports } from './readList.js';
import { BUSY_SECONDS, createSchedule, type Schedule } from './schedule.js';
import { createStartCheck } from './startCheck.js';
import { createStoredSync, type SyncRun } from './storedSync.js';
import { createSyncMemory } from './syncMemory.js';
import {
  type OrderTrackerOptions,
  type TrackerSettings,
  toTrackerSettings,
} from './trackerOptions.js';

/** The part of an {@link OrderTracker} that the handler uses. */
export interface HandlerTracker extends Pick<OrderTracker, 'checkoutGranted'> {
  /** Requests a sync. The handler awaits the result before it responds to a webhook. */
  requestSync(): unknown;
  /** Tells the tracker that the handler has recorded orders, so that their changes are delivered soon. */
  readonly ordersRecorded?: OrderTracker['ordersRecorded'] | undefined;
  /** Runs a sync if one is due, for `{basePath}/sync` and `waitUntil`. */
  readonly syncIfDue?: OrderTracker['syncIfDue'] | undefined;
  /** False if the tracker has `timers: false`. */
  readonly hasTimers?: boolean | undefined;
}

/** A tracker that reads the order list, records the orders of checkouts and delivers their changes. */
export interface OrderTracker {
  /**
   * Starts a sync now, and later ones when they are due.
   *
   * @throws RampError `ERR_CONFIG_INVALID` if the tracker has `timers: false`.
   */
  start(): void;
  /** Aborts a running sync, and starts no further ones. Never rejects. */
  stop(): Promise<void>;
  /**
   * Reads the order list, records its orders and delivers the changes. If another instance is syncing, it does nothing
   * and resolves with false, otherwise with true.
   *
   * @throws the errors of the API and the store. No order is lost, because the next sync starts from the same time.
   */
  sync(): Promise<boolean>;
  /**
   * Runs a sync if one is due, for a process that lives for one request: the times of the last syncs are read from the
   * store. Call it every minute, or let a scheduled job request `{basePath}/sync`. It takes at most `syncSeconds`
   * plus the time of one delivery. Several processes may call it at the same time: one of them syncs, at most once in
   * ten seconds.
   *
   * @param options - With `isEarly: false`, a sync is not due before its time. By default it may begin up to 30 seconds
   * earlier, because a job that comes every minute would otherwise often come a second too early.
   * @throws RampError `ERR_CONFIG_INVALID` unless the tracker has `timers: false`.
   * @throws the errors of the API and the store. No order is lost, because the next sync starts from the same time.
   * @example
   * const run = await tracker.syncIfDue(); // { ran: false } if no sync is due
   */
  syncIfDue(options?: { readonly isEarly?: boolean | undefined }): Promise<SyncRun>;
  /**
   * Requests a sync. Concurrent requests share one sync.
   *
   * After `start()`, the promise resolves without waiting for the sync, which begins within a second, or after the sync
   * that is running. A tracker that was never started has no timer, so it runs the sync before the promise resolves:
   * await it before a serverless function ends. The promise never rejects; `onError` is called with errors.
   *
   * @param reference - The reference of the checkout whose order a webhook announced. Pass it only if you verify
   * webhooks yourself, because the verifier of this package has already announced the order. If the order list does not
   * have the order, the outcome of the checkout becomes `unconfirmed`.
   */
  requestSync(reference?: string): Promise<void>;
  /**
   * Tells the tracker that a checkout was granted, so that it polls for the order soon. The handler calls this method.
   */
  checkoutGranted(): void;
  /**
   * Tells the tracker that orders were recorded outside a sync, so that their changes are delivered soon. The handler
   * calls this method.
   */
  ordersRecorded(): void;
  /** The report of the current or last sync of this instance. Undefined before the first sync. */
  readonly report: SyncReport | undefined;
  /** The number of changes that were handled since the last sync of this instance has begun to deliver. */
  readonly delivered: number;
  /** Whether the option `timers` is on. */
  readonly hasTimers: boolean;
}

/**
 * Creates an order tracker. Webhooks can be lost, so the tracker also polls the order list:
 *
 * - every `pollSeconds`, and then less often, while a checkout is open;
 * - hourly while an NFT order awaits settlement;
 * - once a day, for all orders of the past week.
 *
 * It hands each change of an order to `deliver` or `review`. Several instances may run on one store; only one of them
 * syncs at a time.
 */
export function createOrderTracker(
  options: OrderTrackerOptions,
  given: Runtime = processRuntime,
): OrderTracker {
  const settings = toTrackerSettings(options, given);
  const { store, runtime, onError } = settings;
  const claimPartner = createPartnerClaim('createRamp', store, { api: settings.api });
  let isMigrated = false;
  const prepareStore = async () => {
    if (!isMigrated) await store.migrate?.();
    isMigrated = true;
    await claimPartner();
  };
  let controller = new AbortController();
  const memory = createSyncMemory(settings.pollSeconds);
  const reader = createListReader(settings, memory);
  const deliverer = createDeliverer(settings);
  const monitor = createSyncMonitor(settings, () => ({
    report: reader.report,
    isDelivering: deliverer.isDelivering,
  }));
  const schedule = createSchedule({
    settings,
    monitor,
    runSync,
    getSecondsUntilFullSync: reader.getSecondsUntilFullSync,
  });
  const stored = createStoredSync({ settings, memory, reader, deliverer });
  const checkStart = createStartCheck(settings, () => reader.report?.startedAt);
  const syncUnstarted = createUnstartedSync(settings, schedule, stored.requestSync);

  async function syncWithLease(signal: AbortSignal): Promise<SyncReport | undefined> {
    let done: SyncReport | undefined;
    await store.withSyncLease(async (hasLease = () => true) => {
      try {
        done = await reader.read(signal);
      } finally {
        // Deliver the recorded changes even if the rest of the list could not be read.
        await deliverer.deliver(signal, hasLease);
      }
    });
    return done;
  }

  async function runSync(): Promise<number | undefined> {
    await prepareStore();
    const { signal } = controller;
    const done = settings.timers
      ? await traceReports(runtime, signal, () => syncWithLease(signal))
      : await stored.sync(signal);
    return done?.recorded;
  }

  async function announceOrder(reference: string): Promise<void> {
    try {
      await store.announceOrder(reference, getSeconds(runtime));
    } catch (error) {
      onError(error);
    }
  }

  return {
    hasTimers: settings.timers,
    get delivered() {
      return deliverer.delivered;
    },
    get report() {
      return reader.report;
    },
    sync: schedule.sync,
    async syncIfDue({ isEarly = true } = {}) {
      if (settings.timers)
        throw createConfigError(
          'ramp.sync({ onlyIfDue: true })',
          'needs the option serverless. In a process that keeps running, call ramp.start() instead.',
        );
      await prepareStore();
      return stored.syncIfDue(controller.signal, isEarly);
    },
    start() {
      if (!settings.timers)
        throw createConfigError(
          'ramp.start()',
          'is for a process that keeps running, and createRamp has the option serverless. Remove the option, or let a scheduled job request the route /sync of the handler instead.',
        );
      if (schedule.status === 'started') return;
      controller = new AbortController();
      schedule.start();
    },
    async stop() {
      schedule.stop();
      controller.abort();
      await Promise.all([schedule.running?.catch(() => {}), stored.running?.catch(() => {})]);
    },
    async requestSync(reference) {
      if (reference) await announceOrder(reference);
      if (schedule.status !== 'unstarted') return schedule.requestSync(true);
      warnNotStarted(
        settings,
        'A webhook was received but ramp.start() was never called, so the order list is read only for this webhook, and orders whose webhook is lost are not found.',
      );
      return syncUnstarted();
    },
    ordersRecorded() {
      schedule.requestSync(false);
    },
    checkoutGranted() {
      if (schedule.status === 'unstarted' && !schedule.hasSynced && !schedule.running)
        warnNotStarted(
          settings,
          'A checkout was signed but ramp.start() was never called in this process, so only a webhook finds its order.',
        );
      if (settings.timers && schedule.status === 'unstarted') void checkStart();
      schedule.checkoutGranted();
    },
  };
}

/**
 * How many times an unstarted tracker tries to sync while another instance has the lease. With the pauses of
 * `BUSY_SECONDS` in between, the tries take 10 seconds, so they outlast the lease (9 seconds) of an instance that has
 * crashed.
 */
const MAX_TRIES = 6;

/**
 * Creates the sync that `requestSync` runs if the tracker was never started, and so has no timer. A call first waits
 * for a sync that is already running. That sync may have read past the order that the webhook announced, so the call
 * then runs another one, which all waiting calls share. A call never rejects.
 */
function createUnstartedSync(
  { runtime, onError }: TrackerSettings,
  schedule: Schedule,
  onRequest: () => void,
): () => Promise<void> {
  let requested: Promise<void> | undefined;
  async function syncAfterRunning(): Promise<void> {
    await schedule.running?.catch(() => {});
    requested = undefined;
    onRequest();
    try {
      for (let tries = 1; !(await schedule.sync()) && tries < MAX_TRIES; tries++)
        await sleep(runtime, BUSY_SECONDS * 1000);
    } catch (error) {
      onError(error);
    }
  }
  return () => {
    requested ??= syncAfterRunning();
    return requested;
  };
}

/** Warns once in development that a tracker is used but was never started, unless it has `timers: false`. */
function warnNotStarted({ runtime, timers }: TrackerSettings, consequence: string): void {
  if (!timers || !runtime.isFirst('not started')) return;
  runtime.warnOnce(
    `${consequence} Call ramp.start() once when your server starts. In serverless functions, pass the option serverless, and let a scheduled job request the route /sync of the handler.`,
  );
}
