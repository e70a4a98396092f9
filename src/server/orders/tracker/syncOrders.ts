import type { Order } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { OrderTrackerOptions, SyncReport } from './OrderTracker.js';

/** Orders that are recorded at once, however many a page has. */
const BATCH = 100;
/** Nobody waits for a sync, and a page that fails begins it again. */
const MAX_TRIES = 8;

type SyncOrdersOptions = Required<
  Pick<
    OrderTrackerOptions,
    | 'api'
    | 'store'
    | 'pageSize'
    | 'lookbackSeconds'
    | 'fullSyncLookbackSeconds'
    | 'settlementSeconds'
    | 'retentionSeconds'
    | 'unopenedRetentionSeconds'
    | 'now'
  >
> & {
  readonly signal: AbortSignal;
  /** Reaches back as far as orders are looked after. */
  readonly isFullSync: boolean;
  /** Reaches back to the oldest NFT order that is not settled. */
  readonly includesUnsettled: boolean;
  readonly onProgress: (report: SyncReport) => void;
  readonly onMalformed: (error: RampError) => void;
  /** Called when the rest of a failed sync cannot be recorded. Never throws. */
  readonly onError: (error: unknown) => void;
};

/**
 * Reads the list from where the last sync ended, and a little before, to now, and records it. The
 * watermark moves when all of it is recorded. When a page fails, the orders before it are recorded and
 * the next sync starts from the same watermark.
 */
export async function syncOrders(sync: SyncOrdersOptions): Promise<SyncReport> {
  const { api, store, pageSize, now, signal, onProgress } = sync;
  const seconds = () => Math.floor(now() / 1000);
  const startedAt = seconds();
  const from = await findStart(sync, startedAt);
  let report: SyncReport = { startedAt, from, listed: 0, recorded: 0, malformed: 0 };
  onProgress(report);
  // One that cannot be read must not keep all the others from being recorded.
  const onMalformed = (error: RampError) => {
    report = { ...report, malformed: report.malformed + 1 };
    sync.onMalformed(error);
  };
  const record = async (orders: readonly Order[]) => {
    const recorded = report.recorded + (await store.recordOrders(orders, seconds()));
    report = { ...report, listed: report.listed + orders.length, recorded };
    onProgress(report);
  };
  let batch: Order[] = [];
  const recordBatch = async () => {
    const orders = batch;
    batch = [];
    if (orders.length > 0) await record(orders);
  };
  const range = { startTime: from, endTime: startedAt, size: pageSize };
  const call = { signal, maxTries: MAX_TRIES, onMalformed };
  try {
    for await (const order of api.eachOrder(range, call)) {
      batch.push(order);
      if (batch.length >= BATCH) await recordBatch();
    }
  } catch (error) {
    // A batch that the store refused is empty by now, and not recorded a second time.
    await recordBatch().catch(sync.onError);
    throw error;
  }
  await recordBatch();
  await store.writeWatermark(startedAt);
  await store.expireCheckouts(startedAt);
  if (sync.isFullSync) {
    const { retentionSeconds, unopenedRetentionSeconds } = sync;
    await store.purge(startedAt - retentionSeconds, startedAt - unopenedRetentionSeconds);
  }
  report = { ...report, endedAt: seconds() };
  onProgress(report);
  return report;
}

async function findStart(sync: SyncOrdersOptions, now: number): Promise<number> {
  const { store, lookbackSeconds, fullSyncLookbackSeconds, settlementSeconds } = sync;
  const watermark = await store.readWatermark();
  // A clock that was ahead and was set back has left its watermark in the future.
  const known = watermark === undefined ? undefined : Math.min(watermark, now);
  const starts = [known === undefined ? now - fullSyncLookbackSeconds : known - lookbackSeconds];
  if (sync.isFullSync) starts.push(now - fullSyncLookbackSeconds);
  if (sync.includesUnsettled) {
    const oldest = await store.findOldestUnsettled(now - settlementSeconds);
    if (oldest !== undefined) starts.push(oldest);
  }
  return Math.max(0, Math.min(...starts));
}
