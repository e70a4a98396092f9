import type { Order } from '../../protocol/api/resources.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { getSeconds } from '../internal/runtime.js';
import { withTimeLimit } from '../internal/withTimeLimit.js';
import type { Checkout } from '../orders/store/OrderStore.js';
import { getWatermark, parseSyncState } from '../orders/tracker/syncState.js';
import type { HandlerSettings } from './options.js';

/** The longest time a check may take. The shopper looks at a blank window until it ends. */
const LIMIT_MS = 3000;
/**
 * The maximum number of requests to the service per reading. The number is low, because any shopper can cause a
 * reading.
 */
const MAX_REQUESTS = 10;
/**
 * Extends the range of finish times at both ends. At the start, the margin must cover both the clock skew and the
 * service's delay in listing an order.
 */
const MARGIN_SECONDS = 300;
const DAY = 86_400;
/** The number of orders that are recorded in one transaction. */
const BATCH = 100;

/** A reading of the order list that has not begun yet, so its range can still grow. */
interface QueuedReading {
  since: number;
  done: Promise<void>;
}

/**
 * Creates the check that runs before a checkout is signed again. The check reads the newest part of the order list, and
 * records its orders. It needs no sync lease, because recording is idempotent.
 *
 * Only one reading runs at a time. A call never joins a running reading, because that reading may already have read
 * past the order. All calls that arrive during a reading share the next reading.
 *
 * @returns A function that resolves when every order that the service listed in the range at the time of the call is
 * recorded. It rejects with `ERR_API_RESPONSE` when the wait and the reading together take more than 3 seconds, or when
 * the reading fails or needs more than ten requests.
 */
export function createOrderCheck<Context>({
  api,
  store,
  tracker,
  runtime,
}: HandlerSettings<Context>): (checkout: Checkout) => Promise<void> {
  const limit = { runtime, limitMs: LIMIT_MS, onTimeout: throwTimeout };
  let running: Promise<unknown> = Promise.resolve();
  let queued: QueuedReading | undefined;

  function queueReading(since: number): Promise<void> {
    if (queued) {
      queued.since = Math.min(queued.since, since);
      return queued.done;
    }
    const reading: QueuedReading = { since, done: Promise.resolve() };
    reading.done = running.then(() => {
      queued = undefined;
      return withTimeLimit(limit, (signal) => readAndRecord(reading.since, signal));
    });
    queued = reading;
    running = reading.done.catch(() => {});
    return reading.done;
  }

  async function readAndRecord(since: number, signal: AbortSignal): Promise<void> {
    const at = getSeconds(runtime);
    const range = { startTime: Math.max(0, since), endTime: at + MARGIN_SECONDS };
    const found = new Map<string, Order>();
    const onPage = (orders: readonly Order[]) => {
      for (const order of orders) found.set(`${order.orderStatus} ${order.orderId}`, order);
    };
    try {
      await api.readOrders(range, { maxRequests: MAX_REQUESTS, onPage, signal });
    } finally {
      // Record the orders even if the reading failed, because this checkout's order may be among them.
      await record([...found.values()], at);
    }
  }

  async function record(orders: readonly Order[], at: number): Promise<void> {
    let recorded = 0;
    for (let i = 0; i < orders.length; i += BATCH)
      recorded += await store.recordOrders(orders.slice(i, i + BATCH), at);
    if (recorded > 0) tracker.ordersRecorded();
  }

  return async (checkout) => {
    try {
      const synced = getWatermark(parseSyncState((await store.readSyncState()).state));
      const since = findStart(checkout.createdAt, synced, getSeconds(runtime));
      await withTimeLimit(limit, () => queueReading(since));
    } catch (cause) {
      const message =
        'The order list could not be read in time, so it is not known whether this checkout has been paid, and it is not signed again. Try again in a moment.';
      throw new RampError('ERR_API_RESPONSE', message, { cause });
    }
  };
}

/**
 * Returns the earliest finish time to read. If the checkout has an order that is not recorded yet, that order finished
 * after the checkout was created, and after the last complete sync began. A time in the future is ignored, because it
 * was stored while a clock was ahead.
 */
function findStart(createdAt: number, watermark: number | undefined, now: number): number {
  const isTrusted = (time: number) => time <= now + MARGIN_SECONDS;
  const created = isTrusted(createdAt) ? createdAt : now - DAY;
  const synced = watermark !== undefined && isTrusted(watermark) ? watermark : 0;
  return Math.min(now, Math.max(created, synced)) - MARGIN_SECONDS;
}

function throwTimeout(): never {
  throw new RampError('ERR_TIMEOUT', `The order list was not read within ${LIMIT_MS} ms.`);
}
