import { createHash } from 'node:crypto';
import { RampError } from '../../../protocol/errors/RampError.js';
import type { OrderStore } from '../store/OrderStore.js';

/** The ranges that a sync reads after the newest orders, in this order. */
export const oldRangeNames = ['unsettled', 'daily'] as const;
export type OldRangeName = (typeof oldRangeNames)[number];

/** The parts of the order list that a sync reads, in this order: the newest orders never wait for old ones. */
export const rangeNames = ['newest', ...oldRangeNames] as const;

/**
 * - `newest`: the orders since the last complete reading of this range, and `lookbackSeconds` before it. Every sync.
 * - `unsettled`: from the oldest NFT order that awaits settlement. Once an hour.
 * - `daily`: the last `fullSyncLookbackSeconds`. Once a day.
 */
export type RangeName = (typeof rangeNames)[number];

/** How far a reading of a range has come. Times are Unix seconds. */
export interface Cursor {
  /** When the sync that read the first part began. Undefined until a part has been read. */
  readonly begunAt?: number | undefined;
  /** Every order that was listed with an earlier finish time is recorded. */
  readonly from: number;
  /** The longest part that is read in one go. @default a day */
  readonly partSeconds?: number | undefined;
}

/** The progress of the syncs in a range. Times are Unix seconds. */
export interface RangeState {
  /** When the last complete reading began. 0 before the first one. */
  readonly completeAt: number;
  /** The number of readings that have failed since the last complete one. */
  readonly failures: number;
  /** A failed reading is not repeated before this time. */
  readonly notBefore: number;
  /** The reading that is not complete yet. */
  readonly cursor?: Cursor | undefined;
}

/** What one sync hands on to the next, in any process. Times are Unix seconds. */
export interface SyncState {
  /** When the first sync began. Undefined before it. */
  readonly firstAt?: number | undefined;
  /** When the last sync began. 0 before the first one. */
  readonly begunAt: number;
  /** When the last sync ended. Undefined while it runs, and if its process was killed. */
  readonly endedAt?: number | undefined;
  /** The number of syncs in a row that could not read the newest orders. */
  readonly failures: number;
  /** When a webhook last requested a sync. */
  readonly requestedAt?: number | undefined;
  /** When a sync last recorded an order. */
  readonly recordedAt: number;
  /** The range that is being read. */
  readonly reading?: RangeName | undefined;
  readonly ranges: Readonly<Record<RangeName, RangeState>>;
  /** The hashes of the messages about malformed orders that were reported since `reportedSince`, for a day. */
  readonly reported: readonly string[];
  readonly reportedSince: number;
}

const NEW_RANGE: RangeState = { completeAt: 0, failures: 0, notBefore: 0 };

export const newSyncState: SyncState = {
  begunAt: 0,
  failures: 0,
  recordedAt: 0,
  ranges: { newest: NEW_RANGE, unsettled: NEW_RANGE, daily: NEW_RANGE },
  reported: [],
  reportedSince: 0,
};

const FORMAT = 2;

export const formatSyncState = (state: SyncState): string =>
  JSON.stringify({ format: FORMAT, ...state });

/** Parses the state that a store returned. Text in another format counts as absent, as before the first sync. */
export function parseSyncState(text: string | undefined): SyncState {
  try {
    const { format, ...state } = JSON.parse(text ?? '{}');
    if (format !== FORMAT) return newSyncState;
    return { ...newSyncState, ...state, ranges: { ...newSyncState.ranges, ...state.ranges } };
  } catch {
    return newSyncState;
  }
}

/**
 * Returns when the last complete reading of the newest orders began, Unix seconds: every order that was listed by then
 * is recorded. Undefined until the daily range has been read once.
 */
export const getWatermark = ({ ranges }: SyncState): number | undefined =>
  ranges.daily.completeAt > 0 ? ranges.newest.completeAt || undefined : undefined;

/** The tolerated difference between the clocks of instances. A later time was stored while a clock was ahead. */
export const MAX_SKEW_SECONDS = 300;

/** The longest pause after a range could not be read. */
const MAX_PAUSE_SECONDS = 3600;

/** Returns whether a range may be read now, that is, whether no pause after a failure is in effect. */
export const mayRead = ({ notBefore }: RangeState, now: number): boolean =>
  // A time beyond the longest pause was stored while a clock was ahead.
  now >= notBefore || notBefore > now + MAX_PAUSE_SECONDS;

/** How long after a complete reading a range is read again. */
const RANGE_SECONDS = { newest: 0, unsettled: 3600, daily: 86_400 } satisfies Record<
  RangeName,
  number
>;

