import type { Order } from '../../../protocol/api/resources.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import { trace } from '../../internal/diagnostics.js';
import { getSeconds, type Runtime } from '../../internal/runtime.js';
import type { SyncState } from '../store/OrderStore.js';
import {
  formatSyncMemory,
  getFailingSince,
  hashMessage,
  type PauseState,
  parseSyncMemory,
  type ReadingPosition,
  type StoppedWideReading,
  type SyncMemory,
} from './syncMemory.js';
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
/** The number of attempts if the time is limited. With more, a failing service would look like a long list. */
const MAX_TRIES_IN_TIME = 3;
/**
 * At most this many distinct messages about malformed orders are reported between two full syncs, because the service
 * may change the format of all orders at once.
 */
const MAX_REPORTED = 100;
/** At most this many checkouts become `unconfirmed` in one sync. */
const MAX_CONFIRMED = 500;
/**
 * The shortest lookback until a sync has succeeded. The scheduled job of a new shop may come some minutes after the
 * first checkout, and a full sync, which would read its order, may fail for hours.
 */
const FIRST_LOOKBACK_SECONDS = 300;
/** With a larger difference between the clocks of this server and the service, nothing is deleted. */
const MAX_PURGE_SKEW_SECONDS = 300;
/** The shortest range that is read at once. The order list of a busy shop may need seconds for each of its minutes. */
const MIN_SLICE_SECONDS = 2;
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
   * The number of malformed orders in the list. They are not recorded, unless only a field that decides nothing is
   * malformed. Between two full syncs, `onError` is called once for each distinct message about them, at most 100
   * times. Once the service corrects an order, the next sync records the order if it finished within
   * `lookbackSeconds`. The daily full sync also records orders that finished within `fullSyncLookbackSeconds`.
   */
  readonly malformed: number;
  readonly failed?: true | undefined;
  /** Set if the time of the sync was over before the whole list was read. The next sync continues. */
  readonly isStopped?: true | undefined;
}

/** Runs a sync, and publishes on a channel what it did. `work` returns undefined if another process syncs. */
export const traceReports = (
  runtime: Runtime,
  signal: AbortSignal,
  work: () => Promise<SyncReport | undefined>,
): Promise<SyncReport | undefined> =>
  trace('partner-ramp:sync', runtime, {}, async (update) => {
    try {
      const report = await work();
      if (!report) update({ outcome: 'busy' });
      else {
        const { listed, recorded, malformed, isStopped } = report;
        update({ outcome: isStopped ? 'stopped' : 'synced', listed, recorded, malformed });
      }
      return report;
    } catch (error) {
      if (signal.aborted) update({ outcome: 'stopped' });
      throw error;
    }
  });

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
  read(signal: AbortSignal, limit?: ReadingLimit): Promise<SyncReport>;
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

// Ignore an end beyond the longest pause: it was set while the clock was ahead.
const isOver = ({ until }: PauseState, now: number): boolean =>
  now >= until || until > now + MAX_PAUSE_SECONDS;

/**
 * Begins a pause after a wide reading has failed: the service may be unable to list an old day, and that must not keep
 * new orders from being recorded. The first pause takes a minute, and each failure doubles it.
 */
function beginPause(pause: PauseState, now: number): void {
  pause.until = now + Math.min(60 * 2 ** pause.failures, MAX_PAUSE_SECONDS);
  pause.failures++;
}

const resetPause = (pause: PauseState) => Object.assign(pause, { failures: 0, until: 0 });

/** What limits a reading in a process that may end with its request. */
interface ReadingLimit {
  /**
   * Is aborted when the time of the reading is over, and when the signal of `read` is. When the time is over, the
   * position of the reading is kept in the memory.
   */
  readonly signal: AbortSignal;
  /** Stores the memory. @throws if another process has stored it meanwhile. */
  save(watermark?: number): Promise<void>;
}

