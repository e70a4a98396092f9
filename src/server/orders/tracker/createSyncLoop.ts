import { MAX_BACKOFF_SECONDS } from '../store/DeliveryStore.js';
import type { SyncMonitor } from './createSyncMonitor.js';
import { type KnownWork, nextDelay } from './nextDelay.js';
import type { TrackerSettings } from './parseTrackerOptions.js';
import type { TrackerStateHolder } from './TrackerState.js';

export interface SyncLoop {
  /** Schedules the next sync in place of the one that was scheduled. Does nothing unless started. */
  schedule(inSeconds: number): void;
  stop(): void;
}

/** Creates the loop of a started tracker: each scheduled sync ends by scheduling the next. */
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
      // While another instance has the lease, the monitor goes on.
      if (isSynced) monitor.stop();
    } catch (error) {
      monitor.stop();
      // A sync that stop() aborted has not failed.
      if (holder.state.status !== 'started') return holder.dispatch({ type: 'tick-ended' });
      onError(error);
      holder.dispatch({ type: 'tick-result', result: 'failed' });
      await planNext();
    }
  }

  const hasChange = async (byTime: number) =>
    (await store.listPendingChanges(byTime, 1)).length > 0;
  /** Reads what `nextDelay` needs to know. */
  const readWork = {
    now: async () => Math.floor(now() / 1000),
    isChangeDue: hasChange,
    isCheckoutOpen: (at: number) => store.hasOpenCheckouts(at),
    isChangeDueSoon: (at: number) => hasChange(at + maxPollSeconds),
    isOrderUnsettled: async (at: number) =>
      (await store.findOldestUnsettled(at - settlementSeconds)) !== undefined,
    isChangePostponed: (at: number) => hasChange(at + MAX_BACKOFF_SECONDS),
  } satisfies Record<keyof KnownWork, unknown>;

  /** The delay is derived and scheduled without a pause, or a request that comes between would be lost. */
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