/** Returns when the next reading of a range may begin, Unix seconds. */
export function getRangeTime({ ranges }: SyncState, name: RangeName, now: number): number {
  const range = ranges[name];
  const { completeAt, notBefore } = range;
  const due = completeAt > now + MAX_SKEW_SECONDS ? now : completeAt + RANGE_SECONDS[name];
  return mayRead(range, now) ? due : Math.max(due, notBefore);
}

/** Returns whether a sync that begins now reads a range. */
export const isRangeDue = (state: SyncState, name: RangeName, now: number): boolean =>
  hasRest(state, name, now) || getRangeTime(state, name, now) <= now;

/** Returns whether an unfinished reading of a range may continue now. */
export const hasRest = ({ ranges }: SyncState, name: RangeName, now: number): boolean =>
  ranges[name].cursor !== undefined && mayRead(ranges[name], now);

/** Returns where the reading of a range continues. A cursor in the future was stored while a clock was ahead. */
export function getCursor(state: SyncState, name: RangeName, now: number): Cursor | undefined {
  const { cursor } = state.ranges[name];
  return cursor && cursor.from <= now ? cursor : undefined;
}

const setRange = (state: SyncState, name: RangeName, range: RangeState): SyncState => ({
  ...state,
  ranges: { ...state.ranges, [name]: range },
});

/** Begins a sync. If the process of the last one was killed, the range that it was reading is read in shorter parts. */
export function beginSync(state: SyncState, now: number): SyncState {
  const { reading, begunAt, endedAt } = state;
  const next = {
    ...state,
    // A time in the future was stored while a clock was ahead.
    firstAt: Math.min(state.firstAt ?? now, now),
    begunAt: now,
    endedAt: undefined,
  };
  const wasKilled = begunAt > 0 && endedAt === undefined;
  const cursor = reading && state.ranges[reading].cursor;
  if (!wasKilled || !cursor) return next;
  const { from, partSeconds = MAX_PART_SECONDS } = cursor;
  return keepCursor(next, reading, shortenPart(cursor, Math.min(partSeconds, now - from)));
}

/** The longest part that is read in one go. A failure or the end of the time costs at most one part. */
export const MAX_PART_SECONDS = 86_400;
/** The shortest part that is read in one go. The order list of a busy shop may need seconds for each of its minutes. */
const MIN_PART_SECONDS = 2;

/** Shortens the parts of a reading, after a part of `seconds` took too long for one sync. */
export const shortenPart = (cursor: Cursor, seconds: number): Cursor => ({
  ...cursor,
  partSeconds: Math.max(MIN_PART_SECONDS, Math.floor(seconds / 4)),
});

export const keepCursor = (state: SyncState, name: RangeName, cursor: Cursor): SyncState => ({
  ...setRange(state, name, { ...state.ranges[name], cursor }),
  reading: name,
});

/** Ends the reading of a range that is complete up to `begunAt`. */
export const completeRange = (state: SyncState, name: RangeName, begunAt: number): SyncState =>
  setRange(state, name, { ...NEW_RANGE, completeAt: begunAt });

/**
 * Begins a pause after a range could not be read, and keeps how far the reading has come. The first pause takes a
 * minute, and each failure doubles it.
 */
export function failRange(state: SyncState, name: RangeName, now: number): SyncState {
  const { failures, ...range } = state.ranges[name];
  const notBefore = now + Math.min(60 * 2 ** failures, MAX_PAUSE_SECONDS);
  return setRange(state, name, { ...range, failures: failures + 1, notBefore });
}

/** Returns a short hash that identifies a message in the state. */
export const hashMessage = (message: string): string =>
  createHash('sha256').update(message).digest('base64url').slice(0, 8);

/** The state of a running sync. */
export interface KeptState {
  readonly state: SyncState;
  /** True if another process has written the state, so this sync must stop writing it. */
  readonly isLost: boolean;
  /** Changes the state until the next `save` stores it. */
  change(next: SyncState): void;
  /** @throws RampError `ERR_TIMEOUT` if another process has written the state. */
  save(next: SyncState): Promise<void>;
}

/** Keeps the state of a running sync. Each write compares the revision, so a sync that was overtaken ends. */
export function keepState(
  store: Pick<OrderStore, 'writeSyncState'>,
  revision: number,
  first: SyncState,
  onSave: () => void,
): KeptState {
  let state = first;
  let known = revision;
  let isLost = false;
  return {
    get state() {
      return state;
    },
    get isLost() {
      return isLost;
    },
    change(next) {
      state = next;
    },
    async save(next) {
      state = next;
      onSave();
      isLost = !(await store.writeSyncState({ revision: known, state: formatSyncState(next) }));
      if (isLost)
        throw new RampError(
          'ERR_TIMEOUT',
          'This sync took so long that another process has synced meanwhile. The other one continues. If this happens often, let deliver and review take less time, and in functions, shorten serverless.syncSeconds.',
        );
      known++;
    },
  };
}
