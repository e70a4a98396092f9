import type { Order } from '../../../protocol/api/resources.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import { type Cursor, MAX_PART_SECONDS, shortenPart } from './syncState.js';
import type { TrackerSettings } from './trackerOptions.js';

/** The number of orders that are recorded in one transaction, whatever the page size. */
const BATCH = 100;
/** The number of attempts for each page. With more, a failing service would look like a long list. */
const MAX_TRIES = 5;
const HOUR = 3600;

/** What one sync has read. */
export interface ReadCounts {
  /** The number of orders that were read from the list, not counting malformed ones. */
  listed: number;
  /** The number of orders that were new or had advanced. */
  recorded: number;
  /** The number of malformed orders in the list. */
  malformed: number;
}

/** How a sync reads the ranges of the list. */
interface Reading {
  /** When the sync began, Unix seconds. */
  readonly startedAt: number;
  readonly counts: ReadCounts;
  /** Aborted when the time for reading is over, or the sync is to stop. */
  readonly signal: AbortSignal;
  /** Whether the time for reading is over. Stays false if the sync is stopped before that. */
  readonly isOver: () => boolean;
  readonly onMalformed: (error: RampError) => void;
  /** Called with each order that was read. */
  readonly onOrder: (order: Order) => void;
  /** Saves how far the current range has been read. */
  readonly keep: (cursor: Cursor) => Promise<void>;
}

/**
 * Reads the list from a cursor to a time, and records its orders. A part that takes too long is left to the next sync,
 * which reads shorter parts.
 *
 * @param to - Unix seconds.
 * @param mayPass - Whether to read on after one part that fails: the service may be unable to list an old day, and that
 * must not hide the later ones. The next reading begins with that part again.
 * @returns False if the time for reading was over first.
 * @throws the errors of the API and the store.
 */
export async function readRange(
  settings: TrackerSettings,
  start: Cursor,
  to: number,
  reading: Reading,
  mayPass: boolean,
): Promise<boolean> {
  const { runtime, syncSeconds } = settings;
  const { counts, signal, isOver, keep } = reading;
  const countListed = () => counts.listed + counts.malformed;
  let failed: { readonly error: unknown } | undefined;
  let cursor = start;
  for (;;) {
    const { from, partSeconds = MAX_PART_SECONDS } = cursor;
    const end = Math.min(from + partSeconds, to);
    const listed = countListed();
    const beganMs = runtime.monotonic();
    try {
      signal.throwIfAborted();
      await readPart(settings, { startTime: from, endTime: end }, reading);
    } catch (error) {
      if (failed) throw failed.error;
      const isTimeOver = isOver() && error === signal.reason;
      if (isTimeOver) {
        await keep(shortenPart(cursor, end - from));
        const hadTime = runtime.monotonic() - beganMs >= (syncSeconds * 1000) / 3;
        // If not even a short part returned an order in this time, the service is failing or too slow.
        if (hadTime && countListed() === listed && end - from <= HOUR) throw createSlowError(error);
        return false;
      }
      if (!mayPass || signal.aborted) throw error;
      failed = { error };
    }
    if (end >= to) {
      if (failed) throw failed.error;
      return true;
    }
    // Lengthen the parts again, because orders are not spread evenly over time.
    cursor = {
      ...cursor,
      begunAt: cursor.begunAt ?? reading.startedAt,
      from: end,
      partSeconds: Math.min(partSeconds * 2, MAX_PART_SECONDS),
    };
    // After a failure, the cursor stays at the part that failed.
    if (!failed) await keep(cursor);
  }
}

async function readPart(
  { api, store, pageSize, onError, runtime }: TrackerSettings,
  range: { readonly startTime: number; readonly endTime: number },
  { counts, signal, onMalformed, onOrder }: Reading,
): Promise<void> {
  let batch: Order[] = [];
  const recordBatch = async () => {
    const orders = batch;
    batch = [];
    if (orders.length === 0) return;
    counts.recorded += await store.recordOrders(orders, getSeconds(runtime));
    counts.listed += orders.length;
  };
  const call = {
    signal,
    maxTries: MAX_TRIES,
    // A malformed order must not keep the others from being recorded.
    onMalformed(error: RampError) {
      counts.malformed++;
      onMalformed(error);
    },
  };
  try {
    for await (const order of api.eachOrder({ ...range, size: pageSize }, call)) {
      batch.push(order);
      onOrder(order);
      if (batch.length >= BATCH) await recordBatch();
    }
  } catch (error) {
    // Record the orders that came before the failed page. If the store has failed instead, `batch` is already empty, so
    // no order is recorded twice.
    await recordBatch().catch(onError);
    throw error;
  }
  await recordBatch();
}

const createSlowError = (cause: unknown) =>
  new RampError(
    'ERR_TIMEOUT',
    'The order list returned no order within the time of a sync. It is read again later. If this happens often in functions, raise serverless.syncSeconds of createRamp.',
    { cause },
  );
