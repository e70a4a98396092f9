import type { RampError } from '../../protocol/ramp-error.js';
import type { TrackerSettings } from './checkedTrackerOptions.js';
import { deliverChanges } from './deliverChanges.js';
import type { SweepReport } from './OrderTracker.js';
import { sweepOrders } from './sweepOrders.js';

const HOUR = 3600;
const DAY = 86_400;
/** Where the service writes all orders in another way, more of them say nothing new. */
const MAX_TOLD = 100;

/** What one sweep does; when it is time for one is the tracker's. */
export interface Sweeper {
  /**
   * Sweeps and hands on what is due, unless another instance is at it. Answers how it went, if it ran.
   *
   * @throws whatever the API or the store throws.
   */
  sweep(signal: AbortSignal): Promise<SweepReport | undefined>;
  /** An order was announced for this checkout; when the next sweep does not find it, it is unconfirmed. */
  announce(reference: string): void;
  /** How the last sweep goes or went. */
  readonly report: SweepReport | undefined;
  /** Whether `onOrderChange` is being called for recorded orders. */
  readonly isDelivering: boolean;
  /** When a whole week is read again, Unix seconds. */
  readonly auditDueAt: number;
}

export function createSweeper(settings: TrackerSettings): Sweeper {
  const { store, onOrderChange: deliver, deliverySeconds, onError, now } = settings;
  const seconds = () => Math.floor(now() / 1000);
  let report: SweepReport | undefined;
  let isDelivering = false;
  let auditedAt = 0;
  let followedAt = 0;
  let announced = new Set<string>();
  /** Orders that cannot be read and that were told of, since the last audit began. */
  let told = new Set<string>();
  const returned = new Set<string>();

  const onMalformed = (error: RampError) => {
    if (told.size >= MAX_TOLD || told.has(error.message)) return;
    told.add(error.message);
    onError(error);
  };

  async function record(signal: AbortSignal): Promise<SweepReport> {
    const startedAt = seconds();
    const asked = announced;
    announced = new Set();
    const isAudit = isDue(auditedAt, DAY, startedAt);
    if (isAudit) told = new Set();
    const followsSettlement = isDue(followedAt, HOUR, startedAt);
    const onProgress = (progress: SweepReport) => {
      report = progress;
    };
    const kind = { isAudit, followsSettlement };
    try {
      const done = await sweepOrders({ ...settings, ...kind, signal, onMalformed, onProgress });
      if (isAudit) auditedAt = startedAt;
      if (followsSettlement) followedAt = startedAt;
      for (const reference of asked) await store.markCheckout(reference, 'unconfirmed', startedAt);
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
    get auditDueAt() {
      return auditedAt + DAY;
    },
    announce(reference) {
      announced.add(reference);
    },
    async sweep(signal) {
      let done: SweepReport | undefined;
      await store.runAlone(async (isAlone = () => true) => {
        try {
          done = await record(signal);
        } finally {
          // What was recorded is handed on even when the rest of the list could not be read.
          isDelivering = true;
          const delivery = { store, deliver, deliverySeconds, onError, now: seconds, signal };
          try {
            await deliverChanges({ ...delivery, isAlone, returned });
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
