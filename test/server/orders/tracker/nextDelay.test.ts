import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  grantedDelay,
  type KnownWork,
  nextDelay,
  requestDelay,
} from '../../../../src/server/orders/tracker/nextDelay.js';
import { reduceTrackerState } from '../../../../src/server/orders/tracker/reduceTrackerState.js';
import {
  createTrackerState,
  type TrackerLimits,
  type TrackerState,
} from '../../../../src/server/orders/tracker/TrackerState.js';
import { trackerEvents, trackerLimits } from '../../../support/server/trackerEvents.js';

const DAY = 86_400;
const limits = { pollSeconds: 60, maxPollSeconds: 600 };
const now = 1_790_000_000;
const nothing = {
  now,
  isChangeDue: false,
  isCheckoutOpen: false,
  isOrderAnnounced: false,
  isChangeDueSoon: false,
  isOrderUnsettled: false,
  isChangePostponed: false,
};
const idle: TrackerState = { ...createTrackerState(limits), fullSyncAt: now };

/** Computes the delay as the loop does, and returns the values that were read. */
function plan(state: TrackerState, all: Required<KnownWork>, given: TrackerLimits = limits) {
  const read: (keyof KnownWork)[] = [];
  for (let work: KnownWork = {}; ; ) {
    const next = nextDelay(state, work, given);
    if (typeof next === 'number') return { delay: next, read };
    expect(read).not.toContain(next);
    read.push(next);
    work = { ...work, [next]: all[next] };
  }
}

const anyState = fc
  .tuple(trackerLimits, fc.array(trackerEvents))
  .map(([given, events]): [TrackerLimits, TrackerState] => [
    given,
    events.reduce(
      (state, event) => reduceTrackerState(state, event, given),
      createTrackerState(given),
    ),
  ]);
const anyWork = fc.record({
  now: fc.integer({ min: 0, max: 2_000_000_000 }),
  isChangeDue: fc.boolean(),
  isCheckoutOpen: fc.boolean(),
  isOrderAnnounced: fc.boolean(),
  isChangeDueSoon: fc.boolean(),
  isOrderUnsettled: fc.boolean(),
  isChangePostponed: fc.boolean(),
});

