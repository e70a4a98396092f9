import type { RampError } from '../../protocol/ramp-error.js';
import type { Order } from '../../protocol/resources.js';
import type { OrderTrackerOptions, SweepReport } from './OrderTracker.js';

/** Orders that are recorded at once, however many a page has. */
const BATCH = 100;
/** Nobody waits for a sweep, and a page that fails begins it again. */
const MAX_TRIES = 8;

type Sweep = Required<
  Pick<
    OrderTrackerOptions,
    | 'api'
    | 'store'
    | 'pageSize'
    | 'overlapSeconds'
    | 'auditSeconds'
    | 'settlementSeconds'
    | 'retentionSeconds'
    | 'unopenedRetentionSeconds'
    | 'now'
  >
> & {
  readonly signal: AbortSignal;
  /** Reaches back as far as orders are looked after. */
  readonly isAudit: boolean;
  /** Reaches back to the oldest NFT order that is not settled. */
  readonly followsSettlement: boolean;
  readonly onProgress: (report: SweepReport) => void;
  readonly onMalformed: (error: RampError) => void;
  /** Called when the rest of a failed sync cannot be recorded. Never throws. */
  readonly onError: (error: unknown) => void;
};

/**
 * Reads the list from where the last sync ended, and a little before, to now, and records it. The
 * watermark moves when all of it is recorded. When a page fails, the orders before it are recorded and
 * the next sync starts from the same watermark.
 */
export async function sweepOrders(sweep: Sweep): Promise<SweepReport> {
  const { api, store, pageSize, now, signal, onProgress } = sweep;
  const seconds = () => Math.floor(now() / 1000);
  const startedAt = seconds();
  const from = await startOf(sweep, startedAt);
  let report: SweepReport = { startedAt, from, listed: 0, recorded: 0, malformed: 0 };
  onProgress(report);
  // One that cannot be read must not keep all the others from being recorded.
  const onMalformed = (error: RampError) => {
    report = { ...report, malformed: report.malformed + 1 };
    sweep.onMalformed(error);
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
    await recordBatch().catch(sweep.onError);
    throw error;
  }
  await recordBatch();
  await store.moveWatermark(startedAt);
  await store.expireCheckouts(startedAt);
  if (sweep.isAudit) {
    const { retentionSeconds, unopenedRetentionSeconds } = sweep;
    await store.purge(startedAt - retentionSeconds, startedAt - unopenedRetentionSeconds);
  }
  report = { ...report, endedAt: seconds() };
  onProgress(report);
  return report;
}

async function startOf(sweep: Sweep, now: number): Promise<number> {
  const { store, overlapSeconds, auditSeconds, settlementSeconds } = sweep;
  const watermark = await store.readWatermark();
  // A clock that was ahead and was set back has left its watermark in the future.
  const known = watermark === undefined ? undefined : Math.min(watermark, now);
  const starts = [known === undefined ? now - auditSeconds : known - overlapSeconds];
  if (sweep.isAudit) starts.push(now - auditSeconds);
  if (sweep.followsSettlement) {
    const oldest = await store.oldestUnsettled(now - settlementSeconds);
    if (oldest !== undefined) starts.push(oldest);
  }
  return Math.max(0, Math.min(...starts));
}
