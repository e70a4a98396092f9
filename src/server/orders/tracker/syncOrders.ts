import type { Order } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import type { CheckoutStore, OrderRecordStore, SyncStateStore } from '../store/OrderStore.js';
import type { SyncReport } from './OrderTracker.js';
import type { TrackerSettings } from './parseTrackerOptions.js';

/** Orders that are recorded in one transaction. It does not depend on the page size. */
const BATCH = 100;
/** More attempts than for other requests: no caller waits for a sync, and a failed page restarts it. */
const MAX_TRIES = 8;

interface SyncOrdersOptions
  extends Pick<
    TrackerSettings,
    | 'api'
    | 'pageSize'
    | 'lookbackSeconds'
    | 'fullSyncLookbackSeconds'
    | 'settlementSeconds'
    | 'retentionSeconds'
    | 'unopenedRetentionSeconds'
    | 'runtime'
  > {
  readonly store: Pick<OrderRecordStore, 'recordOrders' | 'findOldestUnsettled'> &
    Pick<CheckoutStore, 'expireCheckouts'> &
    Pick<SyncStateStore, 'readWatermark' | 'writeWatermark'> &
    Pick<TrackerSettings['store'], 'purge'>;
  readonly signal: AbortSignal;
  /** Whether to read the whole lookback, and to purge. */
  readonly isFullSync: boolean;
  /** Whether to read only the `lookbackSeconds`, because a sync that read further back has failed. */
  readonly isNarrow: boolean;
  /** Whether to begin at the oldest unsettled NFT order. */
  readonly includesUnsettled: boolean;
  readonly onProgress: (report: SyncReport) => void;
  readonly onMalformed: (error: RampError) => void;
  /** Is called when the rest of a failed sync cannot be recorded. Never throws. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reads the order list from `lookbackSeconds` before the watermark until now, and records it. The watermark
 * advances when the whole list is recorded. If a page fails, the orders before it are recorded and the next
 * sync starts from the same watermark.
 */
export async function syncOrders(sync: SyncOrdersOptions): Promise<SyncReport> {
  const { api, store, pageSize, runtime, signal, onProgress } = sync;
  const startedAt = getSeconds(runtime);
  const { from, hadWatermark } = await findStart(sync, startedAt);
  let report: SyncReport = { startedAt, from, listed: 0, recorded: 0, malformed: 0 };
  onProgress(report);
  // A malformed order must not keep the others from being recorded.
  const countMalformed = (error: RampError) => {
    report = { ...report, malformed: report.malformed + 1 };
    sync.onMalformed(error);
  };
  let batch: Order[] = [];
  const recordBatch = async () => {
    const orders = batch;
    batch = [];
    if (orders.length === 0) return;
    const recorded = report.recorded + (await store.recordOrders(orders, getSeconds(runtime)));
    report = { ...report, listed: report.listed + orders.length, recorded };
    onProgress(report);
  };
  const range = { startTime: from, endTime: startedAt, size: pageSize };
  const call = { signal, maxTries: MAX_TRIES, onMalformed: countMalformed };
  try {
    for await (const order of api.eachOrder(range, call)) {
      batch.push(order);
      if (batch.length >= BATCH) await recordBatch();
    }
  } catch (error) {
    // `batch` is empty if the store rejected it, so it is not recorded twice.
    await recordBatch().catch(sync.onError);
    throw error;
  }
  await recordBatch();
  // A narrow sync cannot tell that older orders are recorded.
  if (hadWatermark || !sync.isNarrow) await store.writeWatermark(startedAt);
  await store.expireCheckouts(startedAt);
  if (sync.isFullSync) {
    const { retentionSeconds, unopenedRetentionSeconds } = sync;
    await store.purge(startedAt - retentionSeconds, startedAt - unopenedRetentionSeconds);
  }
  report = { ...report, endedAt: getSeconds(runtime) };
  onProgress(report);
  return report;
}

async function findStart(sync: SyncOrdersOptions, now: number) {
  const { store, lookbackSeconds, fullSyncLookbackSeconds, settlementSeconds } = sync;
  const watermark = await store.readWatermark();
  const isUnknown = watermark === undefined && !sync.isNarrow;
  // The watermark is in the future if the clock was ahead and has been set back.
  const known = Math.min(watermark ?? now, now) - lookbackSeconds;
  const starts = [isUnknown ? now - fullSyncLookbackSeconds : known];
  if (sync.isFullSync) starts.push(now - fullSyncLookbackSeconds);
  if (sync.includesUnsettled) {
    const oldest = await store.findOldestUnsettled(now - settlementSeconds);
    if (oldest !== undefined) starts.push(oldest);
  }
  return { from: Math.max(0, Math.min(...starts)), hadWatermark: watermark !== undefined };
}
