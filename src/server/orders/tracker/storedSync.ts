import { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds } from '../../internal/runtime.js';
import type { SyncState } from '../store/OrderStore.js';
import type { Deliverer } from './deliverChanges.js';
import {
  canResume,
  getSecondsUntilFullSync,
  type ListReader,
  type SyncReport,
  shortenAfterKill,
  traceReports,
} from './readList.js';
import { findPause } from './schedule.js';
import {
  formatSyncMemory,
  getFailingSince,
  parseSyncMemory,
  planPause,
  type SyncMemory,
} from './syncMemory.js';
import type { TrackerSettings } from './trackerOptions.js';

/** The shortest time between the beginnings of two runs of `syncIfDue`, in any two processes. */
const MIN_RUN_SECONDS = 10;
/**
 * How much earlier than planned a run may begin, at most. A scheduled job that comes every minute would otherwise often
 * come a second too early, and wait for another minute.
 */
const EARLY_SECONDS = 30;
/** The part of `syncSeconds` in which the list is read. In the rest, changes are delivered. */
const READING_SHARE = 2 / 3;

/** What a sync did: counts only, so it can be sent to a scheduler and logged. */
export type SyncRun =
  | {
      /** False if no sync was due, or another process is syncing. */
      readonly ran: false;
    }
  | {
      readonly ran: true;
      /** Whether the whole list was read. If not, its time was over, and the next sync continues. */
      readonly isComplete: boolean;
      /** The numbers of orders that were listed, that were new or had advanced, and that were malformed. */
      readonly listed: number;
      readonly recorded: number;
      readonly malformed: number;
      /** The number of changes that were handled. */
      readonly delivered: number;
    };

interface StoredSyncParts {
  readonly settings: TrackerSettings;
  readonly memory: SyncMemory;
  readonly reader: ListReader;
  readonly deliverer: Deliverer;
}

/**
 * Syncs of a tracker without timers. Before each sync, its memory is read from the store, because its process may be a
 * new one. Every write compares the revision of the memory that was read. So if another process has taken the lease
 * meanwhile, this one ends, and the memory of the other one stays.
 */
export interface StoredSync {
  /** Syncs at once. Resolves with undefined if another process syncs. */
  sync(signal: AbortSignal): Promise<SyncReport | undefined>;
  syncIfDue(signal: AbortSignal, isEarly: boolean): Promise<SyncRun>;
  /** Records that the next sync is for an announced order, which may be listed late, so that more syncs follow. */
  requestSync(): void;
  readonly running: Promise<unknown> | undefined;
}

