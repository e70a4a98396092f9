import { getSeconds, type Timer } from '../../internal/runtime.js';
import { MAX_BACKOFF_SECONDS } from '../store/OrderStore.js';
import type { SyncMonitor } from './createSyncMonitor.js';
import { type KnownWork, nextDelay } from './nextDelay.js';
import type { TrackerSettings } from './parseTrackerOptions.js';
import type { TrackerStateHolder } from './TrackerState.js';

const DAY = 86_400;

/** The timer of a tracker. */
export interface SyncLoop {
  /** Schedules the next sync, and replaces the scheduled one. Does nothing unless the tracker is started. */
  schedule(inSeconds: number): void;
  /**
   * Plans the next sync anew, because the store has changed: orders were recorded outside the loop. Does nothing
   * unless the tracker is started, or while a scheduled sync runs, which plans the next one itself.
   */
  plan(): void;
  /** Cancels the scheduled sync. */
  stop(): void;
}

/**
 * Creates the loop of a started tracker: each scheduled sync plans the next one when it ends. When none is due
 * for long, the loop looks into the store every `maxPollSeconds`: another instance may have granted a checkout,
 * and stopped.
 */
export function createSyncLoop(
  settings: TrackerSettings,
  holder: TrackerStateHolder,
  monitor: SyncMonitor,
  sync: () => Promise<boolean>,
): SyncLoop {
  const { store, onOrderChange, maxPollSeconds, settlementSeconds, onError, runtime } = settings;
  let timer: Timer | undefined;
  /** The number of scheduled syncs that have begun. */
  let ticks = 0;

  function setTimer(inSeconds: number, run: () => void): void {
    runtime.clearTimeout(timer);
    if (holder.state.status !== 'started') return;
    holder.dispatch({ type: 'scheduled', dueMs: runtime.monotonic() + inSeconds * 1000 });
    timer = runtime.setTimeout(run, inSeconds * 1000);
    timer.unref();
  }

  const schedule = (inSeconds: number) => setTimer(inSeconds, tick);

  async function tick(): Promise<void> {
    ticks++;
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
      await planAfter(error);
    }
  }

  async function look(): Promise<void> {
    const begun = ticks;
    try {
      await planNext();
    } catch (error) {
      if (begun === ticks) await planAfter(error);
    }
  }

  async function planAfter(error: unknown): Promise<void> {
    // A sync that stop() aborted does not count as failed.
    if (holder.state.status !== 'started') return holder.dispatch({ type: 'plan-ended' });
    onError(error);
    holder.dispatch({ type: 'tick-result', result: 'failed' });
    await planNext();
  }

  // A change that this tracker leaves to another one does not make a sync due.
  const hasChange = async (byTime: number) =>
    onOrderChange !== undefined && (await store.listPendingChanges(byTime, 1)).length > 0;
  /** Reads the values that `nextDelay` requests. */
  const readWork = {
    now: async () => getSeconds(runtime),
    isChangeDue: hasChange,
    isCheckoutOpen: (at: number) => store.hasOpenCheckouts(at),
    isOrderAnnounced: (at: number) => store.hasAnnouncedOrders(at - DAY),
    isChangeDueSoon: (at: number) => hasChange(at + maxPollSeconds),
    isOrderUnsettled: async (at: number) =>
      (await store.findOldestUnsettled(at - settlementSeconds)) !== undefined,
    isChangePostponed: (at: number) => hasChange(at + MAX_BACKOFF_SECONDS),
  } satisfies Record<keyof KnownWork, unknown>;

  /**
   * Plans the next sync. It awaits nothing between the last `nextDelay` and `setTimer`, or a request in between
   * would be lost.
   */
  async function planNext(): Promise<void> {
    holder.dispatch({ type: 'plan-began' });
    const begun = ticks;
    let work: KnownWork = {};
    let next = nextDelay(holder.state, work, settings, getSecondsSinceSync());
    while (typeof next === 'string') {
      work = { ...work, [next]: await readWork[next](work.now ?? 0) };
      // A requested sync has begun meanwhile, and plans the next one.
      if (begun !== ticks) return;
      next = nextDelay(holder.state, work, settings, getSecondsSinceSync());
    }
    holder.dispatch({ type: 'plan-ended' });
    if (next > maxPollSeconds) setTimer(maxPollSeconds, look);
    else schedule(next);
  }

  const getSecondsSinceSync = (): number => {
    const { endedMs } = holder.state;
    return endedMs === null ? 0 : (runtime.monotonic() - endedMs) / 1000;
  };

  return {
    schedule,
    plan() {
      if (holder.state.status === 'started' && !holder.state.isTicking) look();
    },
    stop: () => runtime.clearTimeout(timer),
  };
}
