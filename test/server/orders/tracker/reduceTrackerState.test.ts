import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceTrackerState } from '../../../../src/server/orders/tracker/reduceTrackerState.js';
import {
  createTrackerState,
  type TrackerEvent,
  type TrackerState,
} from '../../../../src/server/orders/tracker/TrackerState.js';
import { trackerEvents, trackerLimits } from '../../../support/server/trackerEvents.js';

const limits = { pollSeconds: 60, maxPollSeconds: 600 };

const apply = (events: readonly TrackerEvent[], from = createTrackerState(limits)): TrackerState =>
  events.reduce((state, event) => reduceTrackerState(state, event, limits), from);

describe('createTrackerState', () => {
  it('returns the state of an unstarted tracker without work', () => {
    expect(createTrackerState(limits)).toEqual({
      status: 'unstarted',
      pauseSeconds: 60,
      nextPauseSeconds: 60,
      isTicking: false,
      result: 'synced',
      failures: 0,
      dueMs: 0,
      endedMs: null,
      isSyncRequested: false,
      isRequestPending: false,
      isFollowingUp: false,
      isCheckoutGranted: false,
      fullSyncAt: 0,
      settlementSyncAt: 0,
      wideFailures: 0,
      wideRetryAt: 0,
    });
  });
});

describe('reduceTrackerState with any events', () => {
  it('survives JSON and does not change its arguments, for any events', () => {
    fc.assert(
      fc.property(trackerLimits, fc.array(trackerEvents), (given, events) => {
        let state = Object.freeze(createTrackerState(given));
        for (const event of events) {
          const copy = JSON.parse(JSON.stringify(state));
          expect(copy).toEqual(state);
          const next = reduceTrackerState(state, Object.freeze(event), given);
          expect(reduceTrackerState(copy, event, given)).toEqual(next);
          state = Object.freeze(next);
        }
      }),
    );
  });

  it('keeps both pauses between the first one and maxPollSeconds', () => {
    fc.assert(
      fc.property(trackerLimits, fc.array(trackerEvents), (given, events) => {
        const shortest = Math.min(5, given.pollSeconds);
        let state = createTrackerState(given);
        for (const event of events) {
          state = reduceTrackerState(state, event, given);
          for (const pause of [state.pauseSeconds, state.nextPauseSeconds]) {
            expect(pause).toBeGreaterThanOrEqual(shortest);
            expect(pause).toBeLessThanOrEqual(given.maxPollSeconds);
          }
        }
      }),
    );
  });

  it('counts the failures in a row', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('synced', 'busy', 'failed')), (results) => {
        const ticks = results.flatMap((result): TrackerEvent[] => [
          { type: 'tick-began' },
          { type: 'tick-result', result },
          { type: 'plan-ended' },
        ]);
        const inRow = results.length - 1 - results.findLastIndex((one) => one !== 'failed');
        expect(apply(ticks).failures).toBe(inRow);
      }),
    );
  });

  it('applies a repeated request or grant once', () => {
    const once = fc.constantFrom<TrackerEvent>(
      { type: 'sync-requested', isFollowedUp: true },
      { type: 'sync-requested', isFollowedUp: false },
      { type: 'checkout-granted' },
      { type: 'plan-began' },
      { type: 'tick-began' },
      { type: 'started' },
      { type: 'stopped' },
    );
    fc.assert(
      fc.property(fc.array(trackerEvents), once, (events, event) => {
        expect(apply([...events, event, event])).toEqual(apply([...events, event]));
      }),
    );
  });
});

