import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SyncWork } from '../../../../src/server/orders/store/OrderStore.js';
import { planSync, type SyncReason } from '../../../../src/server/orders/tracker/plan.js';
import {
  newSyncState,
  type RangeState,
  type SyncState,
} from '../../../../src/server/orders/tracker/syncState.js';

const settings = { pollSeconds: 60, maxPollSeconds: 600 };
const HOUR = 3600;
const DAY = 86_400;
/** All times of the table are relative to the end of the last sync. */
const ENDED = 1_800_000_000;
const t = (seconds: number) => ENDED + seconds;

const complete: RangeState = { completeAt: t(-2), failures: 0, notBefore: 0 };
const rested: SyncState = {
  ...newSyncState,
  begunAt: t(-2),
  endedAt: ENDED,
  ranges: { newest: complete, unsettled: complete, daily: complete },
};
const idle: SyncWork = { hasOpenCheckouts: false };
const cursor = { begunAt: t(-2), from: t(-DAY) };

interface Row {
  readonly when: string;
  readonly state?: Partial<SyncState>;
  readonly ranges?: Partial<SyncState['ranges']>;
  readonly work?: Partial<SyncWork>;
  /** Seconds after the end of the last sync. */
  readonly now?: number;
  readonly next: number;
  readonly why: SyncReason;
}

const open = { hasOpenCheckouts: true };
const checkout = (seconds: number) => ({ ...open, newestCheckoutAt: t(seconds) });
const unsettled = { unsettledSince: t(-5 * DAY) };

const rows: readonly Row[] = [
  // The state of the last sync
  {
    when: 'no sync has begun',
    state: { begunAt: 0, endedAt: undefined },
    now: 9,
    next: 9,
    why: 'first',
  },
  {
    when: 'the process of the last one was killed',
    state: { endedAt: undefined },
    now: 9,
    next: 9,
    why: 'interrupted',
  },
  { when: 'it ended by a clock that was far ahead', now: -301, next: -301, why: 'interrupted' },
  {
    when: 'it ended by a clock that is a little ahead',
    work: checkout(-10),
    now: -5,
    next: 55,
    why: 'checkout',
  },
  { when: 'it has failed', state: { failures: 1 }, work: open, next: 5, why: 'failed' },
  { when: 'it has failed for the third time', state: { failures: 3 }, next: 20, why: 'failed' },
  { when: 'it has failed for the ninth time', state: { failures: 9 }, next: 60, why: 'failed' },
  {
    when: 'its time was over',
    ranges: { newest: { ...complete, cursor } },
    next: 1,
    why: 'unfinished',
  },
  {
    when: 'its time was over in old orders',
    ranges: { daily: { ...complete, cursor } },
    next: 1,
    why: 'unfinished',
  },
  {
    when: 'an old day cannot be read',
    ranges: { daily: { ...complete, cursor, failures: 1, notBefore: t(55) } },
    next: DAY - 2,
    why: 'daily',
  },
  {
    when: 'an old day cannot be read, and is overdue',
    ranges: { daily: { completeAt: t(-DAY), cursor, failures: 1, notBefore: t(55) } },
    next: 55,
    why: 'daily',
  },
  // Deliveries
  { when: 'a change is due', work: { nextDeliveryAt: t(-1) }, next: 1, why: 'delivery' },
  { when: 'a change is postponed', work: { nextDeliveryAt: t(40) }, next: 40, why: 'delivery' },
  {
    when: 'a change was postponed by a clock that was ahead',
    work: { nextDeliveryAt: t(DAY) },
    next: 1,
    why: 'delivery',
  },
  // Announced orders
  {
    when: 'an order was announced since the last sync began',
    work: { announcedAt: t(-1) },
    next: 1,
    why: 'announced',
  },
  {
    when: 'an order was announced, and not listed two seconds later',
    work: { announcedAt: t(-3) },
    next: 5,
    why: 'announced',
  },
  {
    when: 'an order was announced eight seconds before',
    work: { announcedAt: t(-8) },
    next: 8,
    why: 'announced',
  },
  {
    when: 'an order was announced an hour before',
    work: { announcedAt: t(-HOUR) },
    next: 600,
    why: 'announced',
  },
  {
    when: 'an order was announced by a clock that is ahead',
    work: { announcedAt: t(HOUR) },
    next: 60,
    why: 'announced',
  },
  {
    when: 'a webhook that names no order has requested the last one',
    state: { requestedAt: t(-3) },
    next: 5,
    why: 'announced',
  },
  { when: 'it came a minute before', state: { requestedAt: t(-60) }, next: 60, why: 'announced' },
  {
    when: 'it came two minutes before',
    state: { requestedAt: t(-120) },
    next: DAY - 2,
    why: 'daily',
  },
  {
    when: 'it came by a clock that was ahead',
    state: { requestedAt: t(HOUR) },
    next: DAY - 2,
    why: 'daily',
  },
  // Open checkouts
  {
    when: 'a checkout was opened after the last sync',
    work: checkout(100),
    now: 100,
    next: 60,
    why: 'checkout',
  },
  { when: 'a checkout was opened just before it', work: checkout(-10), next: 60, why: 'checkout' },
  {
    when: 'a checkout was opened four minutes before it',
    work: checkout(-240),
    next: 240,
    why: 'checkout',
  },
  {
    when: 'a checkout was opened an hour before it',
    work: checkout(-HOUR),
    next: 600,
    why: 'checkout',
  },
  {
    when: 'a checkout is open, and another order came four minutes before',
    state: { recordedAt: t(-240) },
    work: checkout(-HOUR),
    next: 240,
    why: 'checkout',
  },
  {
    when: 'the newest checkout is paid',
    work: { newestCheckoutAt: t(-10) },
    next: DAY - 2,
    why: 'daily',
  },
  // Old orders
  { when: 'an NFT awaits settlement', work: unsettled, next: HOUR - 2, why: 'unsettled' },
  {
    when: 'unsettled orders could not be read',
    ranges: { unsettled: { completeAt: t(-HOUR), failures: 1, notBefore: t(58) } },
    work: unsettled,
    next: 58,
    why: 'unsettled',
  },
  { when: 'there is nothing to wait for', next: DAY - 2, why: 'daily' },
  {
    when: 'the daily reading is overdue, and its time was over',
    ranges: { daily: { ...complete, completeAt: 0, cursor } },
    next: 1,
    why: 'unfinished',
  },
  {
    when: 'the daily reading was complete by a clock that was ahead',
    ranges: { daily: { ...complete, completeAt: t(400 * DAY) } },
    now: 7,
    next: 7,
    why: 'daily',
  },
  // The nearest one counts
  {
    when: 'an order was announced and a checkout is open',
    work: { ...checkout(-HOUR), announcedAt: t(-10) },
    next: 10,
    why: 'announced',
  },
  {
    when: 'a change is postponed for longer than the next poll',
    work: { ...checkout(-10), nextDeliveryAt: t(300) },
    next: 60,
    why: 'checkout',
  },
];

