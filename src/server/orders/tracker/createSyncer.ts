import type { RampError } from '../../../protocol/errors/RampError.js';
import { deliverChanges } from './deliverChanges.js';
import type { SyncReport } from './OrderTracker.js';
import type { TrackerSettings } from './parseTrackerOptions.js';
import { syncOrders } from './syncOrders.js';

const HOUR = 3600;
const DAY = 86_400;
/** Where the service writes all orders in another way, more of them say nothing new. */
const MAX_REPORTED = 100;

/** What one sync does; when it is time for one is the tracker's. */
export interface Syncer {
  /**
   * Sweeps and hands on what is due, unless another instance is at it. Answers how it went, if it ran.
   *
   * @throws whatever the API or the store throws.
   */
  sync(signal: AbortSignal): Promise<SyncReport | undefined>;
  /** An order was announced for this checkout; when the next sync does not find it, it is unconfirmed. */
  announceOrder(reference: string): void;
  /** How the last sync goes or went. */
  readonly report: SyncReport | undefined;
  /** Whether `onOrderChange` is being called for recorded orders. */
  readonly isDelivering: boolean;
  /** When a whole week is read again, Unix seconds. */
  readonly fullSyncDueAt: number;
}

export function createSyncer(settings: TrackerSettings): Syncer {
  const { store, onOrderChange: deliver, deliverySeconds, onError, now } = settings;
  const seconds = () => Math.floor(now() / 1000);
  let report: SyncReport | undefined;
  let isDelivering = false;
  let fullSyncAt = 0;
  let settlementSyncAt = 0;
  let announced = new Set<string>();
  /** Orders that cannot be read and that were told of, since the last audit began. */
  let told = new Set<string>();
  const returned = new Set<string>();

  const onMalformed = (error: RampError) => {
    if (told.size >= MAX_REPORTED || told.has(error.message)) return;
    told.add(error.message);
    onError(error);
  };

  async function record(signal: AbortSignal): Promise<SyncReport> {
    const startedAt = seconds();
    const asked = announced;
    announced = new Set();
    const isFullSync = isDue(fullSyncAt, DAY, startedAt);
    if (isFullSync) told = new Set();
    const includesUnsettled = isDue(settlementSyncAt, HOUR, startedAt);
    const onProgress = (progress: SyncReport) => {
      report = progress;
    };
    const kind = { isFullSync, includesUnsettled };
    try {
      const done = await syncOrders({ ...settings, ...kind, signal, onMalformed, onProgress });
      if (isFullSync) fullSyncAt = startedAt;
      if (includesUnsettled) settlementSyncAt = startedAt;
      for (const reference of asked) await store.recordOutcome(reference, 'unconfirmed', startedAt);
      return done;
    } catch (error) {
      for (const reference of asked) announced.add(reference);
      if (report) report = { ...report, failed: true };
      throw error;
    }
  }

  return {
    get report() {
      return report;
    },
    get isDelivering() {
      return isDelivering;
    },
    get fullSyncDueAt() {
      return fullSyncAt + DAY;
    },
    announceOrder(reference) {
      announced.add(reference);
    },
    async sync(signal) {
      let done: SyncReport | undefined;
      await store.withSyncLease(async (hasLease = () => true) => {
        try {
          done = await record(signal);
        } finally {
          // What was recorded is handed on even when the rest of the list could not be read.
          isDelivering = true;
          const delivery = { store, deliver, deliverySeconds, onError, now: seconds, signal };
          try {
            await deliverChanges({ ...delivery, hasLease, returned });
          } finally {
            isDelivering = false;
          }
        }
      });
      return done;
    },
  };
}

/** Whether a time has passed since then; also when the clock was set back behind it. */
const isDue = (since: number, seconds: number, now: number): boolean =>
  now < since || now - since >= seconds;