export function createListReader(settings: TrackerSettings, memory: SyncMemory): ListReader {
  const { api, store, pageSize, onError, runtime } = settings;
  let report: SyncReport | undefined;

  const chooseExtent = (now: number): Extent => ({
    isFull: isDue(memory.fullSyncAt, DAY, now) && isOver(memory.fullPause, now),
    includesUnsettled:
      isDue(memory.settlementSyncAt, HOUR, now) && isOver(memory.settlementPause, now),
    isNarrow: !isOver(memory.fullPause, now),
  });

  function reportMalformed(error: RampError): void {
    const { reported } = memory;
    const hash = hashMessage(error.message);
    if (reported.length >= MAX_REPORTED || reported.includes(hash)) return;
    reported.push(hash);
    onError(error);
  }

  function complete({ isFull, includesUnsettled, startedAt }: ReadingKind): void {
    if (isFull) {
      memory.fullSyncAt = startedAt;
      resetPause(memory.fullPause);
    }
    if (includesUnsettled) {
      memory.settlementSyncAt = startedAt;
      resetPause(memory.settlementPause);
    }
  }

  function fail({ isFull, includesUnsettled }: ReadingKind, now: number): void {
    // After a failed full sync, pause only full syncs. The service may be unable to list a day that only a full sync
    // reads, so the next sync still reads the unsettled orders.
    if (isFull) beginPause(memory.fullPause, now);
    else if (includesUnsettled) beginPause(memory.settlementPause, now);
  }

  async function read(signal: AbortSignal, limit?: ReadingLimit): Promise<SyncReport> {
    const startedAt = getSeconds(runtime);
    // A position in the future was stored while a clock was ahead. Begin at the watermark again.
    if (memory.recent && memory.recent.from > startedAt) memory.recent = undefined;
    const { recent, wide } = memory;
    // If a wide reading was stopped, read only the newest orders, then its rest. Begin no other wide reading.
    const rest = limit && canResume(memory, startedAt) ? wide : undefined;
    const extent = rest
      ? { isFull: false, includesUnsettled: false, isNarrow: true }
      : chooseExtent(startedAt);
    let kind: ReadingKind = { startedAt, ...extent, ...recent };
    if (extent.isFull) memory.reported = [];
    memory.failingSince = getFailingSince(memory, startedAt);
    try {
      // Read the announced orders before the list. The list may lack an order that is announced while it is being read,
      // so such an order must not count as unconfirmed.
      const announced = await store.listAnnouncedOrders(startedAt - DAY, MAX_CONFIRMED);
      await readRange(extent, startedAt, signal, limit);
      complete(kind);
      for (const reference of announced)
        await store.recordOutcome(reference, 'unconfirmed', startedAt);
      if (rest && limit) {
        kind = rest;
        await readRest(rest, startedAt, signal, limit);
        complete(kind);
      }
      report = { ...(report as SyncReport), endedAt: getSeconds(runtime) };
      return report;
    } catch (error) {
      if (error instanceof StoppedReading) {
        report = { ...(report as SyncReport), isStopped: true };
        return report;
      }
      fail(kind, startedAt);
      // The next sync begins with the newest orders. It continues this reading once its pause is over.
      if (memory.recent && (kind.isFull || kind.includesUnsettled)) {
        memory.wide = { ...memory.recent, until: startedAt };
        memory.recent = undefined;
      }
      if (report) report = { ...report, failed: true };
      throw error;
    }
  }

  async function readRange(
    extent: Extent,
    startedAt: number,
    signal: AbortSignal,
    limit: ReadingLimit | undefined,
  ): Promise<void> {
    const { recent } = memory;
    const watermark = await store.readWatermark();
    // A tracker without timers has stored its memory already.
    if (watermark === undefined && !limit) await shareFailingSince(startedAt);
    const { failingSince } = memory;
    const from =
      recent?.from ??
      (await findStart(settings, extent, { watermark, failingSince, now: startedAt }));
    report = { startedAt, from, listed: 0, recorded: 0, malformed: 0 };
    // A wide reading that is stopped goes to `memory.wide`, so that it does not keep the newest orders waiting.
    const isWide = watermark !== undefined && (extent.isFull || extent.includesUnsettled);
    const position: ReadingPosition = {
      startedAt,
      isFull: extent.isFull,
      includesUnsettled: extent.includesUnsettled,
      sliceSeconds: memory.sliceSeconds,
      ...recent,
      from,
    };
    await readSlices(position, startedAt, signal, limit, (reached) => {
      if (isWide && !recent) memory.wide = { ...reached, until: startedAt };
      else memory.recent = reached;
    });
    memory.recent = undefined;
    memory.sliceSeconds = undefined;
    if (isWide && !recent) memory.wide = undefined;
    // Write the watermark even after a narrow reading. Without a watermark, a restart or an idle time longer than the
    // lookback would leave a gap. Older orders are not lost: each process reads them with its first full sync.
    if (limit) await limit.save(startedAt);
    else await store.writeWatermark(startedAt, describeSync(startedAt, extent));
    memory.failingSince = undefined;
    await store.expireCheckouts(startedAt);
    if (position.isFull) await purge(startedAt);
  }

  /**
   * Stores when the first sync of a new shop began, unless an earlier process has. If this process crashes while it
   * reads the list, a later one still knows that time.
   */
  async function shareFailingSince(startedAt: number): Promise<void> {
    const state = await store.readSyncState();
    const stored = parseSyncMemory(state.memory, settings.pollSeconds);
    const failingSince = getFailingSince(stored, getFailingSince(memory, startedAt));
    memory.failingSince = failingSince;
    if (stored.failingSince === failingSince) return;
    await store.writeSyncState({ ...state, memory: formatSyncMemory({ ...stored, failingSince }) });
  }

  /** Returns the memory after a successful sync of a tracker with timers, for trackers without timers. */
  const describeSync = (startedAt: number, extent: Extent): string => {
    const { pollSeconds } = settings;
    const now = getSeconds(runtime);
    const pauses = { pauseSeconds: pollSeconds, nextPauseSeconds: pollSeconds };
    const done = {
      startedAt,
      syncedAt: startedAt,
      endedAt: now,
      failingSince: undefined,
      ...pauses,
    };
    return formatSyncMemory({
      ...memory,
      ...done,
      ...(extent.isFull && { fullSyncAt: startedAt }),
      ...(extent.includesUnsettled && { settlementSyncAt: startedAt }),
    });
  };

  async function purge(startedAt: number): Promise<void> {
    const { api, retentionSeconds, unopenedRetentionSeconds } = settings;
    // A clock that is days ahead would delete open checkouts, and their paid orders would match nothing.
    if (Math.abs(api.clockSkewSeconds ?? 0) > MAX_PURGE_SKEW_SECONDS) return;
    await store.purge(
      startedAt - retentionSeconds,
      startedAt - unopenedRetentionSeconds,
      startedAt,
    );
  }

  /** Reads the rest of a wide reading that was stopped. */
  async function readRest(
    wide: StoppedWideReading,
    startedAt: number,
    signal: AbortSignal,
    limit: ReadingLimit,
  ): Promise<void> {
    await readSlices(wide, wide.until, signal, limit, (reached) => {
      memory.wide = { ...reached, until: wide.until };
    });
    memory.wide = undefined;
    if (wide.isFull) await purge(startedAt);
  }

  /**
   * Reads a range, usually at once. If a reading of it was stopped before, it reads one slice after the other, so that
   * the next process can continue after the last complete one.
   *
   * @param keep - Keeps the position in the memory.
   */
  async function readSlices(
    position: ReadingPosition,
    to: number,
    signal: AbortSignal,
    limit: ReadingLimit | undefined,
    keep: (reached: ReadingPosition) => void,
  ): Promise<void> {
    let { from } = position;
    let seconds = position.sliceSeconds ?? Number.POSITIVE_INFINITY;
    while (from < to || from === position.from) {
      const end = Math.min(from + seconds, to);
      try {
        limit?.signal.throwIfAborted();
        const slice = { startTime: from, endTime: end };
        await readSlice(slice, limit?.signal ?? signal, limit !== undefined);
      } catch (error) {
        if (!limit?.signal.aborted || signal.aborted) throw error;
        keep({ ...position, from, sliceSeconds: shortenSlice(end - from) });
        // A short range from which no order came in this time is not too long: the service fails, or is too slow.
        const isEmpty = report?.listed === 0 && report.malformed === 0;
        throw isEmpty && end - from <= HOUR ? createSlowError(error) : new StoppedReading();
      }
      if (end >= to) break;
      from = end;
      // Slices become longer again, because the orders are not spread evenly over the time.
      seconds *= 2;
      keep({ ...position, from, sliceSeconds: seconds });
      await limit?.save();
    }
  }

  async function readSlice(
    { startTime, endTime }: { startTime: number; endTime: number },
    signal: AbortSignal,
    isLimited: boolean,
  ): Promise<void> {
    let current = report as SyncReport;
    const update = (changes: Partial<SyncReport>) => {
      current = { ...current, ...changes };
      report = current;
    };
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
    const range = { startTime, endTime, size: pageSize };
    const call = { signal, maxTries: isLimited ? MAX_TRIES_IN_TIME : MAX_TRIES, onMalformed };
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
  }

  return {
    read,
    get report() {
      return report;
    },
    getSecondsUntilFullSync: () => getSecondsUntilFullSync(memory, getSeconds(runtime)),
  };
}

