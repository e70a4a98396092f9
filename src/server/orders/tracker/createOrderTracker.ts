import { createConfigError } from '../../../protocol/errors/createConfigError.js';
import { getSeconds, processRuntime, type Runtime } from '../../internal/runtime.js';
import { createSyncer } from './createSyncer.js';
import { createSyncLoop } from './createSyncLoop.js';
import { createSyncMonitor } from './createSyncMonitor.js';
import { createUnstartedSync } from './createUnstartedSync.js';
import { grantedDelay, REQUEST_SECONDS, requestDelay } from './nextDelay.js';
import type { OrderTracker, OrderTrackerOptions } from './OrderTracker.js';
import { parseTrackerOptions } from './parseTrackerOptions.js';
import { reduceTrackerState } from './reduceTrackerState.js';
import { createTrackerState, type TrackerLimits, type TrackerStateHolder } from './TrackerState.js';
import { warnNotStarted } from './warnNotStarted.js';

/**
 * Creates an order tracker. Webhooks can be lost, so it also polls the order list: every `pollSeconds`, then less
 * often, while a checkout is open, hourly while an NFT awaits settlement, and daily over the past week. It
 * calls `onOrderChange` at least once for each change of an order.
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
export function createOrderTracker(options: OrderTrackerOptions): OrderTracker;
/** @internal */
export function createOrderTracker(options: OrderTrackerOptions, given: Runtime): OrderTracker;
export function createOrderTracker(
  options: OrderTrackerOptions,
  given: Runtime = processRuntime,
): OrderTracker {
  const settings = parseTrackerOptions(options, given);
  const { store, runtime } = settings;
  let running: Promise<boolean> | undefined;
  let controller = new AbortController();
  const holder = createStateHolder(settings);
  const syncer = createSyncer(settings, holder);
  const monitor = createSyncMonitor(settings, syncer);
  const loop = createSyncLoop(settings, holder, monitor, sync);
  const syncUnstarted = createUnstartedSync(runtime, sync, () => running, settings.onError);

  async function runSync(): Promise<boolean> {
    const done = await syncer.syncAndDeliver(controller.signal);
    if (done) holder.dispatch({ type: 'synced', recorded: done.recorded });
    return done !== undefined;
  }

  function sync(): Promise<boolean> {
    running ??= runSync().finally(() => {
      running = undefined;
      holder.dispatch({ type: 'sync-ended', atMs: runtime.monotonic() });
      if (holder.state.isSyncRequested) loop.schedule(REQUEST_SECONDS);
      else loop.plan();
    });
    return running;
  }

  function requestScheduledSync(isFollowedUp: boolean): void {
    const { isSyncRequested } = holder.state;
    holder.dispatch({ type: 'sync-requested', isFollowedUp });
    // A running sync may already have read past the order, so another one follows it.
    if (!isSyncRequested && !running)
      loop.schedule(requestDelay(holder.state, runtime.monotonic()));
  }

  async function announceOrder(reference: string): Promise<void> {
    try {
      await store.announceOrder(reference, getSeconds(runtime));
    } catch (error) {
      settings.onError(error);
    }
  }

  const tracker: OrderTracker = {
    store,
    get report() {
      return syncer.report;
    },
    sync,
    start() {
      if (!settings.timers)
        throw createConfigError(
          'tracker.start()',
          'needs timers, and the tracker has timers: false. Remove that option in a process that keeps running; in a serverless function call tracker.sync() from a scheduled job instead.',
        );
      if (holder.state.status === 'started') return;
      holder.dispatch({ type: 'started' });
      controller = new AbortController();
      loop.schedule(0);
    },
    async stop() {
      holder.dispatch({ type: 'stopped' });
      loop.stop();
      monitor.stop();
      controller.abort();
      await running?.catch(() => {});
    },
    async requestSync(reference) {
      if (reference) await announceOrder(reference);
      if (holder.state.status === 'unstarted') {
        warnNotStarted(
          settings,
          'A webhook was received but tracker.start() was never called, so the order list is read only for this webhook, and orders whose webhook is lost are not found.',
        );
        return syncUnstarted();
      }
      requestScheduledSync(true);
    },
    ordersRecorded() {
      if (holder.state.status === 'started') requestScheduledSync(false);
    },
    checkoutGranted() {
      const { status, endedMs } = holder.state;
      if (status === 'unstarted' && endedMs === null && !running)
        warnNotStarted(
          settings,
          'A checkout was signed but tracker.start() was never called in this process, so only a webhook finds its order.',
        );
      holder.dispatch({ type: 'checkout-granted' });
      const delay = grantedDelay(holder.state, settings, runtime.monotonic());
      if (delay !== undefined) loop.schedule(delay);
    },
  };
  return tracker;
}

function createStateHolder(limits: TrackerLimits): TrackerStateHolder {
  let state = createTrackerState(limits);
  return {
    get state() {
      return state;
    },
    dispatch(event) {
      state = reduceTrackerState(state, event, limits);
    },
  };
}