export function createStoredSync(parts: StoredSyncParts): StoredSync {
  const { settings, memory, reader, deliverer } = parts;
  const { store, runtime, syncSeconds, pollSeconds, fullSyncLookbackSeconds } = settings;
  /** When an announced order requested a sync that has not run yet, Unix seconds. */
  let requestedAt: number | undefined;
  let running: Promise<unknown> | undefined;

  /** Replaces the memory with that of the store. */
  function load({ memory: text }: SyncState): void {
    for (const name of Object.keys(memory))
      delete (memory as unknown as Record<string, unknown>)[name];
    Object.assign(memory, parseSyncMemory(text, pollSeconds));
  }

  /** Returns when the newest checkout was granted, unless it was before the last run began. */
  async function findGrant({ startedAt }: SyncMemory): Promise<number | undefined> {
    const newest = await store.findNewestCheckout();
    return newest !== undefined && newest >= startedAt ? newest : undefined;
  }

  /** Returns whether a sync is due. It does not read `memory`, which a running sync of this process may be changing. */
  async function isDue(known: SyncMemory, isEarly: boolean): Promise<boolean> {
    const { startedAt, endedAt, syncedAt, failures } = known;
    const now = getSeconds(runtime);
    if (now - startedAt < MIN_RUN_SECONDS && now >= startedAt) return false;
    // If the process of the last run was ended first, `endedAt` is 0, and a sync is due. If the run ended in the future,
    // its clock was ahead.
    const secondsSinceSync = now - endedAt;
    if (secondsSinceSync < 0 || known.recent || canResume(known, now)) return true;
    const planned = await findPause(settings, {
      obstacle: failures > 0 ? 'failed' : undefined,
      failures,
      isRequestPending: false,
      isFollowingUp: known.runsSinceAnnounced !== undefined,
      syncedAt,
      pauseSeconds: known.pauseSeconds,
      secondsSinceSync: () => secondsSinceSync,
      secondsUntilFullSync: () => getSecondsUntilFullSync(known, now),
    });
    // A checkout needs a sync within `pollSeconds`.
    const grantedAt = (await findGrant(known)) ?? Number.POSITIVE_INFINITY;
    const pause = Math.min(planned, Math.max(0, grantedAt - endedAt) + pollSeconds);
    return secondsSinceSync >= pause - (isEarly ? Math.min(EARLY_SECONDS, pause / 2) : 0);
  }

  /**
   * Runs a sync under the lease.
   *
   * @param read - The revision that the caller has seen. If the store has another one, another process has synced, and
   * nothing happens.
   */
  async function run(signal: AbortSignal, read?: number): Promise<SyncReport | undefined> {
    let report: SyncReport | undefined;
    await store.withSyncLease(async (hasLease = () => true) => {
      let state = await store.readSyncState();
      if (read !== undefined && state.revision !== read) return;
      load(state);
      const now = getSeconds(runtime);
      const requested = requestedAt;
      requestedAt = undefined;
      // Another process has read the list since the webhook arrived. If the order was not listed then, a later sync
      // finds it.
      if (requested !== undefined && memory.syncedAt > requested) {
        report = { startedAt: now, from: now, listed: 0, recorded: 0, malformed: 0 };
        return;
      }
      const isGranted = (await findGrant(memory)) !== undefined;
      const wasKilled = memory.startedAt > 0 && memory.endedAt === 0;
      if (wasKilled) shortenAfterKill(memory, state, fullSyncLookbackSeconds);
      const save = async (watermark = state.watermark) => {
        const next = { ...state, watermark, memory: formatSyncMemory(memory) };
        if (!(await store.writeSyncState(next))) throw createLostError();
        state = { ...next, revision: state.revision + 1 };
      };
      memory.startedAt = now;
      memory.endedAt = 0;
      memory.failingSince = getFailingSince(memory, now);
      await save();
      const beganMs = runtime.monotonic();
      const isOver = () => runtime.monotonic() - beganMs >= syncSeconds * 1000;
      const reading = new AbortController();
      const stop = () => reading.abort(signal.reason);
      const timer = runtime.setTimeout(stop, syncSeconds * 1000 * READING_SHARE);
      signal.addEventListener('abort', stop);
      try {
        report = await reader.read(signal, { signal: reading.signal, save });
        memory.failures = 0;
        if (!report.isStopped) memory.syncedAt = now;
        planPause(memory, settings, {
          recorded: report.recorded,
          isAnnounced: requested !== undefined,
          isGranted,
        });
      } catch (error) {
        memory.failures++;
        throw error;
      } finally {
        runtime.clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        try {
          // Deliver the recorded changes even if the rest of the list could not be read.
          await deliverer.deliver(signal, hasLease, isOver);
        } finally {
          memory.endedAt = getSeconds(runtime);
          await save();
        }
      }
    });
    return report;
  }

  const runTraced = (signal: AbortSignal, read?: number) =>
    traceReports(runtime, signal, () => run(signal, read));

  function track<T>(work: Promise<T>): Promise<T> {
    running = work;
    return work;
  }

  return {
    get running() {
      return running;
    },
    sync: (signal) => track(runTraced(signal)),
    requestSync() {
      requestedAt = getSeconds(runtime);
    },
    syncIfDue: (signal, isEarly) =>
      track(
        (async (): Promise<SyncRun> => {
          const state = await store.readSyncState();
          const known = parseSyncMemory(state.memory, pollSeconds);
          if (!(await isDue(known, isEarly))) return { ran: false };
          const report = await runTraced(signal, state.revision);
          if (!report) return { ran: false };
          const { listed, recorded, malformed, isStopped } = report;
          const { delivered } = deliverer;
          return { ran: true, isComplete: !isStopped, listed, recorded, malformed, delivered };
        })(),
      ),
  };
}

const createLostError = () =>
  new RampError(
    'ERR_TIMEOUT',
    'This sync took so long that another process has synced meanwhile. The other one continues. If this happens often, shorten serverless.syncSeconds, and let deliver and review take less time.',
  );
