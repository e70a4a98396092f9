import type { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import { deliverChanges } from './deliverChanges.js';
import { mayReadWide } from './nextDelay.js';
import type { SyncReport } from './OrderTracker.js';
import type { TrackerSettings } from './parseTrackerOptions.js';
import { syncOrders } from './syncOrders.js';
import type { TrackerStateHolder } from './TrackerState.js';

const HOUR = 3600;
const DAY = 86_400;
/** The number of reports between two full syncs: the service may change the format of all orders. */
const MAX_REPORTED = 100;
/** The announced orders that one sync confirms. */
const MAX_CONFIRMED = 500;

/** The function that runs single syncs, and its state. The tracker decides when to run them. */
export interface Syncer {
  /**
   * Reads the order list and delivers the due changes, unless another instance has the lease. Returns the
   * report of the sync if it ran.
   *
   * @throws the errors of the API and the store.
   */
  syncAndDeliver(signal: AbortSignal): Promise<SyncReport | undefined>;
  /** The report of the current or last sync. */
  readonly report: SyncReport | undefined;
  /** Whether `onOrderChange` is being called for recorded orders. */
  readonly isDelivering: boolean;
}

/** Creates a syncer. */
export function createSyncer(settings: TrackerSettings, holder: TrackerStateHolder): Syncer {
  const { store, onOrderChange, deliverySeconds, onError, runtime } = settings;
  let report: SyncReport | undefined;
  let isDelivering = false;
  /** Messages of the malformed orders that were reported since the last full sync. */
  const reported = new Set<string>();
  const returned = new Set<string>();

  const onMalformed = (error: RampError) => {
    if (reported.size >= MAX_REPORTED || reported.has(error.message)) return;
    reported.add(error.message);
    onError(error);
  };

  async function readList(signal: AbortSignal): Promise<SyncReport> {
    const startedAt = getSeconds(runtime);
    const { fullSyncAt, settlementSyncAt } = holder.state;
    const mayBeWide = mayReadWide(holder.state, startedAt);
    const isFullSync = mayBeWide && isDue(fullSyncAt, DAY, startedAt);
    if (isFullSync) reported.clear();
    const includesUnsettled = mayBeWide && isDue(settlementSyncAt, HOUR, startedAt);
    const onProgress = (progress: SyncReport) => {
      report = progress;
    };
    const kind = { isFullSync, includesUnsettled, isNarrow: !mayBeWide };
    try {
      // Read before the list: an order that is announced while the list is read may be missing in it.
      const announced = await store.listAnnouncedOrders(startedAt - DAY, MAX_CONFIRMED);
      const listeners = { onMalformed, onProgress };
      const done = await syncOrders({
        ...settings,
        ...kind,
        ...listeners,
        signal,
      });
      holder.dispatch({ type: 'list-read', startedAt, isFullSync, includesUnsettled });
      for (const reference of announced)
        await store.recordOutcome(reference, 'unconfirmed', startedAt);
      return done;
    } catch (error) {
      if (isFullSync || includesUnsettled) holder.dispatch({ type: 'wide-read-failed', startedAt });
      if (report) report = { ...report, failed: true };
      throw error;
    }
  }

  async function deliverDue(signal: AbortSignal, hasLease: () => boolean): Promise<void> {
    isDelivering = true;
    const delivery = { store, deliver: onOrderChange, deliverySeconds, onError, runtime };
    try {
      await deliverChanges({ ...delivery, signal, hasLease, returned });
    } finally {
      isDelivering = false;
    }
  }

  return {
    get report() {
      return report;
    },
    get isDelivering() {
      return isDelivering;
    },
    async syncAndDeliver(signal) {
      let done: SyncReport | undefined;
      await store.withSyncLease(async (hasLease = () => true) => {
        try {
          done = await readList(signal);
        } finally {
          // Recorded changes are delivered even if the rest of the list could not be read.
          await deliverDue(signal, hasLease);
        }
      });
      return done;
    },
  };
}

/** Returns whether `seconds` have passed since `since`, or the clock was set back to before it. */
const isDue = (since: number, seconds: number, now: number): boolean =>
  now < since || now - since >= seconds;