describe('nextDelay', () => {
  it('returns at most a day or the longest pause, and reads nothing twice', () => {
    fc.assert(
      fc.property(anyState, anyWork, ([given, state], work) => {
        const { delay } = plan(state, work, given);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(Math.max(DAY, given.maxPollSeconds));
      }),
    );
  });

  it('returns the same delay if more values are already known', () => {
    fc.assert(
      fc.property(anyState, anyWork, ([given, state], work) => {
        expect(nextDelay(state, work, given)).toBe(plan(state, work, given).delay);
      }),
    );
  });

  it('is at most a second while a sync is requested', () => {
    fc.assert(
      fc.property(anyState, anyWork, ([given, state], work) => {
        const { delay } = plan({ ...state, isSyncRequested: true }, work, given);
        expect(delay).toBe(
          Math.min(1, plan({ ...state, isSyncRequested: false }, work, given).delay),
        );
      }),
    );
  });

  it('is at most maxPollSeconds while a checkout is open, and pollSeconds after one was granted', () => {
    fc.assert(
      fc.property(anyState, anyWork, ([given, state], work) => {
        const synced = { ...state, result: 'synced' } as const;
        const open = { ...work, isCheckoutOpen: true };
        expect(plan(synced, open, given).delay).toBeLessThanOrEqual(
          Math.max(2, given.maxPollSeconds),
        );
        const granted = { ...synced, isCheckoutGranted: true };
        expect(plan(granted, work, given).delay).toBeLessThanOrEqual(given.pollSeconds);
      }),
    );
  });

  it('doubles the delay after each failure, up to pollSeconds, and reads nothing', () => {
    const afterFailures = (failures: number) =>
      plan({ ...idle, result: 'failed', failures }, nothing);
    expect([1, 2, 3, 4, 5, 99].map(afterFailures)).toEqual(
      [5, 10, 20, 40, 60, 60].map((delay) => ({ delay, read: [] })),
    );
  });

  it('waits for another instance for pollSeconds, or 2 seconds when a sync was requested', () => {
    const busy = { ...idle, result: 'busy' } as const;
    expect(plan(busy, nothing)).toEqual({ delay: 60, read: [] });
    expect(plan({ ...busy, isRequestPending: true }, nothing)).toEqual({ delay: 2, read: [] });
  });

  it.each<readonly [string, Partial<KnownWork>, number, number]>([
    ['a change is due', { isChangeDue: true, isCheckoutOpen: true }, 2, 2],
    ['a checkout is open', { isCheckoutOpen: true, isChangeDueSoon: true }, 60, 3],
    ['a change is due soon', { isChangeDueSoon: true, isOrderUnsettled: true }, 60, 5],
    ['a change is postponed', { isChangePostponed: true, isOrderUnsettled: true }, 600, 7],
    ['an NFT order is not settled', { isOrderUnsettled: true }, 3600, 7],
    ['an order is announced', { isOrderAnnounced: true, isChangeDueSoon: true }, 60, 4],
    ['no work is ahead', {}, DAY, 7],
  ])('returns the delay and stops reading when %s', (_, work, delay, reads) => {
    const planned = plan(idle, { ...nothing, ...work });
    expect([planned.delay, planned.read.length]).toEqual([delay, reads]);
  });

  it('polls soon after a requested sync without reading whether a checkout is open', () => {
    const requested = { ...idle, isFollowingUp: true, pauseSeconds: 7 };
    expect(plan(requested, nothing)).toEqual({ delay: 7, read: ['now', 'isChangeDue'] });
  });

  it('counts from the end of the last sync, which may have run outside the loop', () => {
    const delayAfter = (sinceSync: number, work: Partial<KnownWork>, state = idle) =>
      nextDelay(state, { ...nothing, ...work }, limits, sinceSync);
    expect(delayAfter(20, { isCheckoutOpen: true })).toBe(40);
    expect(delayAfter(1, { isChangeDue: true })).toBe(1);
    expect(delayAfter(700, { isCheckoutOpen: true })).toBe(0);
    expect(delayAfter(600, { isOrderUnsettled: true })).toBe(3000);
    expect(delayAfter(2, {}, { ...idle, result: 'failed', failures: 1 })).toBe(3);
  });

  it('waits for the next attempt of a full sync that has failed', () => {
    const failed = { ...idle, fullSyncAt: 0, wideRetryAt: now + 240 };
    expect(plan(failed, nothing).delay).toBe(240);
    // The clock was ahead when it failed.
    expect(plan({ ...failed, wideRetryAt: now + 9000 }, nothing).delay).toBe(0);
  });

  it('returns the time until the next full sync when that is sooner', () => {
    const since = (seconds: number) => plan({ ...idle, fullSyncAt: now - seconds }, nothing).delay;
    expect([100, DAY - 1, DAY, DAY + 1].map(since)).toEqual([DAY - 100, 1, 0, 0]);
  });
});

describe('requestDelay', () => {
  it('returns the rest of the second after the last sync ended', () => {
    const at = (endedMs: number | null, nowMs: number) => requestDelay({ ...idle, endedMs }, nowMs);
    expect([at(null, 100), at(0, 0), at(5000, 5250), at(5000, 6000), at(5000, 9000)]).toEqual([
      0, 1, 0.75, 0, 0,
    ]);
  });
});

describe('grantedDelay', () => {
  const at = (dueMs: number, isTicking = false) =>
    grantedDelay({ ...idle, dueMs, isTicking }, limits, 100_000);

  it('moves a sync that is due after pollSeconds to an earlier time, and no other', () => {
    expect([at(160_001), at(160_000), at(100_000), at(99_000)]).toEqual([
      60,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('returns 0 when the timer is more than a second late', () => {
    expect(at(98_999)).toBe(0);
  });

  it('returns undefined during a tick, which plans the next sync itself', () => {
    expect([at(0, true), at(999_999, true)]).toEqual([undefined, undefined]);
  });
});
