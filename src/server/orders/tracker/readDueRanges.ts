import type { Order } from '../../../protocol/api/resources.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import { type ReadCounts, readRange } from './readRange.js';
import {
  type Cursor,
  completeRange,
  failRange,
  getCursor,
  hashMessage,
  isRangeDue,
  type KeptState,
  keepCursor,
  type OldRangeName,
  oldRangeNames,
  type RangeName,
  type SyncState,
} from './syncState.js';
import type { TrackerSettings } from './trackerOptions.js';

const DAY = 86_400;
/**
 * At most this many distinct messages about malformed orders are reported in a day, because the service may change the
 * format of all orders at once.
 */
const MAX_REPORTED = 100;
/** At most this many checkouts become `unconfirmed` in one sync. */
const MAX_CONFIRMED = 500;
/** The shortest lookback of a shop whose first sync has not succeeded: its scheduled job may run some minutes late. */
const FIRST_LOOKBACK_SECONDS = 300;
/** An unsettled order is reported this long before syncs stop reading its range. */
const NOTICE_SECONDS = 2 * DAY;
/** Nothing is deleted if this server's clock and the service's differ by more than this. */
const MAX_PURGE_SKEW_SECONDS = 300;

/** What a reading needs from the sync that it belongs to. */
export interface RunningSync {
  /** When the sync began, Unix seconds. */
  readonly now: number;
  readonly kept: KeptState;
  readonly counts: ReadCounts;
  /** Collects the errors of old ranges, which do not end the sync. */
  readonly failures: unknown[];
  /** Aborted when the time for reading is over, or the sync is to stop. */
  readonly signal: AbortSignal;
  /** Whether the time for reading is over. Stays false if the sync is stopped before that. */
  readonly isOver: () => boolean;
  readonly onNewestRead: () => void;
}

/**
 * Reads the ranges of the order list that are due, the newest orders first, and does what depends on a complete
 * reading: checkouts become `unconfirmed` or expire, and old data is deleted.
 *
 * @returns Whether everything that was due was read. If not, the time ran out.
 * @throws the errors of the store, and those of the API if the newest orders could not be read.
 */
export async function readDueRanges(
  settings: TrackerSettings,
  sync: RunningSync,
): Promise<boolean> {
  const { store, fullSyncLookbackSeconds } = settings;
  const { now, kept, failures, signal } = sync;
  const { reportedSince } = kept.state;
  if (now < reportedSince || now - reportedSince >= DAY)
    kept.change({ ...kept.state, reported: [], reportedSince: now });
  // Read the announced orders before the list. The list may lack an order that is announced while it is being read,
  // so such an order must not count as unconfirmed.
  const announced = await store.listAnnouncedOrders(now - DAY, MAX_CONFIRMED);
  const newestFrom =
    getCursor(kept.state, 'newest', now)?.from ?? findNewestStart(settings, kept.state, now);
  if (!(await readFrom(settings, sync, 'newest', newestFrom, now))) return false;
  sync.onNewestRead();
  await store.markUnconfirmed(announced);

  const { unsettledSince = now } = await store.findWork(toWorkQuery(settings, now));
  const starts: Record<OldRangeName, number> = {
    unsettled: unsettledSince,
    daily: now - fullSyncLookbackSeconds,
  };
  for (const name of oldRangeNames) {
    if (!isRangeDue(kept.state, name, now)) continue;
    try {
      // Anything newer was already read as part of the newest orders.
      if (!(await readFrom(settings, sync, name, starts[name], newestFrom))) return false;
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(error);
      kept.change(failRange(kept.state, name, now));
    }
  }
  return true;
}

/** Reads a range, from its cursor if it has one. Returns whether the range is complete. */
async function readFrom(
  settings: TrackerSettings,
  sync: RunningSync,
  name: RangeName,
  start: number,
  to: number,
): Promise<boolean> {
  const { store } = settings;
  const { now, kept, counts, signal, isOver } = sync;
  const earlier = getCursor(kept.state, name, now);
  // Nothing older than the start needs to be read.
  const cursor: Cursor = { ...earlier, from: Math.max(0, start, earlier?.from ?? 0) };
  if (cursor.from < to || name === 'newest') {
    const keep = (next: Cursor) => kept.save(keepCursor(kept.state, name, next));
    await keep(cursor);
    const reading = {
      ...{ startedAt: now, counts, signal, isOver, keep },
      onMalformed: (error: RampError) => reportOnce(settings, kept, error),
      onOrder: (order: Order) => reportUnsettled(settings, kept, now, order),
    };
    if (!(await readRange(settings, cursor, to, reading, name !== 'newest'))) return false;
  }
  // The next reading covers again what was listed after this one read its first part.
  const begunAt = Math.min(cursor.begunAt ?? now, now);
  if (name === 'newest') await store.expireCheckouts(begunAt);
  if (name === 'daily') await purge(settings, now);
  kept.change(completeRange(kept.state, name, begunAt));
  return true;
}

/**
 * Reports an NFT order that is still unsettled shortly before syncs stop reading its range. Otherwise it would go
 * unnoticed.
 */
function reportUnsettled(
  settings: TrackerSettings,
  kept: KeptState,
  now: number,
  { orderId, kind, state, finishTime = now }: Order,
): void {
  const { settlementSeconds } = settings;
  if (
    kind !== 'nft' ||
    state === 'settled' ||
    finishTime > now - settlementSeconds + NOTICE_SECONDS
  )
    return;
  const finishedAt = new Date(finishTime * 1000).toISOString();
  const message = `The NFT order ${orderId} finished at ${finishedAt} and is still not settled. It is read for ${settlementSeconds / DAY} days, and not after that. With deliverAt 'settled', it is not delivered. Ask the service, and record the outcome with resolveOrder. See docs/nft-checkout.md.`;
  reportOnce(settings, kept, new RampError('ERR_ORDER_REVIEW', message));
}

/** Reports each message once a day. */
function reportOnce({ onError }: TrackerSettings, kept: KeptState, error: RampError): void {
  const { state } = kept;
  const hash = hashMessage(error.message);
  if (state.reported.length >= MAX_REPORTED || state.reported.includes(hash)) return;
  kept.change({ ...state, reported: [...state.reported, hash] });
  onError(error);
}

async function purge(settings: TrackerSettings, now: number): Promise<void> {
  const { store, api, retentionSeconds, unopenedRetentionSeconds } = settings;
  // A clock that is days ahead would delete open checkouts, and their paid orders would match nothing.
  if (Math.abs(api.clockSkewSeconds ?? 0) > MAX_PURGE_SKEW_SECONDS) return;
  await store.purge({
    before: now - retentionSeconds,
    unopenedBefore: now - unopenedRetentionSeconds,
    replaysBefore: now,
  });
}

/** Returns the query for pending work, which decides what a sync reads. */
export const toWorkQuery = ({ settlementSeconds }: TrackerSettings, now: number) => ({
  announcedSince: now - DAY,
  unsettledSince: now - settlementSeconds,
});

function findNewestStart(
  { lookbackSeconds }: TrackerSettings,
  state: SyncState,
  now: number,
): number {
  const { completeAt } = state.ranges.newest;
  // Before the first complete reading, begin at the first sync. A time in the future was stored while a clock was
  // ahead.
  const known = Math.min(completeAt || (state.firstAt ?? now), now);
  const lookback = completeAt ? lookbackSeconds : Math.max(lookbackSeconds, FIRST_LOOKBACK_SECONDS);
  return Math.max(0, known - lookback);
}
