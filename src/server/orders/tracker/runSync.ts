import { RampError } from '../../../protocol/errors/RampError.js';
import { trace } from '../../diagnostics.js';
import { getSeconds } from '../../internal/runtime.js';
import type { Deliverer } from './deliverChanges.js';
import { type Reading, readRange } from './readRange.js';
import {
  beginSync,
  type Cursor,
  completeRange,
  failRange,
  formatSyncState,
  getCursor,
  hashMessage,
  isRangeDue,
  keepCursor,
  parseSyncState,
  type RangeName,
  type SyncState,
} from './syncState.js';
import type { TrackerSettings } from './trackerOptions.js';

const DAY = 86_400;
/** The part of `syncSeconds` in which the list is read. In the rest, changes are delivered. */
const READING_SHARE = 2 / 3;
/**
 * At most this many distinct messages about malformed orders are reported in a day, because the service may change the
 * format of all orders at once.
 */
const MAX_REPORTED = 100;
/** At most this many checkouts become `unconfirmed` in one sync. */
const MAX_CONFIRMED = 500;
/** The shortest lookback of a shop whose first sync has not succeeded: its scheduled job may come some minutes late. */
const FIRST_LOOKBACK_SECONDS = 300;
/** With a larger difference between the clocks of this server and the service, nothing is deleted. */
const MAX_PURGE_SKEW_SECONDS = 300;

/** What a sync did: counts only, so it can be sent to a scheduler and logged. */
export type SyncRun =
  | {
      /** False if no sync was due, or another process is syncing. */
      readonly ran: false;
    }
  | {
      readonly ran: true;
      /** Whether everything that was due was read. If not, the time was over, and the next sync continues. */
      readonly isComplete: boolean;
      /** The number of orders that were read from the list, without malformed ones. */
      readonly listed: number;
      /** The number of orders that were new or had advanced. */
      readonly recorded: number;
      /** The number of malformed orders in the list. */
      readonly malformed: number;
      /** The number of changes that were handed to `deliver` or `review`, or needed neither. */
      readonly delivered: number;
    };

/** When a sync does nothing, and why it was requested. */
export interface SyncConditions {
  /** Nothing happens if the store has another revision of the state: another process has synced since it was read. */
  readonly revision?: number | undefined;
  /** Nothing happens if a sync that began later than this has read the newest orders, Unix seconds. */
  readonly unlessSince?: number | undefined;
  /** When a webhook has requested the sync. Further syncs follow, because its order may be listed late. */
  readonly requestedAt?: number | undefined;
}

export interface Syncer {
  /**
   * Reads what is due of the order list, records its orders, and delivers the changes that are due, under the lease of
   * the store and within `syncSeconds`.
   *
   * Each write of the state compares its revision. So if another process has taken the lease meanwhile, this sync ends,
   * and the state of the other one stays.
   *
   * @throws the errors of the API and the store. No order is lost, because the next sync reads the same range.
   */
  run(signal: AbortSignal, conditions?: SyncConditions): Promise<SyncRun>;
  /** Changes whenever a running sync gets on. */
  readonly progress: string;
  /** What a sync of this process has last stored as the time of a complete reading of the newest orders. */
  readonly completeAt: number | undefined;
}

