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

function freeze(state: TrackerState): TrackerState {
  Object.freeze(state.announced);
  Object.freeze(state.confirming);
  return Object.freeze(state);
}

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
      isOrderAnnounced: false,
      isCheckoutGranted: false,
      announced: [],
      confirming: [],
      fullSyncAt: 0,
      settlementSyncAt: 0,
    });
  });
});

const readingEvents = trackerEvents.filter(({ type }) =>
  ['order-announced', 'read-began', 'read-ended'].includes(type),
);

describe('reduceTrackerState with any events', () => {
  it('survives JSON and does not change its arguments, for any events', () => {
    fc.assert(
      fc.property(trackerLimits, fc.array(trackerEvents), (given, events) => {
        let state = freeze(createTrackerState(given));
        for (const event of events) {
          const copy = JSON.parse(JSON.stringify(state));
          expect(copy).toEqual(state);
          const next = reduceTrackerState(state, Object.freeze(event), given);
          expect(reduceTrackerState(copy, event, given)).toEqual(next);
          state = freeze(next);
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

  it('keeps each announced order until a sync has confirmed it', () => {
    fc.assert(
      fc.property(fc.array(readingEvents, { maxLength: 30 }), (events) => {
        const open = new Set<string>();
        let reading = new Set<string>();
        let state = createTrackerState(limits);
        for (const event of events) {
          state = reduceTrackerState(state, event, limits);
          if (event.type === 'order-announced') open.add(event.reference);
          if (event.type === 'read-began') {
            reading = new Set([...reading, ...open]);
            open.clear();
          }
          if (event.type === 'read-ended') {
            if (!event.isConfirmed) for (const reference of reading) open.add(reference);
            reading.clear();
          }
          expect(new Set(state.announced)).toEqual(open);
          expect(new Set(state.confirming)).toEqual(reading);
          expect(state.announced).toHaveLength(open.size);
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
          { type: 'tick-ended' },
        ]);
        const inRow = results.length - 1 - results.findLastIndex((one) => one !== 'failed');
        expect(apply(ticks).failures).toBe(inRow);
      }),
    );
  });

  it('applies a repeated request or grant once', () => {
    const once = fc.constantFrom<TrackerEvent>(
      { type: 'sync-requested', isAnnounced: true },
      { type: 'sync-requested', isAnnounced: false },
      { type: 'checkout-granted' },
      { type: 'order-announced', reference: 'r1' },
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
      { type: 'sync-requested', isAnnounced: false },
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
    expect(apply([{ type: 'tick-ended' }, granted], during).isTicking).toBe(false);
    expect(apply([{ type: 'tick-ended' }, { type: 'tick-began' }], during)).toMatchObject({
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

  it('polls soon for an announced order, until the pause has grown to pollSeconds', () => {
    const announced = { type: 'sync-requested', isAnnounced: true } as const;
    const synced = { type: 'synced', recorded: 0 } as const;
    const states = [1, 2, 3, 4, 5].map((syncs) => apply([announced, ...Array(syncs).fill(synced)]));
    expect(states.map((state) => [state.pauseSeconds, state.isOrderAnnounced])).toEqual([
      [5, true],
      [10, true],
      [20, true],
      [40, true],
      [80, false],
    ]);
    expect(apply([{ type: 'sync-requested', isAnnounced: false }]).isOrderAnnounced).toBe(false);
    const short = { pollSeconds: 5, maxPollSeconds: 60 };
    const atOnce = reduceTrackerState(apply([announced]), synced, short);
    expect(atOnce).toMatchObject({ pauseSeconds: 5, isOrderAnnounced: false });
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

  it('restores the announced orders of a read that failed', () => {
    const announced = { type: 'order-announced', reference: 'r1' } as const;
    const reading = apply([announced, { type: 'read-began' }]);
    expect(reading).toMatchObject({ announced: [], confirming: ['r1'] });
    const end = (isConfirmed: boolean) => apply([{ type: 'read-ended', isConfirmed }], reading);
    expect(end(false)).toMatchObject({ announced: ['r1'], confirming: [] });
    expect(end(true)).toMatchObject({ announced: [], confirming: [] });
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
