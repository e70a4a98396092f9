import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import type { TrackerStore } from '../../../../src/server/orders/store/OrderStore.js';
import { createSchedule } from '../../../../src/server/orders/tracker/schedule.js';
import { toTrackerSettings } from '../../../../src/server/orders/tracker/trackerOptions.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { createVirtualTime } from '../../../support/server/virtualTime.js';

const HOUR = 3600;
const DAY = 86_400;

/** What the store returns when the schedule asks for pending work. Every omitted field counts as false. */
interface Work {
  isChangeDue?: boolean;
  isChangeDueSoon?: boolean;
  isChangePostponed?: boolean;
  isCheckoutOpen?: boolean;
  /** When the only open checkout expires, in seconds since the start. */
  openSeconds?: number;
  isOrderAnnounced?: boolean;
  isOrderUnsettled?: boolean;
}

type Outcome = 'synced' | 'busy' | 'failed';

/** Starts a schedule on a virtual clock. `times` has the start of each sync, in seconds since the schedule started. */
function start(work: Work = {}, { untilFullSync = (): number => DAY, pollSeconds = 60 } = {}) {
  const time = createVirtualTime();
  const times: number[] = [];
  const errors: unknown[] = [];
  const state = {
    outcome: 'synced' as Outcome,
    recorded: 0,
    reads: [] as string[],
    isMonitored: false,
    syncMs: 0,
    /** Called at the next read of the store. The read waits for its result. */
    onRead: undefined as ((name: string) => unknown) | undefined,
  };
  const now = () => Math.floor(time.runtime.now() / 1000);
  const startedAt = now();
  const read = async <T>(name: string, value: T): Promise<T> => {
    state.reads.push(name);
    const { onRead } = state;
    state.onRead = undefined;
    await onRead?.(name);
    return value;
  };
  const store: TrackerStore = {
    ...memoryOrderStore(),
    listPendingChanges: (at) => {
      const ahead = at - now();
      const isFound =
        work.isChangeDue ||
        (ahead > 0 && work.isChangeDueSoon) ||
        (ahead > 600 && work.isChangePostponed);
      return read('changes', isFound ? [{} as never] : []);
    },
    hasOpenCheckouts: (at) => {
      const { isCheckoutOpen = false, openSeconds = 0 } = work;
      return read('open', isCheckoutOpen || at < startedAt + openSeconds);
    },
    hasAnnouncedOrders: () => read('announced', work.isOrderAnnounced === true),
    findOldestUnsettled: () => read('unsettled', work.isOrderUnsettled ? 1 : undefined),
  };
  const options = { api: fakeApi(), store, deliver() {}, review() {}, pollSeconds };
  const onError = (error: unknown) => void errors.push(error);
  const settings = toTrackerSettings({ ...options, onError }, time.runtime);
  const schedule = createSchedule({
    settings,
    monitor: {
      start() {
        state.isMonitored = true;
      },
      stop() {
        state.isMonitored = false;
      },
    },
    async runSync() {
      times.push(time.elapsedMs / 1000);
      state.reads = [];
      const { outcome, recorded, syncMs } = state;
      if (syncMs) await new Promise<void>((done) => time.runtime.setTimeout(done, syncMs));
      if (outcome === 'failed') throw new Error('the service is down');
      return outcome === 'busy' ? undefined : recorded;
    },
    getSecondsUntilFullSync: untilFullSync,
  });
  schedule.start();
  const wait = (seconds: number) =>
    new Promise<void>((done) => void time.runtime.setTimeout(done, seconds * 1000));
  return { ...time, schedule, state, times, errors, work, wait };
}