export function createSyncer(settings: TrackerSettings, deliverer: Deliverer): Syncer {
  const { store, runtime, syncSeconds, onError, fullSyncLookbackSeconds } = settings;
  let saves = 0;
  let completeAt: number | undefined;
  let counts = { listed: 0, recorded: 0, malformed: 0 };

  async function sync(
    signal: AbortSignal,
    hasLease: () => boolean,
    { revision, unlessSince, requestedAt }: SyncConditions,
  ): Promise<SyncRun> {
    const stored = await store.readSyncState();
    // Another process may have taken the lease during the read.
    if (!hasLease() || (revision !== undefined && stored.revision !== revision))
      return { ran: false };
    const now = getSeconds(runtime);
    let state = parseSyncState(stored.state);
    if (unlessSince !== undefined && hasReadSince(state, unlessSince, now)) return { ran: false };
    if (requestedAt !== undefined) state = { ...state, requestedAt };
    let known = stored.revision;
    let isLost = false;
    const save = async (next: SyncState) => {
      state = next;
      saves++;
      isLost = !(await store.writeSyncState({ revision: known, state: formatSyncState(next) }));
      if (isLost) throw createLostError();
      known++;
    };
    await save(beginSync(state, now));
    const beganMs = runtime.monotonic();
    const isOver = () => runtime.monotonic() - beganMs >= syncSeconds * 1000;
    const time = createReadingTime(signal);
    const read = { listed: 0, recorded: 0, malformed: 0 };
    counts = read;
    const failures: unknown[] = [];
    const tell = (error: RampError) => {
      const hash = hashMessage(error.message);
      if (state.reported.length >= MAX_REPORTED || state.reported.includes(hash)) return;
      state = { ...state, reported: [...state.reported, hash] };
      onError(error);
    };

    /** Reads a range, from its cursor if it has one. Returns whether the range is complete. */
    async function readFrom(name: RangeName, start: number, to: number): Promise<boolean> {
      const kept = getCursor(state, name, now);
      // What is older than the start needs no reading any more.
      const cursor: Cursor = { ...kept, from: Math.max(0, start, kept?.from ?? 0) };
      const reading: Reading = {
        startedAt: now,
        counts: read,
        signal: time.signal,
        isOver: time.isOver,
        onMalformed: tell,
        keep: (next) => save(keepCursor(state, name, next)),
      };
      if (cursor.from < to || name === 'newest') {
        await save(keepCursor(state, name, cursor));
        if (!(await readRange(settings, cursor, to, reading, name !== 'newest'))) return false;
      }
      // What was listed since the first part was read is read again by the next reading.
      const begunAt = Math.min(cursor.begunAt ?? now, now);
      await finishRange(name, begunAt);
      state = completeRange(state, name, begunAt);
      return true;
    }

    async function readDue(): Promise<boolean> {
      const { reportedSince } = state;
      if (now < reportedSince || now - reportedSince >= DAY)
        state = { ...state, reported: [], reportedSince: now };
      // Read the announced orders before the list. The list may lack an order that is announced while it is being read,
      // so such an order must not count as unconfirmed.
      const announced = await store.listAnnouncedOrders(now - DAY, MAX_CONFIRMED);
      const newestFrom =
        getCursor(state, 'newest', now)?.from ?? findNewestStart(settings, state, now);
      if (!(await readFrom('newest', newestFrom, now))) return false;
      completeAt = state.ranges.newest.completeAt;
      await store.markUnconfirmed(announced);
      const work = await store.findWork(toWorkQuery(settings, now));
      const { unsettledSince = now } = work;
      const starts = { unsettled: unsettledSince, daily: now - fullSyncLookbackSeconds };
      let isComplete = true;
      for (const name of ['unsettled', 'daily'] as const) {
        if (!isRangeDue(state, name, now)) continue;
        try {
          // What is newer was read as one of the newest orders.
          isComplete = await readFrom(name, starts[name], newestFrom);
        } catch (error) {
          if (signal.aborted) throw error;
          failures.push(error);
          state = failRange(state, name, now);
        }
        if (!isComplete) break;
      }
      return isComplete;
    }

    async function finishRange(name: RangeName, begunAt: number): Promise<void> {
      if (name === 'newest') await store.expireCheckouts(begunAt);
      if (name === 'daily') await purge(now);
    }

    let isComplete = false;
    try {
      isComplete = await readDue();
      // A process that is killed while it delivers has read the list.
      await save({ ...state, failures: 0, reading: undefined });
    } catch (error) {
      failures.push(error);
      // A sync that was told to stop has not failed.
      if (!signal.aborted) state = { ...state, failures: state.failures + 1 };
    } finally {
      time.end();
    }
    try {
      // Deliver the recorded changes even if the rest of the list could not be read.
      await deliverer.deliver(signal, hasLease, isOver);
    } catch (error) {
      failures.unshift(error);
    }
    const endedAt = getSeconds(runtime);
    if (read.recorded > 0) state = { ...state, recordedAt: endedAt };
    if (!isLost)
      await save({ ...state, reading: undefined, endedAt }).catch((error) => {
        // Usually it has the same cause as an earlier failure.
        if (failures.length === 0) throw error;
      });
    for (const error of failures.slice(1)) onError(error);
    if (failures.length > 0) throw failures[0];
    return { ran: true, isComplete, ...read, delivered: deliverer.delivered };
  }

  /** Limits the time for reading. */
  function createReadingTime(caller: AbortSignal) {
    const controller = new AbortController();
    let isOver = false;
    const end = () => controller.abort(caller.reason);
    const timer = runtime.setTimeout(
      () => {
        isOver = !caller.aborted;
        end();
      },
      syncSeconds * 1000 * READING_SHARE,
    );
    caller.addEventListener('abort', end);
    if (caller.aborted) end();
    return {
      signal: controller.signal,
      isOver: () => isOver,
      end() {
        runtime.clearTimeout(timer);
        caller.removeEventListener('abort', end);
      },
    };
  }

  async function purge(now: number): Promise<void> {
    const { api, retentionSeconds, unopenedRetentionSeconds } = settings;
    // A clock that is days ahead would delete open checkouts, and their paid orders would match nothing.
    if (Math.abs(api.clockSkewSeconds ?? 0) > MAX_PURGE_SKEW_SECONDS) return;
    await store.purge({
      before: now - retentionSeconds,
      unopenedBefore: now - unopenedRetentionSeconds,
      replaysBefore: now,
    });
  }

  return {
    get completeAt() {
      return completeAt;
    },
    get progress() {
      return `${saves} ${counts.listed + counts.malformed} ${deliverer.delivered}`;
    },
    run: (signal, conditions = {}) =>
      trace('partner-ramp:sync', runtime, {}, async (update) => {
        let run: SyncRun = { ran: false };
        try {
          await store.withSyncLease(async (hasLease = () => true) => {
            run = await sync(signal, hasLease, conditions);
          });
        } catch (error) {
          if (signal.aborted) update({ outcome: 'stopped' });
          throw error;
        }
        update(describe(run));
        return run;
      }),
  };
}

function describe(run: SyncRun) {
  if (!run.ran) return { outcome: 'busy' } as const;
  const { isComplete, listed, recorded, malformed } = run;
  return { outcome: isComplete ? 'synced' : 'stopped', listed, recorded, malformed } as const;
}

/** What the store is asked for to plan a sync. */
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
  // Before the first complete reading, begin at the first sync. A time in the future was stored while a clock was ahead.
  const known = Math.min(completeAt || (state.firstAt ?? now), now);
  const lookback = completeAt ? lookbackSeconds : Math.max(lookbackSeconds, FIRST_LOOKBACK_SECONDS);
  return Math.max(0, known - lookback);
}

/** Returns whether a sync that began later than `since` has read the newest orders. */
export const hasReadSince = ({ ranges }: SyncState, since: number, now: number): boolean =>
  ranges.newest.completeAt > since && ranges.newest.completeAt <= now;

const createLostError = () =>
  new RampError(
    'ERR_TIMEOUT',
    'This sync took so long that another process has synced meanwhile. The other one continues. If this happens often, let deliver and review take less time, and in functions, shorten serverless.syncSeconds.',
  );
