import type { Order } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import type { TrackerSettings } from './trackerOptions.js';

const HOUR = 3600;
const DAY = 86_400;
/** The number of orders that are recorded in one transaction, whatever the page size is. */
const BATCH = 100;
/**
 * The number of attempts for each page. It is higher than for other requests, because no caller waits for a sync, and a
 * page that fails makes the next sync read the range from its start again.
 */
const MAX_TRIES = 8;
/**
 * At most this many distinct messages about malformed orders are reported between two full syncs, because the service
 * may change the format of all orders at once.
 */
const MAX_REPORTED = 100;
/** At most this many checkouts become `unconfirmed` in one sync. */
const MAX_CONFIRMED = 500;
/** The longest pause after a wide reading has failed. A wide reading begins further back than `lookbackSeconds`. */
const MAX_PAUSE_SECONDS = HOUR;

/** A report of one sync, for an operator. Times are Unix seconds. */
export interface SyncReport {
  readonly startedAt: number;
  /** Absent while the list is being read, and if the reading failed. */
  readonly endedAt?: number | undefined;
  /** The start of the range of finish times. */
  readonly from: number;
  /** The number of orders that were read from the list, without malformed ones. */
  readonly listed: number;
  /** The number of orders that were new or had advanced. */
  readonly recorded: number;
  /**
   * The number of malformed orders in the list. They are not recorded. Between two full syncs, `onError` is called once
   * for each distinct message about them, at most 100 times. Once the service corrects an order, the next sync records
   * the order if it finished within `lookbackSeconds`. The daily full sync also records orders that finished within
   * `fullSyncLookbackSeconds`.
   */
  readonly malformed: number;
  readonly failed?: true | undefined;
}

export interface ListReader {
  /**
   * Reads the list up to now, and records its orders. The reading begins `lookbackSeconds` before the watermark. Once a
   * day it begins `fullSyncLookbackSeconds` before now, and once an hour at the oldest NFT order that awaits
   * settlement.
   *
   * When the whole list is recorded, the watermark advances. If a page fails, the orders before it are recorded, but
   * the next sync starts from the same watermark.
   *
   * @throws the errors of the API and the store.
   */
  read(signal: AbortSignal): Promise<SyncReport>;
  /** The report of the current or last reading. */
  readonly report: SyncReport | undefined;
  /** Returns the seconds until the next full sync is due, or, after it has failed, until it may be retried. */
  getSecondsUntilFullSync(): number;
}

/** How far back a sync reads, beyond the watermark. */
interface Extent {
  /**
   * Whether the sync begins `fullSyncLookbackSeconds` before now, or earlier. Such a full sync also purges the store.
   */
  readonly isFull: boolean;
  /** Whether the sync begins at the oldest unsettled NFT order, or earlier. */
  readonly includesUnsettled: boolean;
  /** Whether a full sync has recently failed. If so, the sync does not reach back a week, even without a watermark. */
  readonly isNarrow: boolean;
}

/**
 * The pause after a wide reading has failed: the service may be unable to list an old day, and that must not keep new
 * orders from being recorded.
 */
interface Pause {
  /** When the pause ends, Unix seconds. */
  readonly until: number;
  isOver(now: number): boolean;
  begin(now: number): void;
  reset(): void;
}

/** Creates a pause of a minute, whose length doubles with each failure. */
function createPause(): Pause {
  let failures = 0;
  let until = 0;
  return {
    get until() {
      return until;
    },
    // Ignore an end beyond the longest pause: it was set while the clock was ahead.
    isOver: (now) => now >= until || until > now + MAX_PAUSE_SECONDS,
    begin(now) {
      until = now + Math.min(60 * 2 ** failures, MAX_PAUSE_SECONDS);
      failures++;
    },
    reset() {
      failures = 0;
      until = 0;
    },
  };
}

