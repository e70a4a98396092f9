import type { Order } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import type { TrackerSettings } from './trackerOptions.js';

const HOUR = 3600;
const DAY = 86_400;
/** Orders that are recorded in one transaction. It does not depend on the page size. */
const BATCH = 100;
/** More attempts than for other requests: no caller waits for a sync, and a failed page restarts it. */
const MAX_TRIES = 8;
/** The malformed orders that are reported between two full syncs: the service may change the format of all orders. */
const MAX_REPORTED = 100;
/** The announced orders that one sync confirms. */
const MAX_CONFIRMED = 500;
/** The longest time between two attempts of a sync that reads further back than others. */
const MAX_WIDE_RETRY_SECONDS = HOUR;

/** A report of the last sync, for an operator. Times are Unix seconds. */
export interface SyncReport {
  readonly startedAt: number;
  /** Absent while the list is read, and if that failed. */
  readonly endedAt?: number | undefined;
  /** The start of the range of finish times. */
  readonly from: number;
  /** Orders that the list has returned. */
  readonly listed: number;
  /** Orders that were new or had advanced. */
  readonly recorded: number;
  /**
   * Malformed orders of the list. `onError` is called for each of them once a day. They are missing until the
   * service corrects them: each sync reads them again within `lookbackSeconds`, and the daily full sync within
   * `fullSyncLookbackSeconds`.
   */
  readonly malformed: number;
  /** Whether the sync failed. */
  readonly failed?: true | undefined;
}

/** Reads the order list, and records it. */
export interface ListReader {
  /**
   * Reads the list from `lookbackSeconds` before the watermark until now, and records it; once a day the whole past
   * week, and once an hour from the oldest NFT order that awaits settlement. The watermark advances when the
   * whole list is recorded. If a page fails, the orders before it are recorded, and the next sync starts from the
   * same watermark.
   *
   * @throws the errors of the API and the store.
   */
  read(signal: AbortSignal): Promise<SyncReport>;
  /** The report of the current or last reading. */
  readonly report: SyncReport | undefined;
  /** Returns the seconds until the whole past week may be read. */
  getSecondsUntilFullSync(): number;
}

/** What a sync reads beside the time since the watermark. */
interface Extent {
  /** The whole lookback. It also purges. */
  readonly isFull: boolean;
  /** From the oldest unsettled NFT order on. */
  readonly includesUnsettled: boolean;
  /** Only the `lookbackSeconds`, because a reading further back has failed. */
  readonly isNarrow: boolean;
}

/** Creates the reader of a tracker. */
export function createListReader(settings: TrackerSettings): ListReader {
  const { api, store, pageSize, pollSeconds, onError, runtime } = settings;
  let report: SyncReport | undefined;
  /** Messages of the malformed orders that were reported since the last full sync. */
  const reported = new Set<string>();
  /** When the last reading of each kind began. */
  let fullSyncAt = 0;
  let settlementSyncAt = 0;
  /** The readings beyond `lookbackSeconds` that have failed since one succeeded, and when the next may begin. */
  let wideFailures = 0;
  let wideRetryAt = 0;

  /**
   * Returns whether a sync may read further back than `lookbackSeconds`: not soon after such a sync has failed,
   * because an old day that the service cannot list must not keep new orders back.
   */
  const mayReadWide = (now: number) =>
    // A time that is further away than any retry comes from a clock that was ahead.
    now >= wideRetryAt || wideRetryAt > now + MAX_WIDE_RETRY_SECONDS;

  function chooseExtent(now: number): Extent {
    if (!mayReadWide(now)) return { isFull: false, includesUnsettled: false, isNarrow: true };
    return {
      isFull: isDue(fullSyncAt, DAY, now),
      includesUnsettled: isDue(settlementSyncAt, HOUR, now),
      isNarrow: false,
    };
  }

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
      // Read before the list: an order that is announced while the list is read may be missing in it.
      const announced = await store.listAnnouncedOrders(startedAt - DAY, MAX_CONFIRMED);
      const done = await readRange(extent, startedAt, signal);
      if (isFull) fullSyncAt = startedAt;
      if (includesUnsettled) settlementSyncAt = startedAt;
      if (isFull || includesUnsettled) {
        wideFailures = 0;
        wideRetryAt = 0;
      }
      for (const reference of announced)
        await store.recordOutcome(reference, 'unconfirmed', startedAt);
      return done;
    } catch (error) {
      if (isFull || includesUnsettled) {
        const retrySeconds = Math.min(pollSeconds * 2 ** wideFailures, MAX_WIDE_RETRY_SECONDS);
        wideFailures++;
        wideRetryAt = startedAt + retrySeconds;
      }
      if (report) report = { ...report, failed: true };
      throw error;
    }
  }

  async function readRange(
    extent: Extent,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<SyncReport> {
    const watermark = await store.readWatermark();
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
      // `batch` is empty if the store rejected it, so it is not recorded twice.
      await recordBatch().catch(onError);
      throw error;
    }
    await recordBatch();
    // A narrow reading cannot tell that older orders are recorded.
    if (watermark !== undefined || !extent.isNarrow) await store.writeWatermark(startedAt);
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
      return Math.max(fullSyncAt + DAY, mayReadWide(now) ? 0 : wideRetryAt) - now;
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
  // The watermark is in the future if the clock was ahead and has been set back.
  const known = Math.min(watermark ?? now, now) - lookbackSeconds;
  const starts = [isUnknown ? now - fullSyncLookbackSeconds : known];
  if (isFull) starts.push(now - fullSyncLookbackSeconds);
  if (includesUnsettled) {
    const oldest = await store.findOldestUnsettled(now - settlementSeconds);
    if (oldest !== undefined) starts.push(oldest);
  }
  return Math.max(0, Math.min(...starts));
}

/** Returns whether `seconds` have passed since `since`, or the clock was set back to before it. */
const isDue = (since: number, seconds: number, now: number): boolean =>
  now < since || now - since >= seconds;
