import type { TrackerLimits, TrackerState } from './TrackerState.js';

const HOUR = 3600;
const DAY = 86_400;
/** The delay while another instance syncs although a sync was requested, or while due changes remain. */
export const BUSY_SECONDS = 2;
/** The delay after the first failure. Each further failure doubles it, up to `pollSeconds`. */
const RETRY_SECONDS = 5;
/** The shortest time between two requested syncs: webhooks may arrive faster. */
export const REQUEST_SECONDS = 1;
/** A timer that is later than this is replaced. */
const LATE_MS = 1000;
/** The longest time between two attempts of a sync that reads further back than others. */
export const MAX_WIDE_RETRY_SECONDS = HOUR;

/** The work ahead. A member is absent until it has been read, in most cases from the store. */
export interface KnownWork {
  /** Unix seconds. */
  readonly now?: number;
  /** A change is due: the last sync had no time to deliver it. */
  readonly isChangeDue?: boolean;
  readonly isCheckoutOpen?: boolean;
  /** An order was announced within the last day, and is not recorded. Its checkout may have expired. */
  readonly isOrderAnnounced?: boolean;
  /** A change is due within `maxPollSeconds`. */
  readonly isChangeDueSoon?: boolean;
  /** An NFT order is not settled. */
  readonly isOrderUnsettled?: boolean;
  /** A change is due within an hour, the longest time by which one is postponed. */
  readonly isChangePostponed?: boolean;
}

/**
 * Returns the seconds until the next sync of a started tracker, or the name of the member of `work` that must be
 * read first. So the store is queried only for values that matter. Pure.
 *
 * @param sinceSync - The seconds since the last sync ended.
 */
export function nextDelay(
  state: TrackerState,
  work: KnownWork,
  limits: TrackerLimits,
  sinceSync = 0,
): number | keyof KnownWork {
  const delay = afterResult(state, work, limits, sinceSync);
  if (typeof delay === 'string') return delay;
  return Math.max(0, state.isSyncRequested ? Math.min(REQUEST_SECONDS, delay) : delay);
}

function afterResult(
  state: TrackerState,
  work: KnownWork,
  limits: TrackerLimits,
  sinceSync: number,
): number | keyof KnownWork {
  const { pollSeconds } = limits;
  if (state.result === 'failed')
    return Math.min(RETRY_SECONDS * 2 ** (state.failures - 1), pollSeconds) - sinceSync;
  // Another instance may have read past the requested order, or may have crashed during its sync.
  if (state.result === 'busy')
    return (state.isRequestPending ? BUSY_SECONDS : pollSeconds) - sinceSync;
  const delay = afterSync(state, work, limits, sinceSync);
  if (typeof delay === 'string') return delay;
  return state.isCheckoutGranted ? Math.min(delay, pollSeconds) : delay;
}

/** Returns the delay after a successful sync: at most a day. */
function afterSync(
  state: TrackerState,
  work: KnownWork,
  { pollSeconds, maxPollSeconds }: TrackerLimits,
  sinceSync: number,
): number | keyof KnownWork {
  const { now, isChangeDue, isCheckoutOpen, isOrderAnnounced } = work;
  const { isChangeDueSoon, isOrderUnsettled, isChangePostponed } = work;
  if (now === undefined) return 'now';
  if (isChangeDue === undefined) return 'isChangeDue';
  if (isChangeDue) return BUSY_SECONDS - sinceSync;
  if (state.isFollowingUp || isOrderAnnounced || isCheckoutOpen)
    return state.pauseSeconds - sinceSync;
  if (isCheckoutOpen === undefined) return 'isCheckoutOpen';
  if (isOrderAnnounced === undefined) return 'isOrderAnnounced';
  if (isChangeDueSoon === undefined) return 'isChangeDueSoon';
  if (isChangeDueSoon) return pollSeconds - sinceSync;
  if (isOrderUnsettled === undefined) return 'isOrderUnsettled';
  if (isChangePostponed === undefined) return 'isChangePostponed';
  const longest = isChangePostponed ? maxPollSeconds : isOrderUnsettled ? HOUR : DAY;
  return Math.min(longest - sinceSync, untilFullSync(state, now));
}

/** Returns the seconds until a full sync may run. */
const untilFullSync = (state: TrackerState, now: number): number =>
  Math.max(state.fullSyncAt + DAY, mayReadWide(state, now) ? 0 : state.wideRetryAt) - now;

/**
 * Returns whether a sync may read further back than `lookbackSeconds`: not soon after such a sync has failed,
 * because an old day that the service cannot list must not keep new orders back. Pure.
 */
export const mayReadWide = ({ wideRetryAt }: TrackerState, now: number): boolean =>
  // A time that is further away than any retry comes from a clock that was ahead.
  now >= wideRetryAt || wideRetryAt > now + MAX_WIDE_RETRY_SECONDS;

/** Returns the seconds until a sync that has just been requested. Pure. */
export const requestDelay = ({ endedMs }: TrackerState, nowMs: number): number =>
  endedMs === null ? 0 : Math.max(0, REQUEST_SECONDS - (nowMs - endedMs) / 1000);

/**
 * Returns the seconds until the next sync after a checkout was granted, or undefined to keep the scheduled
 * time. A sync is only moved to an earlier time, because checkouts may be granted faster than syncs end.
 * Pure.
 */
export function grantedDelay(
  { isTicking, dueMs }: TrackerState,
  { pollSeconds }: TrackerLimits,
  nowMs: number,
): number | undefined {
  if (isTicking) return undefined;
  const waitMs = dueMs - nowMs;
  // The timer may be late because the machine slept.
  if (waitMs < -LATE_MS) return 0;
  return waitMs > pollSeconds * 1000 ? pollSeconds : undefined;
}