export function createListReader(settings: TrackerSettings): ListReader {
  const { api, store, pageSize, onError, runtime } = settings;
  let report: SyncReport | undefined;
  /** The messages of the malformed orders that were reported since the last full sync. */
  const reported = new Set<string>();
  /** When the last successful reading of each kind began, Unix seconds. */
  let fullSyncAt = 0;
  let settlementSyncAt = 0;
  /** When the first sync since the last successful one began, Unix seconds. */
  let failingSince: number | undefined;
  // Each kind has its own pause, so that an old day that cannot be listed does not hold up the settlement of new NFTs.
  const fullPause = createPause();
  const settlementPause = createPause();

  const chooseExtent = (now: number): Extent => ({
    isFull: isDue(fullSyncAt, DAY, now) && fullPause.isOver(now),
    includesUnsettled: isDue(settlementSyncAt, HOUR, now) && settlementPause.isOver(now),
    isNarrow: !fullPause.isOver(now),
  });

  function reportMalformed(error: RampError): void {
    if (reported.size >= MAX_REPORTED || reported.has(error.message)) return;
    reported.add(error.message);
    onError(error);
  }

  async function read(signal: AbortSignal): Promise<SyncReport> {
    const startedAt = getSeconds(runtime);
    const extent = chooseExtent(startedAt);
    const { isFull, includesUnsettled } = extent;
    if (isFull) reported.clear();
    try {
      // Read the announced orders before the list. The list may lack an order that is announced while it is being read,
      // so such an order must not count as unconfirmed.
      const announced = await store.listAnnouncedOrders(startedAt - DAY, MAX_CONFIRMED);
      const done = await readRange(extent, startedAt, signal);
      if (isFull) {
        fullSyncAt = startedAt;
        fullPause.reset();
      }
      if (includesUnsettled) {
        settlementSyncAt = startedAt;
        settlementPause.reset();
      }
      for (const reference of announced)
        await store.recordOutcome(reference, 'unconfirmed', startedAt);
      return done;
    } catch (error) {
      // After a failed full sync, pause only full syncs. The service may be unable to list a day that only a full sync
      // reads, so the next sync still reads the unsettled orders.
      if (isFull) fullPause.begin(startedAt);
      else if (includesUnsettled) settlementPause.begin(startedAt);
      if (report) report = { ...report, failed: true };
      throw error;
    }
  }

  async function readRange(
    extent: Extent,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<SyncReport> {
    failingSince ??= startedAt;
    // In a narrow sync without a watermark, use the start of the first sync instead, because none has succeeded since.
    const watermark = (await store.readWatermark()) ?? (extent.isNarrow ? failingSince : undefined);
    const from = await findStart(settings, extent, watermark, startedAt);
    let current: SyncReport = { startedAt, from, listed: 0, recorded: 0, malformed: 0 };
    const update = (changes: Partial<SyncReport>) => {
      current = { ...current, ...changes };
      report = current;
    };
    update({});
    let batch: Order[] = [];
    const recordBatch = async () => {
      const orders = batch;
      batch = [];
      if (orders.length === 0) return;
      const recorded = current.recorded + (await store.recordOrders(orders, getSeconds(runtime)));
      update({ listed: current.listed + orders.length, recorded });
    };
    // A malformed order must not keep the others from being recorded.
    const onMalformed = (error: RampError) => {
      update({ malformed: current.malformed + 1 });
      reportMalformed(error);
    };
    const range = { startTime: from, endTime: startedAt, size: pageSize };
    const call = { signal, maxTries: MAX_TRIES, onMalformed };
    try {
      for await (const order of api.eachOrder(range, call)) {
        batch.push(order);
        if (batch.length >= BATCH) await recordBatch();
      }
    } catch (error) {
      // Record the orders before the page that failed. If the store has failed instead, `batch` is already empty, so no
      // order is recorded twice.
      await recordBatch().catch(onError);
      throw error;
    }
    await recordBatch();
    // Write the watermark even after a narrow reading. Without a watermark, a restart or an idle time longer than the
    // lookback would leave a gap. Older orders are not lost: each process reads them with its first full sync.
    await store.writeWatermark(startedAt);
    failingSince = undefined;
    await store.expireCheckouts(startedAt);
    if (extent.isFull) {
      const { retentionSeconds, unopenedRetentionSeconds } = settings;
      await store.purge(startedAt - retentionSeconds, startedAt - unopenedRetentionSeconds);
    }
    update({ endedAt: getSeconds(runtime) });
    return current;
  }

  return {
    read,
    get report() {
      return report;
    },
    getSecondsUntilFullSync() {
      const now = getSeconds(runtime);
      return Math.max(fullSyncAt + DAY, fullPause.isOver(now) ? 0 : fullPause.until) - now;
    },
  };
}

/** Returns the time from which a sync reads, Unix seconds. */
async function findStart(
  settings: TrackerSettings,
  { isFull, includesUnsettled, isNarrow }: Extent,
  watermark: number | undefined,
  now: number,
): Promise<number> {
  const { store, lookbackSeconds, fullSyncLookbackSeconds, settlementSeconds } = settings;
  const isUnknown = watermark === undefined && !isNarrow;
  // If the watermark is in the future, it was written while the clock was ahead. Then use the current time instead.
  const known = Math.min(watermark ?? now, now) - lookbackSeconds;
  const starts = [isUnknown ? now - fullSyncLookbackSeconds : known];
  if (isFull) starts.push(now - fullSyncLookbackSeconds);
  if (includesUnsettled) {
    const oldest = await store.findOldestUnsettled(now - settlementSeconds);
    if (oldest !== undefined) starts.push(oldest);
  }
  return Math.max(0, Math.min(...starts));
}

/**
 * Returns whether `seconds` have passed since `since`. Also returns true if `since` is in the future, because the clock
 * was set back.
 */
const isDue = (since: number, seconds: number, now: number): boolean =>
  now < since || now - since >= seconds;
