/** What decides when a page polls a backend. All times are in milliseconds. */
export interface PollFacts {
  /** Whether any watched checkout may change soon: its state is unknown, or neither terminal nor expired. */
  readonly hasActive: boolean;
  /** Whether an expired checkout is watched. It may still get a late order. */
  readonly hasExpired: boolean;
  /** Whether a list of checkouts is shown. */
  readonly hasHistory: boolean;
  /** Whether the shown list contains a checkout that may change soon. */
  readonly hasActiveEntry: boolean;
  readonly isHidden: boolean;
  /** The time since the last poll ended. `Infinity` before the first one. */
  readonly sinceLastMs: number;
  /** The pause that the backend asked for in its last response. */
  readonly pollAfterMs: number;
  /**
   * The time since a change last became likely, for example because of progress or because the shopper came back to the
   * page.
   */
  readonly quietMs: number;
  /** How many polls have begun since `quietMs` exceeded {@link QUIET_MS}. */
  readonly quietPolls: number;
  /** How many polls in a row have failed. */
  readonly failures: number;
  /** The pause that the last response's `Retry-After` asks for, or 0 without that header. */
  readonly retryAfterMs: number;
  /** The time until a poll that is wanted earlier than scheduled, for example for a new watcher. */
  readonly wakeInMs?: number | undefined;
  /** A random number from 0 to 1, drawn once for each pause. */
  readonly random: number;
}

/** The pause before the first response, and the shortest that a backend can ask for. */
export const MIN_POLL_MS = 3000;
/** The longest pause that a backend can ask for in a successful response. */
export const MAX_POLL_MS = 60_000;
/** Once no change has been likely for this long, each pause is longer than the one before. */
export const QUIET_MS = 180_000;
const QUIET_GROWTH = 1.25;
/** The longest pause while a checkout may change soon, and the pause in a hidden tab. */
const MAX_ACTIVE_MS = 15_000;
const HISTORY_MS = 20_000;
const EXPIRED_MS = 60_000;
/** Once no change has been likely for this long, expired checkouts are no longer polled. */
const EXPIRED_END_MS = 600_000;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;
const MAX_RETRY_AFTER_MS = 300_000;
/** How far a pause deviates from the schedule, so that the pages of many shoppers do not poll at the same moment. */
const JITTER = 0.15;
const RETURN_MS = 1000;

/**
 * Returns the milliseconds until the next poll, or `undefined` if no poll is needed until something happens.
 *
 * @example
 * planPoll({ ...facts, hasActive: true, sinceLastMs: 1000, pollAfterMs: 3000, random: 0.5 }); // 2000
 */
export function planPoll(facts: PollFacts): number | undefined {
  const { sinceLastMs, failures, retryAfterMs, wakeInMs, random } = facts;
  const scheduledMs = getScheduledPause(facts);
  if (scheduledMs === undefined) return undefined;
  const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
  const hasFailed = failures > 0;
  // A hidden tab is in no hurry after a failure either.
  const pauseMs = !hasFailed
    ? scheduledMs
    : facts.isHidden
      ? Math.max(scheduledMs, retryMs)
      : retryMs;
  const jitter = 1 + JITTER * (2 * random - 1);
  const dueMs = Math.min(pauseMs * jitter - sinceLastMs, wakeInMs ?? Number.POSITIVE_INFINITY);
  // The backend has asked for this pause, so jitter may only lengthen it.
  const demandedMs = Math.min(retryAfterMs * (1 + JITTER * random), MAX_RETRY_AFTER_MS);
  return Math.max(0, Math.round(Math.max(dueMs, demandedMs - sinceLastMs)));
}

/** Returns the pause after a successful poll, or `undefined` if no further poll is needed. */
function getScheduledPause({
  hasActive,
  hasExpired,
  hasHistory,
  hasActiveEntry,
  isHidden,
  pollAfterMs,
  quietMs,
  quietPolls,
}: PollFacts): number | undefined {
  if (isHidden) return hasActive ? Math.max(MAX_ACTIVE_MS, pollAfterMs) : undefined;
  if (hasActive || hasActiveEntry) {
    const grownMs = pollAfterMs * QUIET_GROWTH ** quietPolls;
    return Math.max(pollAfterMs, Math.min(grownMs, MAX_ACTIVE_MS));
  }
  if (hasHistory) return Math.max(HISTORY_MS, pollAfterMs);
  return hasExpired && quietMs < EXPIRED_END_MS ? EXPIRED_MS : undefined;
}

/**
 * Returns how long a page waits before polling when it is visible or online again, because the pages of many shoppers
 * may come back at the same moment.
 */
export const getReturnDelay = (random: number): number => RETURN_MS * random;