describe('reduceTrackerState', () => {
  it('turns a request into a pending one at the next tick, until a scheduled sync succeeds', () => {
    expect(apply([{ type: 'tick-began' }]).isRequestPending).toBe(false);
    const requested = apply([
      { type: 'sync-requested', isFollowedUp: false },
      { type: 'tick-began' },
    ]);
    expect(requested).toMatchObject({ isSyncRequested: false, isRequestPending: true });
    const busy = apply(
      [{ type: 'tick-result', result: 'busy' }, { type: 'tick-began' }],
      requested,
    );
    expect(busy.isRequestPending).toBe(true);
    expect(apply([{ type: 'tick-result', result: 'synced' }], busy).isRequestPending).toBe(false);
  });

  it('records a granted checkout only during a tick', () => {
    const granted = { type: 'checkout-granted' } as const;
    expect(apply([granted]).isCheckoutGranted).toBe(false);
    const during = apply([{ type: 'tick-began' }, granted]);
    expect(during.isCheckoutGranted).toBe(true);
    expect(apply([{ type: 'plan-ended' }, granted], during).isTicking).toBe(false);
    expect(apply([{ type: 'plan-ended' }, { type: 'tick-began' }], during)).toMatchObject({
      isTicking: true,
      isCheckoutGranted: false,
    });
  });

  it('doubles the pause after each sync without new orders, and resets it after a sync with some', () => {
    const pauses = [0, 0, 0, 0, 0, 1, 0].map((_, i, all) =>
      apply(all.slice(0, i + 1).map((recorded) => ({ type: 'synced', recorded }) as const)),
    );
    expect(pauses.map(({ pauseSeconds }) => pauseSeconds)).toEqual([
      60, 120, 240, 480, 600, 60, 120,
    ]);
  });

  it('polls soon after a request, and doubles the pause again', () => {
    const synced = { type: 'synced', recorded: 0 } as const;
    const requested = { type: 'sync-requested', isFollowedUp: true } as const;
    const states = [1, 2, 3, 4, 5].map((syncs) => apply([requested, ...Array(syncs).fill(synced)]));
    expect(states.map((state) => [state.pauseSeconds, state.isFollowingUp])).toEqual([
      [5, true],
      [10, true],
      [20, true],
      [40, true],
      [80, false],
    ]);
    expect(apply([{ ...requested, isFollowedUp: false }, synced])).toMatchObject({
      pauseSeconds: 60,
      isFollowingUp: false,
    });
  });

  it('keeps a short pause when another order than the announced one is recorded', () => {
    const other = { type: 'synced', recorded: 1 } as const;
    const requested = { type: 'sync-requested', isFollowedUp: true } as const;
    expect(apply([requested, other]).pauseSeconds).toBe(5);
  });

  it('keeps a grant during a sync for the plan after it, and forgets an earlier one', () => {
    const granted = { type: 'checkout-granted' } as const;
    const during = apply([{ type: 'tick-began' }, granted, { type: 'plan-began' }]);
    expect(during).toMatchObject({ isTicking: true, isCheckoutGranted: true });
    const later = apply([{ type: 'plan-ended' }, { type: 'plan-began' }], during);
    expect(later).toMatchObject({ isTicking: true, isCheckoutGranted: false });
  });

  it('doubles the time before a failed wide sync is tried again, up to an hour, until one succeeds', () => {
    const failed = { type: 'wide-read-failed', startedAt: 1000 } as const;
    const failTimes = (count: number) => apply(Array(count).fill(failed));
    expect([1, 2, 3, 7, 99].map((count) => failTimes(count).wideRetryAt)).toEqual([
      1060, 1120, 1240, 4600, 4600,
    ]);
    const read = { type: 'list-read', startedAt: 9, isFullSync: true, includesUnsettled: false };
    expect(apply([read as TrackerEvent], failTimes(3))).toMatchObject({
      wideFailures: 0,
      wideRetryAt: 0,
      fullSyncAt: 9,
    });
  });

  it('records when each kind of sync has read the list', () => {
    const read = { type: 'list-read', startedAt: 7, isFullSync: false, includesUnsettled: false };
    const afterRead = (event: object) => apply([{ ...read, ...event } as TrackerEvent]);
    expect(afterRead({})).toEqual(createTrackerState(limits));
    expect(afterRead({ isFullSync: true })).toMatchObject({ fullSyncAt: 7, settlementSyncAt: 0 });
    expect(afterRead({ includesUnsettled: true })).toMatchObject({
      fullSyncAt: 0,
      settlementSyncAt: 7,
    });
  });

  it('has the status of the last start or stop', () => {
    expect(apply([{ type: 'started' }]).status).toBe('started');
    expect(apply([{ type: 'started' }, { type: 'stopped' }]).status).toBe('stopped');
  });

  it('keeps the times of the timer', () => {
    const events = [
      { type: 'scheduled', dueMs: 5 },
      { type: 'sync-ended', atMs: 3 },
    ] as const;
    expect(apply(events)).toMatchObject({ dueMs: 5, endedMs: 3 });
  });
});