/** Returns the seconds until the next full sync is due, or, after it has failed, until it may be retried. */
export const getSecondsUntilFullSync = (
  { fullPause, fullSyncAt }: SyncMemory,
  now: number,
): number => Math.max(fullSyncAt + DAY, isOver(fullPause, now) ? 0 : fullPause.until) - now;

/** The part of a reading that is remembered when it is complete or has failed. */
type ReadingKind = Pick<ReadingPosition, 'isFull' | 'includesUnsettled' | 'startedAt'>;

/** Returns whether the rest of a wide reading may be read now, because its last failure is long enough ago. */
export const canResume = ({ wide, fullPause, settlementPause }: SyncMemory, now: number): boolean =>
  wide !== undefined && isOver(wide.isFull ? fullPause : settlementPause, now);

/** Returns the length of the next slice, after a slice of `seconds` was too long for the time of a sync. */
const shortenSlice = (seconds: number): number =>
  Math.max(MIN_SLICE_SECONDS, Math.floor(seconds / 4));

/**
 * Shortens the next slice after the process of the last run was ended, because the slice may have been too long for
 * its time.
 *
 * @param longest - The longest range that a reading without slices can have, in seconds.
 */
export function shortenAfterKill(
  memory: SyncMemory,
  { watermark }: SyncState,
  longest: number,
): void {
  const shorten = ({ sliceSeconds = longest }) => ({ sliceSeconds: shortenSlice(sliceSeconds) });
  const { recent, wide, startedAt } = memory;
  // If the run stored its watermark, it had read the newest orders, and was reading the rest of the wide reading.
  if (wide && watermark === startedAt) memory.wide = { ...wide, ...shorten(wide) };
  else if (recent) memory.recent = { ...recent, ...shorten(recent) };
  else memory.sliceSeconds = shorten(memory).sliceSeconds;
}