describe('createSchedule', () => {
  it.each<readonly [string, Work, number, number]>([
    ['a change is due', { isChangeDue: true, isCheckoutOpen: true }, 2, 1],
    ['a checkout is open', { isCheckoutOpen: true, isChangeDueSoon: true }, 60, 2],
    ['an order is announced', { isOrderAnnounced: true, isChangeDueSoon: true }, 60, 3],
    ['a change is due soon', { isChangeDueSoon: true, isOrderUnsettled: true }, 60, 5],
    ['a change is postponed', { isChangePostponed: true, isOrderUnsettled: true }, 600, 6],
    ['an NFT order is not settled', { isOrderUnsettled: true }, HOUR, 5],
    ['no work is ahead', {}, DAY, 5],
  ])('pauses when %s, and reads no more than it needs', async (_, work, pause, reads) => {
    const { times, state, pass } = start(work);
    await pass(0);
    expect(state.reads).toHaveLength(reads);
    await pass(pause);
    expect(times).toEqual([0, pause]);
  });

  it('doubles the pause after each sync without new orders, and shortens it after one with some', async () => {
    const { times, state, pass } = start({ isCheckoutOpen: true });
    await pass(60 + 120 + 240 + 480 + 600);
    expect(times).toEqual([0, 60, 180, 420, 900, 1500]);
    state.recorded = 1;
    await pass(600 + 60);
    expect(times.slice(-2)).toEqual([2100, 2160]);
  });

  it('doubles the pause after each failure, up to pollSeconds, and reads nothing', async () => {
    const { times, state, errors, pass } = start({ isCheckoutOpen: true });
    state.outcome = 'failed';
    await pass(5 + 10 + 20 + 40 + 60 + 60);
    expect(times).toEqual([0, 5, 15, 35, 75, 135, 195]);
    expect(state.reads).toEqual([]);
    expect(errors).toHaveLength(7);
    state.outcome = 'synced';
    await pass(60);
    state.outcome = 'failed';
    await pass(120 + 5);
    expect(times.slice(-5)).toEqual([255, 315, 320, 330, 350]);
  });

  it('waits for another instance for pollSeconds, or for two seconds when a sync was requested', async () => {
    const { times, state, schedule, pass } = start();
    state.outcome = 'busy';
    await pass(60);
    expect(times).toEqual([0, 60]);
    await pass(10);
    schedule.requestSync(false);
    await pass(4);
    expect(times.slice(2)).toEqual([70, 72, 74]);
    state.outcome = 'synced';
    await pass(2);
    state.outcome = 'busy';
    await pass(DAY + 60);
    // The sync at 76 s has served the request, so the next attempt follows a day later. Another instance is syncing
    // then, and nothing was requested, so the schedule waits for pollSeconds (60) and not for 2 s.
    expect(times.slice(5)).toEqual([76, 76 + DAY, 136 + DAY]);
  });

  it('follows an announced order with growing pauses, and keeps them when another order comes', async () => {
    const { times, state, schedule, pass } = start();
    await pass(100);
    schedule.requestSync(true);
    state.recorded = 1;
    await pass(1);
    state.recorded = 0;
    await pass(5 + 10 + 20 + 40 + 60);
    expect(times).toEqual([0, 100, 105, 115, 135, 175]);
  });

  it('syncs a second after the last sync for a request that follows it closely', async () => {
    const { times, schedule, pass } = start();
    await pass(0.25);
    schedule.requestSync(false);
    schedule.requestSync(false);
    await pass(10);
    expect(times).toEqual([0, 1]);
  });

  it('syncs again for a request during a sync, which may have read past the order', async () => {
    const { times, state, schedule, pass } = start();
    state.syncMs = 5000;
    await pass(2);
    schedule.requestSync(false);
    await pass(100);
    expect(times).toEqual([0, 6]);
  });

  it('syncs for a request during a sync although the store stops responding', async () => {
    const { times, state, schedule, pass } = start();
    state.syncMs = 5000;
    await pass(2);
    schedule.requestSync(false);
    state.onRead = () => new Promise(() => {});
    await pass(100);
    expect(times).toEqual([0, 6]);
  });

  it('follows an announced order no longer once the pause is pollSeconds', async () => {
    const { times, schedule, pass } = start({}, { pollSeconds: 160 });
    await pass(100);
    schedule.requestSync(true);
    await pass(900);
    expect(times).toEqual([0, 100, 105, 115, 135, 175, 255]);
  });

  it('syncs a second after a sync that a caller ran, for a request during it', async () => {
    const { times, state, schedule, pass } = start();
    await pass(10);
    state.syncMs = 5000;
    const running = schedule.sync();
    await pass(2);
    schedule.requestSync(false);
    await pass(100);
    await running;
    expect(times).toEqual([0, 10, 16]);
  });

  it('keeps a request during a sync that a caller runs, although its own sync is due meanwhile', async () => {
    const { schedule, times, state, pass } = start({ isCheckoutOpen: true });
    await pass(59);
    state.syncMs = 5000;
    void schedule.sync();
    await pass(0.5);
    schedule.requestSync(false);
    await pass(6);
    expect(times).toEqual([0, 59, 65]);
  });

  it.each([
    [1, [100, 101, 103, 107, 115]],
    [5, [100, 105, 115, 135, 175]],
    [60, [100, 105, 115, 135, 175]],
  ])(
    'follows an announced order with four more syncs if pollSeconds is %i',
    async (pollSeconds, expected) => {
      const { schedule, times, pass } = start({}, { pollSeconds });
      await pass(100);
      schedule.requestSync(true);
      await pass(500);
      expect(times).toEqual([0, ...expected]);
    },
  );

  it('follows an order that was announced during a sync with four more syncs after the next', async () => {
    const { schedule, times, state, pass } = start({}, { pollSeconds: 1 });
    await pass(100);
    state.syncMs = 500;
    void schedule.sync();
    await pass(0.25);
    schedule.requestSync(true);
    state.syncMs = 0;
    await pass(500);
    expect(times).toEqual([0, 100, 101.5, 103.5, 107.5, 115.5, 131.5]);
  });

  it.each([
    ['failed', 70 + 120],
    ['synced', 70 + 240],
  ])(
    'starts again at once, although a stopped sync is still running, which then has %s',
    async (outcome, next) => {
      const { schedule, times, state, errors, pass } = start({ isCheckoutOpen: true });
      await pass(59);
      Object.assign(state, { syncMs: 5000, outcome });
      await pass(2);
      schedule.stop();
      schedule.start();
      state.outcome = 'synced';
      await pass(4);
      expect([times, errors]).toEqual([[0, 60, 65], []]);
      state.syncMs = 0;
      await pass(245);
      expect(times.slice(3, 4)).toEqual([next]);
    },
  );

  it('starts again at once, although the store responds to the stopped schedule at that moment', async () => {
    const { schedule, times, state, pass } = start({ isCheckoutOpen: true });
    await pass(59);
    let respond: unknown;
    state.onRead = () =>
      new Promise((done) => {
        respond = done;
      });
    await pass(5);
    schedule.stop();
    schedule.start();
    (respond as () => void)();
    await pass(1);
    expect(times).toEqual([0, 60, 64]);
  });

  it('counts the pause from the end of a sync that a caller ran', async () => {
    const { times, schedule, pass } = start({ isCheckoutOpen: true });
    await pass(40);
    await schedule.sync();
    await pass(119);
    expect(times).toEqual([0, 40]);
    await pass(1);
    expect(times).toEqual([0, 40, 160]);
  });

  it('syncs again if a checkout was open when a sync began, and has expired when it ends', async () => {
    const { times, state, pass } = start({ openSeconds: 100 });
    state.syncMs = 300_000;
    await pass(301);
    state.syncMs = 0;
    await pass(DAY / 2);
    expect(times).toEqual([0, 360]);
  });

  it('looks into the store every maxPollSeconds while nothing is due', async () => {
    const { times, work, pass } = start();
    await pass(700);
    work.isCheckoutOpen = true;
    await pass(499);
    expect(times).toEqual([0]);
    await pass(1);
    expect(times).toEqual([0, 1200]);
  });

  it('does not look into the store before a sync that is due after maxPollSeconds', async () => {
    const { times, work, pass } = start({ isChangePostponed: true });
    await pass(1);
    work.isChangePostponed = false;
    await pass(600);
    expect(times).toEqual([0, 600]);
  });

  it('syncs at once if the store fails between two syncs', async () => {
    const { times, state, pass } = start();
    await pass(599);
    state.onRead = () => Promise.reject(new Error('pg: down'));
    await pass(5);
    expect(times).toEqual([0, 600]);
  });

  it('reports an error of the store between two syncs', async () => {
    const { errors, state, pass } = start();
    await pass(599);
    state.onRead = () => Promise.reject(new Error('pg: down'));
    await pass(5);
    expect(errors).toEqual([new Error('pg: down')]);
  });

  it('does not count a failed look into the store if a sync has begun since', async () => {
    const { errors, state, schedule, pass, wait } = start();
    await pass(599);
    state.onRead = async () => {
      await wait(3);
      throw new Error('pg: down');
    };
    await pass(2);
    schedule.requestSync(false);
    await pass(5);
    expect(errors).toEqual([]);
  });

  it('keeps a request during a sync that has begun while the store was slow', async () => {
    const { times, state, work, schedule, pass, wait } = start();
    await pass(599);
    work.isCheckoutOpen = true;
    state.onRead = () => wait(4);
    state.syncMs = 10_000;
    await pass(2);
    // This request starts a sync at 601 s. The next one arrives during that sync, before the store responds at 604 s.
    schedule.requestSync(false);
    await pass(1);
    schedule.requestSync(false);
    await pass(30);
    expect(times).toEqual([0, 601, 612]);
  });

  it('syncs for a checkout granted while two readings of the store are slow', async () => {
    const { times, state, schedule, pass, wait } = start();
    await pass(599);
    state.onRead = () => wait(13);
    await pass(2);
    // The reading that began at 600 s ends at 613 s. This request starts a sync at 601 s, which ends at once. The
    // reading after it finds no open checkout either, and ends at 621 s.
    schedule.requestSync(false);
    state.onRead = () => wait(20);
    await pass(14);
    schedule.checkoutGranted();
    await pass(100);
    expect(times).toEqual([0, 601, 681]);
  });

  it('monitors a sync that has begun while the store was slow after the last sync', async () => {
    const { times, state, schedule, pass, wait } = start();
    state.onRead = () => wait(5);
    await pass(2);
    schedule.requestSync(false);
    state.syncMs = 10_000;
    await pass(4);
    expect([times, state.isMonitored]).toEqual([[0, 2], true]);
    await pass(10);
    expect(state.isMonitored).toBe(false);
  });

  it('looks into the store again if a sync that a caller ran has ended meanwhile', async () => {
    const { times, state, work, schedule, pass, wait } = start();
    await pass(599);
    state.onRead = () => wait(3);
    await pass(2);
    await schedule.sync();
    work.isChangeDue = true;
    await pass(3);
    expect(times).toEqual([0, 601, 603]);
  });

  it('syncs when a full sync is due', async () => {
    let until = 500;
    const { times, pass } = start({}, { untilFullSync: () => until });
    await pass(499);
    until = DAY;
    await pass(2);
    expect(times).toEqual([0, 500]);
  });

  it('syncs within pollSeconds after a checkout was granted, and no later for further ones', async () => {
    const { times, schedule, pass } = start();
    await pass(100);
    schedule.checkoutGranted();
    await pass(30);
    schedule.checkoutGranted();
    await pass(30);
    expect(times).toEqual([0, 160]);
  });

  it('syncs pollSeconds after a slow look into the store for a checkout granted meanwhile', async () => {
    const { times, state, schedule, pass, wait } = start();
    await pass(599);
    state.onRead = () => wait(2);
    await pass(2);
    schedule.checkoutGranted();
    await pass(61);
    expect(times).toEqual([0, 662]);
  });

  it('sets its timer once for checkouts that are granted at the same time', async () => {
    const { schedule, pass, runtime } = start();
    await pass(100);
    const setTimeout = vi.spyOn(runtime, 'setTimeout');
    schedule.checkoutGranted();
    schedule.checkoutGranted();
    expect(setTimeout).toHaveBeenCalledOnce();
  });

  it('stops, and starts again', async () => {
    const { times, schedule, pass } = start({ isCheckoutOpen: true });
    await pass(1);
    schedule.stop();
    schedule.requestSync(true);
    schedule.checkoutGranted();
    await pass(DAY);
    expect(times).toEqual([0]);
    schedule.start();
    await pass(0);
    expect(times).toEqual([0, DAY + 1]);
  });

  const events = fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('pass' as const), seconds: fc.integer({ min: 0, max: 2000 }) }),
      fc.record({
        type: fc.constant('outcome' as const),
        outcome: fc.constantFrom<Outcome>('synced', 'busy', 'failed'),
        recorded: fc.integer({ min: 0, max: 1 }),
      }),
      fc.record({ type: fc.constantFrom('request', 'announce', 'grant', 'sync') }),
    ),
    { maxLength: 12 },
  );

  it('always syncs again: within pollSeconds after a grant, within seconds after a request', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.boolean(), async (steps, isCheckoutOpen) => {
        const { schedule, state, times, pass, runtime, work } = start({ isCheckoutOpen });
        const elapsed = () => runtime.monotonic() / 1000;
        for (const step of steps) {
          if ('seconds' in step) await pass(step.seconds);
          else if ('outcome' in step) Object.assign(state, step);
          else if (step.type === 'grant') schedule.checkoutGranted();
          else if (step.type === 'sync') await schedule.sync().catch(() => {});
          else schedule.requestSync(step.type === 'announce');
        }
        state.outcome = 'synced';
        const granted = elapsed();
        work.isCheckoutOpen = true;
        schedule.checkoutGranted();
        await pass(60);
        expect(times.at(-1)).toBeGreaterThanOrEqual(granted);
        const requested = elapsed();
        schedule.requestSync(false);
        await pass(1);
        expect(times.at(-1)).toBeGreaterThanOrEqual(requested);
      }),
      { numRuns: 200 },
    );
  });
});