describe('planSync', () => {
  it.each(rows)('$when: $why', ({ state, ranges, work, now = 0, next, why }) => {
    const plan = planSync(
      { ...rested, ...state, ranges: { ...rested.ranges, ...ranges } },
      { ...idle, ...work },
      settings,
      t(now),
    );
    expect({ next: plan.at - ENDED, why: plan.why }).toEqual({ next, why });
  });

  it('has every reason in the table', () => {
    const reasons: Record<SyncReason, true> = {
      first: true,
      interrupted: true,
      failed: true,
      unfinished: true,
      delivery: true,
      announced: true,
      checkout: true,
      unsettled: true,
      daily: true,
    };
    expect(new Set(rows.map(({ why }) => why))).toEqual(new Set(Object.keys(reasons)));
  });

  it('doubles the pause while an open checkout gets no order', () => {
    const times = [60];
    for (let i = 0; i < 6; i++) {
      const last = times.at(-1) ?? 0;
      const state = { ...rested, begunAt: t(last), endedAt: t(last) };
      times.push(
        planSync(state, { ...open, newestCheckoutAt: t(0) }, settings, t(last)).at - ENDED,
      );
    }
    expect(times).toEqual([60, 120, 240, 480, 960, 1560, 2160]);
  });

  it('never plans a second sync within a second, nor one later than a day after the last', () => {
    const time = fc.integer({ min: -40 * DAY, max: 40 * DAY }).map(t);
    const maybe = fc.option(time, { nil: undefined });
    const range = fc.record({ completeAt: time, failures: fc.nat(20), notBefore: time });
    fc.assert(
      fc.property(
        fc.record({ newest: range, unsettled: range, daily: range }),
        fc.record({
          newestCheckoutAt: maybe,
          announcedAt: maybe,
          nextDeliveryAt: maybe,
          unsettledSince: maybe,
          hasOpenCheckouts: fc.boolean(),
        }),
        fc.record({ failures: fc.nat(60), recordedAt: time, requestedAt: maybe }),
        fc.nat(40 * DAY).map(t),
        (ranges, work, state, now) => {
          const { at } = planSync({ ...rested, ...state, ranges }, work, settings, now);
          expect(at).toBeGreaterThan(ENDED);
          // A range that may not be read yet waits for its pause, an hour at most.
          expect(at).toBeLessThanOrEqual(Math.max(ENDED + DAY, now + HOUR));
        },
      ),
    );
  });
});
