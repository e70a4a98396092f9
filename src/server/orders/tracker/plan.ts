import { MAX_BACKOFF_SECONDS, type SyncWork } from '../store/OrderStore.js';
import {
  getRangeTime,
  hasRest,
  MAX_SKEW_SECONDS,
  rangeNames,
  type SyncState,
} from './syncState.js';

/**
 * What the next sync waits for.
 *
 * - `first`: no sync has begun yet.
 * - `interrupted`: the process of the last sync was killed, that sync is still running, or its end was recorded by a
 *   clock that was far ahead.
 * - `failed`: the last sync could not read the newest orders.
 * - `unfinished`: the last sync ran out of time before it had read everything.
 * - `delivery`: an order waits for `deliver` or `review`, perhaps again after a failure.
 * - `announced`: a webhook has announced an order that is not listed yet, or has named no checkout.
 * - `checkout`: a checkout is open, so its order may arrive.
 * - `unsettled`: an NFT order awaits settlement.
 * - `daily`: there is nothing to wait for.
 */
export type SyncReason =
  | 'first'
  | 'interrupted'
  | 'failed'
  | 'unfinished'
  | 'delivery'
  | 'announced'
  | 'checkout'
  | 'unsettled'
  | 'daily';

/** When the next sync is due, Unix seconds, and why. A time in the past means now. */
export interface SyncPlan {
  readonly at: number;
  readonly why: SyncReason;
}

/** The shortest pause between two syncs. */
const MIN_PAUSE_SECONDS = 1;
/** How long syncs follow a webhook that names no checkout, because its order may be listed late. */
const FOLLOW_SECONDS = 120;
/** The first pause after a failure, and while an announced order is not listed. */
const RETRY_SECONDS = 5;

/** Returns the pause after `failures` failures in a row. */
export const getRetryPause = (failures: number, pollSeconds: number): number =>
  Math.min(RETRY_SECONDS * 2 ** (failures - 1), pollSeconds);

/** How often the list is read while a checkout is open. */
export interface PollSettings {
  readonly pollSeconds: number;
  readonly maxPollSeconds: number;
}

/**
 * Decides when the next sync is due.
 *
 * While an order is expected, the pause equals the time since anything last happened, so it doubles with each sync that
 * finds nothing: from `pollSeconds`, or from five seconds if the order was announced, up to `maxPollSeconds`.
 */
export function planSync(
  state: SyncState,
  work: SyncWork,
  { pollSeconds, maxPollSeconds }: PollSettings,
  now: number,
): SyncPlan {
  const { begunAt, failures, requestedAt = 0 } = state;
  if (begunAt === 0) return { at: now, why: 'first' };
  // An end in the future was recorded by a clock that was ahead.
  if (state.endedAt === undefined || state.endedAt > now + MAX_SKEW_SECONDS)
    return { at: now, why: 'interrupted' };
  const endedAt = Math.min(state.endedAt, now);
  if (failures > 0) return { at: endedAt + getRetryPause(failures, pollSeconds), why: 'failed' };
  const waitSince = (since: number, least: number) =>
    endedAt + Math.min(Math.max(endedAt - since, Math.min(least, pollSeconds)), maxPollSeconds);
  const plans: SyncPlan[] = [];
  const add = (why: SyncReason, at: number) =>
    plans.push({ why, at: Math.max(at, endedAt + MIN_PAUSE_SECONDS) });

  if (rangeNames.some((name) => hasRest(state, name, now))) add('unfinished', endedAt);
  const { nextDeliveryAt, newestCheckoutAt = 0 } = work;
  if (nextDeliveryAt !== undefined) {
    // A delivery that was postponed by more was postponed while a clock was ahead.
    const isAhead = nextDeliveryAt > now + MAX_BACKOFF_SECONDS;
    add('delivery', isAhead ? endedAt : nextDeliveryAt);
  }
  const { announcedAt = 0 } = work;
  // A webhook recorded while a clock was ahead must not cause one sync after another until that time.
  if (announcedAt > now) add('announced', endedAt + pollSeconds);
  else if (announcedAt > 0)
    add('announced', announcedAt >= begunAt ? endedAt : waitSince(announcedAt, RETRY_SECONDS));
  if (requestedAt > endedAt - FOLLOW_SECONDS && requestedAt <= now + MAX_SKEW_SECONDS)
    add('announced', waitSince(requestedAt, RETRY_SECONDS));
  if (work.hasOpenCheckouts)
    add('checkout', waitSince(Math.max(newestCheckoutAt, state.recordedAt), pollSeconds));
  if (work.unsettledSince !== undefined) add('unsettled', getRangeTime(state, 'unsettled', now));
  add('daily', getRangeTime(state, 'daily', now));
  return plans.reduce((first, next) => (next.at < first.at ? next : first));
}
