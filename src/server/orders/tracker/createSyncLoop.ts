import { MAX_BACKOFF_SECONDS } from '../store/DeliveryStore.js';
import type { SyncMonitor } from './createSyncMonitor.js';
import { type KnownWork, nextDelay } from './nextDelay.js';
import type { TrackerSettings } from './parseTrackerOptions.js';
import type { TrackerStateHolder } from './TrackerState.js';

/** The timer of a tracker. */
export interface SyncLoop {
  /** Schedules the next sync, and replaces the scheduled one. Does nothing unless the tracker is started. */
  schedule(inSeconds: number): void;
  /** Cancels the scheduled sync. */
  stop(): void;
}

/** Creates the loop of a started tracker: each scheduled sync schedules the next one when it ends. */
export function createSyncLoop(
  settings: TrackerSettings,
  holder: TrackerStateHolder,
  monitor: SyncMonitor,
  sync: () => Promise<boolean>,
): SyncLoop {
  const { store, maxPollSeconds, settlementSeconds, onError, now } = settings;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(inSeconds: number): void {
    clearTimeout(timer);
    if (holder.state.status !== 'started') return;
    holder.dispatch({ type: 'scheduled', dueMs: performance.now() + inSeconds * 1000 });
    timer = setTimeout(tick, inSeconds * 1000);
    timer.unref();
  }

  async function tick(): Promise<void> {
    holder.dispatch({ type: 'tick-began' });
    monitor.start();
    try {
      const isSynced = await sync();
      holder.dispatch({ type: 'tick-result', result: isSynced ? 'synced' : 'busy' });
      await planNext();
      // While another instance has the lease, the monitor continues.
      if (isSynced) monitor.stop();
    } catch (error) {
      monitor.stop();
      // A sync that stop() aborted does not count as failed.
      if (holder.state.status !== 'started') return holder.dispatch({ type: 'tick-ended' });
      onError(error);
      holder.dispatch({ type: 'tick-result', result: 'failed' });
      await planNext();
    }
  }

  const hasChange = async (byTime: number) =>
    (await store.listPendingChanges(byTime, 1)).length > 0;
  /** Reads the values that `nextDelay` requests. */
  const readWork = {
    now: async () => Math.floor(now() / 1000),
    isChangeDue: hasChange,
    isCheckoutOpen: (at: number) => store.hasOpenCheckouts(at),
    isChangeDueSoon: (at: number) => hasChange(at + maxPollSeconds),
    isOrderUnsettled: async (at: number) =>
      (await store.findOldestUnsettled(at - settlementSeconds)) !== undefined,
    isChangePostponed: (at: number) => hasChange(at + MAX_BACKOFF_SECONDS),
  } satisfies Record<keyof KnownWork, unknown>;

  /**
   * Plans the next sync. It awaits nothing between the last `nextDelay` and `schedule`, or a request in between
   * would be lost.
   */
  async function planNext(): Promise<void> {
    let work: KnownWork = {};
    let next = nextDelay(holder.state, work, settings);
    while (typeof next === 'string') {
      work = { ...work, [next]: await readWork[next](work.now ?? 0) };
      next = nextDelay(holder.state, work, settings);
    }
    holder.dispatch({ type: 'tick-ended' });
    schedule(next);
  }

  return { schedule, stop: () => clearTimeout(timer) };
}