const createSlowError = (cause: unknown) =>
  new RampError(
    'ERR_TIMEOUT',
    'The order list returned no order within the time of a sync. It is read again later. If this happens often, raise serverless.syncSeconds of createRamp.',
    { cause },
  );

/** Ends a reading whose time is over. Its position is in the memory. */
class StoppedReading extends Error {}

/** Returns the time from which a sync reads, Unix seconds. */
async function findStart(
  settings: TrackerSettings,
  { isFull, includesUnsettled, isNarrow }: Extent,
  {
    watermark,
    failingSince,
    now,
  }: { watermark: number | undefined; failingSince: number | undefined; now: number },
): Promise<number> {
  const { store, lookbackSeconds, fullSyncLookbackSeconds, settlementSeconds } = settings;
  const hasSynced = watermark !== undefined;
  // Without a watermark, begin at the start of the first sync, because none has succeeded since. If the time is in the
  // future, it was written while the clock was ahead. Then use the current time instead.
  const known = Math.min(watermark ?? failingSince ?? now, now);
  const lookback = hasSynced ? lookbackSeconds : Math.max(lookbackSeconds, FIRST_LOOKBACK_SECONDS);
  const starts = [known - lookback];
  if (isFull || !(hasSynced || isNarrow)) starts.push(now - fullSyncLookbackSeconds);
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
