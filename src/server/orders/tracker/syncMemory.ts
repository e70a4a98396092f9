import { createHash } from 'node:crypto';
import { ANNOUNCED_SECONDS, MIN_FOLLOW_UPS } from './schedule.js';
import type { TrackerSettings } from './trackerOptions.js';

/** The state of the pause after a wide reading has failed. */
export interface PauseState {
  failures: number;
  /** When the pause ends, Unix seconds. */
  until: number;
}

/** How far a reading of the list came before its time was over. Times are Unix seconds. */
export interface ReadingPosition {
  /** Every order that was listed with an earlier finish time is recorded. */
  readonly from: number;
  readonly startedAt: number;
  readonly isFull: boolean;
  readonly includesUnsettled: boolean;
  /** The longest range that is read at once. */
  readonly sliceSeconds?: number | undefined;
}

/** How far a reading came that began before the lookback. Other readings have no end: they go on up to the present. */
export interface StoppedWideReading extends ReadingPosition {
  /** The end of the range. */
  readonly until: number;
}

/**
 * What a tracker remembers from one sync to the next. A tracker with timers keeps it in memory, and adds it to its
 * watermark. A tracker without timers reads it from the store before each sync, because its process may live for one
 * request only. Times are Unix seconds.
 */
export interface SyncMemory {
  /** When the last run began. */
  startedAt: number;
  /** When the last run ended. 0 while it is running, and if its process died meanwhile. */
  endedAt: number;
  /** When the last successful run began. */
  syncedAt: number;
  /** The number of runs that have failed in a row. */
  failures: number;
  /** The pause after the last run. */
  pauseSeconds: number;
  /** The pause after the next run if that run records no order. */
  nextPauseSeconds: number;
  /** The number of runs since an order was announced. Absent if no more runs follow an announcement. */
  runsSinceAnnounced?: number | undefined;
  /** When the last successful reading of each kind began. */
  fullSyncAt: number;
  settlementSyncAt: number;
  /** When the first sync since the last successful one began. It is stored before that sync reads the list. */
  failingSince?: number | undefined;
  // Each kind has its own pause, so that an old day that cannot be listed does not hold up the settlement of new NFTs.
  fullPause: PauseState;
  settlementPause: PauseState;
  /** The position in the newest orders, and in a reading that begins before the lookback. */
  recent?: ReadingPosition | undefined;
  wide?: StoppedWideReading | undefined;
  /**
   * The longest range that a new reading reads at once. Absent unless the process of the last one was ended before it
   * had a position.
   */
  sliceSeconds?: number | undefined;
  /** The hashes of the messages about malformed orders that were reported since the last full sync. */
  reported: string[];
}

export const createSyncMemory = (pollSeconds: number): SyncMemory => ({
  startedAt: 0,
  endedAt: 0,
  syncedAt: 0,
  failures: 0,
  pauseSeconds: pollSeconds,
  nextPauseSeconds: pollSeconds,
  fullSyncAt: 0,
  settlementSyncAt: 0,
  fullPause: { failures: 0, until: 0 },
  settlementPause: { failures: 0, until: 0 },
  reported: [],
});

/** Returns when the first sync since the last successful one began, for a sync that begins now. */
export const getFailingSince = ({ failingSince }: SyncMemory, now: number): number =>
  // A time in the future was taken while a clock was ahead.
  Math.min(failingSince ?? now, now);

const FORMAT = 1;

export const formatSyncMemory = (memory: SyncMemory): string =>
  JSON.stringify({ format: FORMAT, ...memory });

/**
 * Parses the memory that a store returned. Text of another format counts as absent: the next sync is then a full one.
 */
export function parseSyncMemory(text: string | undefined, pollSeconds: number): SyncMemory {
  const empty = createSyncMemory(pollSeconds);
  try {
    const { format, ...memory } = JSON.parse(text ?? '{}');
    return format === FORMAT ? { ...empty, ...memory } : empty;
  } catch {
    return empty;
  }
}

/** Returns a short hash, by which the memory recognizes a message. */
export const hashMessage = (message: string): string =>
  createHash('sha256').update(message).digest('base64url').slice(0, 8);

/** Plans the pause after a successful run, as `createSchedule` does for a process that keeps running. */
export function planPause(
  memory: SyncMemory,
  { pollSeconds, maxPollSeconds }: TrackerSettings,
  run: { readonly recorded: number; readonly isAnnounced: boolean; readonly isGranted: boolean },
): void {
  let next = run.isGranted ? pollSeconds : memory.nextPauseSeconds;
  if (run.isAnnounced) {
    memory.runsSinceAnnounced = -1;
    next = Math.min(ANNOUNCED_SECONDS, pollSeconds);
  }
  const pause = run.recorded > 0 ? Math.min(pollSeconds, next) : next;
  memory.pauseSeconds = pause;
  memory.nextPauseSeconds = Math.min(pause * 2, maxPollSeconds);
  if (memory.runsSinceAnnounced === undefined) return;
  memory.runsSinceAnnounced++;
  const isOver = pause >= pollSeconds && memory.runsSinceAnnounced > MIN_FOLLOW_UPS;
  if (isOver) memory.runsSinceAnnounced = undefined;
}
