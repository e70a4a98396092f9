import { MAX_BACKOFF_SECONDS, type SyncWork } from '../store/OrderStore.js';
import { getRangeTime, hasRest, rangeNames, type SyncState } from './syncState.js';

/**
 * Why the next sync comes when it comes.
 *
 * - `first`: no sync has begun yet.
 * - `interrupted`: the process of the last sync was killed, or that sync is still running.
 * - `failed`: the last sync could not read the newest orders.
 * - `unfinished`: the time of the last sync was over before it had read everything.
 * - `delivery`: `deliver` or `review` is to be called, perhaps again after a failure.
 * - `announced`: a webhook has announced an order that is not listed yet.
 * - `checkout`: a checkout is open, so its order may come.
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

/** When the next sync is due, Unix seconds, and why. A time that has passed means now. */
export interface SyncPlan {
  readonly at: number;
  readonly why: SyncReason;
}

/** The shortest pause between two syncs, because webhooks may arrive faster than that. */
const MIN_PAUSE_SECONDS = 1;
/** The pause before the rest of what the last sync had no time for. */
const REST_SECONDS = 2;
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
 * Decides when the next sync is due. This is the only rule about pauses.
 *
 * While an order is expected, the pause is as long as nothing has happened, so that it doubles with each sync that
 * finds nothing: from `pollSeconds`, or from five seconds if the order was announced, up to `maxPollSeconds`.
 */
export function planSync(
  state: SyncState,
  work: SyncWork,
  { pollSeconds, maxPollSeconds }: PollSettings,
  now: number,
): SyncPlan {
  const { begunAt, endedAt, failures } = state;
  if (begunAt === 0) return { at: now, why: 'first' };
  // A sync that ended in the future ended by a clock that was ahead.
  if (endedAt === undefined || endedAt > now) return { at: now, why: 'interrupted' };
  if (failures > 0) return { at: endedAt + getRetryPause(failures, pollSeconds), why: 'failed' };
  const waitSince = (since: number, least: number) =>
    endedAt + Math.min(Math.max(endedAt - since, Math.min(least, pollSeconds)), maxPollSeconds);
  const plans: SyncPlan[] = [];
  const add = (why: SyncReason, at: number) => plans.push({ why, at });

  if (rangeNames.some((name) => hasRest(state, name, now)))
    add('unfinished', endedAt + REST_SECONDS);
  const { nextDeliveryAt, announcedAt, newestCheckoutAt = 0 } = work;
  if (nextDeliveryAt !== undefined) {
    // A delivery that was postponed by more was postponed while a clock was ahead.
    const isAhead = nextDeliveryAt > now + MAX_BACKOFF_SECONDS;
    add('delivery', Math.max(endedAt + REST_SECONDS, isAhead ? 0 : nextDeliveryAt));
  }
  if (announcedAt !== undefined)
    add(
      'announced',
      announcedAt >= begunAt ? endedAt + MIN_PAUSE_SECONDS : waitSince(announcedAt, RETRY_SECONDS),
    );
  if (work.hasOpenCheckouts)
    add('checkout', waitSince(Math.max(newestCheckoutAt, state.recordedAt), pollSeconds));
  if (work.unsettledSince !== undefined) add('unsettled', getRangeTime(state, 'unsettled', now));
  add('daily', getRangeTime(state, 'daily', now));
  const { at, why } = plans.reduce((first, next) => (next.at < first.at ? next : first));
  return { at: Math.max(at, endedAt + MIN_PAUSE_SECONDS), why };
}
