import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '../../../../src/protocol/index.js';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { sleep } from '../../../../src/server/internal/runtime.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import {
  createSyncMemory,
  formatSyncMemory,
  parseSyncMemory,
  type SyncMemory,
} from '../../../../src/server/orders/tracker/syncMemory.js';
import type { OrderTrackerOptions } from '../../../../src/server/orders/tracker/trackerOptions.js';
import {
  baseTime as now,
  onRampIntent,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { recordDiagnostics } from '../../../support/server/recordDiagnostics.js';
import { createVirtualTime } from '../../../support/server/virtualTime.js';

const HOUR = 3600;
const DAY = 86_400;

/** The memory after a complete sync that ended 100 seconds ago. The next one is due a day later. */
const rested = {
  startedAt: now - 120,
  endedAt: now - 100,
  syncedAt: now - 120,
  fullSyncAt: now - 120,
  settlementSyncAt: now - 120,
};

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

/** A shop whose processes live for one request, with virtual time. */
function createShop() {
  const time = createVirtualTime();
  const store = memoryOrderStore();
  const shop = {
    time,
    store,
    orders: [] as Order[],
    ranges: [] as Range[],
    tries: [] as (number | undefined)[],
    signals: [] as AbortSignal[],
    errors: [] as unknown[],
    /** Returns how many seconds the list needs for a range. It then lists the orders of the range, or throws. */
    list: (_: Range): number => 0,
    /** Stores what the last process remembered. */
    remember: (memory: Partial<SyncMemory>, watermark = now - 120) =>
      store.writeWatermark(
        watermark,
        formatSyncMemory({ ...createSyncMemory(60), ...rested, ...memory }),
      ),
    async recall() {
      return parseSyncMemory((await store.readSyncState()).memory, 60);
    },
    create: (options: Partial<OrderTrackerOptions> = {}) =>
      createOrderTracker(
        {
          api,
          store,
          timers: false,
          deliver() {},
          review() {},
          onError: (error) => shop.errors.push(error),
          ...options,
        },
        time.runtime,
      ),
    /** Runs a sync, and lets as much time pass as it needs. */
    async finish<T>(work: Promise<T>): Promise<T> {
      let isDone = false;
      const mark = () => {
        isDone = true;
      };
      work.then(mark, mark);
      for (let i = 0; i < 1000 && !isDone; i++) await time.pass(Math.min(i, 1));
      return work;
    },
    run: (options?: Partial<OrderTrackerOptions>, isEarly = true) =>
      shop.finish(shop.create(options).syncIfDue(isEarly ? undefined : { isEarly })),
  };
  const api: OrderTrackerOptions['api'] = {
    async *eachOrder(range, { signal, maxTries, onMalformed } = {}) {
      shop.ranges.push(range);
      shop.tries.push(maxTries);
      if (signal) shop.signals.push(signal);
      const seconds = shop.list(range);
      if (seconds > 0) await sleep(time.runtime, seconds * 1000, signal);
      signal?.throwIfAborted();
      for (const order of shop.orders) {
        const { finishTime = 0 } = order;
        if (finishTime < range.startTime || finishTime > range.endTime) continue;
        if (order.orderId === 'malformed') onMalformed?.(new Error('malformed') as never);
        else yield order;
      }
    },
  };
  return shop;
}

let shop = createShop();
beforeEach(() => {
  shop = createShop();
});

describe('syncIfDue begins a sync', () => {
  const reading = { startedAt: now - 200, isFull: true, includesUnsettled: true };
  const recent = { ...reading, from: now - 300 };
  const wide = { ...reading, from: now - DAY, until: now - 200 };
  const following = { runsSinceAnnounced: 0, pauseSeconds: 20 };

  it.each<[string, boolean, Partial<SyncMemory>]>([
    [
      'ten seconds after the last one began, if that never ended',
      true,
      { startedAt: now - 10, endedAt: 0 },
    ],
    ['not nine seconds after it', false, { startedAt: now - 9, endedAt: 0 }],
    ['not in the same second', false, { startedAt: now, endedAt: 0 }],
    ['if the last one ended in the future', true, { startedAt: now - 20, endedAt: now + 1 }],
    ['not if it ended in this second', false, { startedAt: now - 20, endedAt: now }],
    ['to continue a reading of the newest orders', true, { recent }],
    ['to continue it after the clock was set back', true, { startedAt: now + 5, recent }],
    ['to continue a wide reading', true, { wide }],
    [
      'not to continue a wide reading during its pause',
      false,
      { wide, fullPause: { failures: 1, until: now + 1 } },
    ],
    ['five seconds after one has failed', true, { failures: 1, endedAt: now - 5 }],
    ['not four seconds after one has failed', false, { failures: 1, endedAt: now - 4 }],
    ['ten seconds after a second failure', true, { failures: 2, endedAt: now - 10 }],
    ['not nine seconds after a second failure', false, { failures: 2, endedAt: now - 9 }],
    ['after the pause that follows an announcement', true, { ...following, endedAt: now - 20 }],
    ['not before', false, { ...following, endedAt: now - 19 }],
    [
      'not because it began longer ago than that',
      false,
      { ...following, startedAt: now - 99, endedAt: now - 19 },
    ],
    ['when a day has passed since the full sync', true, { fullSyncAt: now - DAY }],
    ['not a second earlier', false, { fullSyncAt: now - DAY + 1 }],
  ])('%s', async (_, ran, memory) => {
    await shop.remember(memory);
    expect((await shop.run({}, false)).ran).toBe(ran);
  });

  it.each<[string, boolean, Partial<SyncMemory>]>([
    ['30 seconds', true, { fullSyncAt: now - DAY + 30 }],
    ['not 31 seconds', false, { fullSyncAt: now - DAY + 31 }],
    ['half of a short pause', true, { ...following, endedAt: now - 10 }],
    ['not more than half of it', false, { ...following, endedAt: now - 9 }],
  ])('%s earlier than planned, for a job that comes every minute', async (_, ran, memory) => {
    await shop.remember({ ...memory, startedAt: now - 50 });
    expect((await shop.run()).ran).toBe(ran);
  });

  it.each<[string, boolean, number, Partial<SyncMemory>]>([
    ['pollSeconds after a checkout was granted', true, now - 60, {}],
    ['not earlier', false, now - 59, {}],
    [
      'pollSeconds after the end of a sync during which it was granted',
      true,
      now - 170,
      { endedAt: now - 60 },
    ],
    ['not earlier than that', false, now - 170, { endedAt: now - 59 }],
    [
      'for a checkout that was granted in the second in which the last one began',
      true,
      now - 200,
      {},
    ],
    ['not for one that was granted before the last one began', false, now - 201, {}],
  ])('%s', async (_, ran, createdAt, memory) => {
    await shop.store.saveIntent(onRampIntent({ createdAt, expiresAt: now + DAY }));
    await shop.remember({ startedAt: now - 200, pauseSeconds: 600, ...memory });
    expect((await shop.run({}, false)).ran).toBe(ran);
  });

  it('for a checkout that expired after the last sync began', async () => {
    await shop.store.saveIntent(onRampIntent({ createdAt: now - DAY, expiresAt: now - 110 }));
    await shop.remember({ pauseSeconds: 90 });
    expect((await shop.run({}, false)).ran).toBe(true);
  });
});

describe('a sync of a tracker without timers', () => {
  it('leaves the list to another process that has synced since this one looked', async () => {
    await shop.remember({ endedAt: 0 });
    const { withSyncLease } = shop.store;
    const store = {
      ...shop.store,
      withSyncLease: async (sync: Parameters<typeof withSyncLease>[0]) => {
        await shop.create().sync();
        return withSyncLease(sync);
      },
    };
    expect(await shop.run({ store })).toEqual({ ran: false });
    expect(shop.ranges).toHaveLength(1);
  });

  it('does nothing while another process has the lease', async () => {
    const { ended } = recordDiagnostics();
    await shop.remember({ endedAt: 0 });
    const store = { ...shop.store, withSyncLease: async () => false };
    expect(await shop.run({ store })).toEqual({ ran: false });
    expect(ended('partner-ramp:sync')).toEqual([{ outcome: 'busy' }]);
  });

  it('does not read the list for a webhook if another process has read it since', async () => {
    const { ended } = recordDiagnostics();
    const { withSyncLease } = shop.store;
    let isFirst = true;
    const store = {
      ...shop.store,
      withSyncLease: async (sync: Parameters<typeof withSyncLease>[0]) => {
        if (isFirst) {
          isFirst = false;
          await shop.time.pass(1);
          await shop.create().sync();
        }
        return withSyncLease(sync);
      },
    };
    await shop.finish(shop.create({ store }).requestSync('r1'));
    expect(shop.ranges).toHaveLength(1);
    expect(ended('partner-ramp:sync').at(-1)).toEqual({
      outcome: 'synced',
      listed: 0,
      recorded: 0,
      malformed: 0,
    });
  });

  it('reads the list for a webhook if another process read it in the same second', async () => {
    await shop.remember({ syncedAt: now });
    await shop.finish(shop.create().requestSync('r1'));
    expect(shop.ranges).toHaveLength(1);
    expect(await shop.recall()).toMatchObject({ runsSinceAnnounced: 0, pauseSeconds: 5 });
  });

  it('counts only the first sync after a webhook as the one that was announced', async () => {
    const tracker = shop.create();
    await shop.finish(tracker.requestSync('r1'));
    await shop.time.pass(60);
    await tracker.sync();
    expect(await shop.recall()).toMatchObject({ runsSinceAnnounced: 1, pauseSeconds: 10 });
  });

  it('returns to pollSeconds for a checkout that was granted since the last one began', async () => {
    await shop.remember({ nextPauseSeconds: 600 });
    await shop.create().sync();
    expect((await shop.recall()).pauseSeconds).toBe(600);
    await shop.store.saveIntent(onRampIntent({ createdAt: now, expiresAt: now + DAY }));
    await shop.create().sync();
    expect((await shop.recall()).pauseSeconds).toBe(60);
  });

  it('reads a quarter of the range at once after its process was ended', async () => {
    await shop.remember({ endedAt: 0, fullSyncAt: 0 });
    await shop.run();
    const [first] = shop.ranges;
    expect((first?.endTime ?? 0) - (first?.startTime ?? 0)).toBe((7 * DAY) / 4);
    expect(shop.ranges.at(-1)?.endTime).toBe(now);
  });

  it('reads a quarter of the last part at once if its process was ended again', async () => {
    await shop.remember({ endedAt: 0, sliceSeconds: 4000 });
    await shop.run();
    const lengths = shop.ranges.map(({ startTime, endTime }) => endTime - startTime);
    // The range is 7200 seconds, and 120 since the watermark.
    expect(lengths).toEqual([1000, 2000, 4000, 320]);
    expect((await shop.recall()).sliceSeconds).toBeUndefined();
  });

  it('reads a range at once if no process was ended', async () => {
    await shop.remember({ fullSyncAt: 0, endedAt: now - 60 });
    await shop.create().sync();
    expect(shop.ranges).toEqual([
      expect.objectContaining({ startTime: now - 7 * DAY, endTime: now }),
    ]);
  });

  it('remembers when it began before it reads the list, and when it ended', async () => {
    shop.list = () => 5;
    const run = shop.create().syncIfDue();
    await shop.time.pass(1);
    expect(await shop.recall()).toMatchObject({ startedAt: now, endedAt: 0, failingSince: now });
    await shop.time.pass(9);
    await run;
    expect(await shop.recall()).toMatchObject({ startedAt: now, endedAt: now + 5, syncedAt: now });
    expect((await shop.recall()).failingSince).toBeUndefined();
  });

  it('counts failures in a row, and keeps when the last one succeeded', async () => {
    const { ended } = recordDiagnostics();
    const { list } = shop;
    shop.list = () => {
      throw new Error('the service is down');
    };
    await shop.remember({});
    for (const failures of [1, 2]) {
      await expect(shop.create().sync()).rejects.toThrow('the service is down');
      expect(await shop.recall()).toMatchObject({ failures, syncedAt: now - 120, endedAt: now });
    }
    expect(ended('partner-ramp:sync').map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    shop.list = list;
    await shop.create().sync();
    expect(await shop.recall()).toMatchObject({ failures: 0, syncedAt: now });
  });

  it('delivers the recorded changes although the rest of the list cannot be read', async () => {
    await shop.store.recordOrders([onRampOrder()], now);
    shop.list = () => {
      throw new Error('the service is down');
    };
    const review = vi.fn();
    await expect(shop.create({ review }).sync()).rejects.toThrow('the service is down');
    expect(review).toHaveBeenCalledOnce();
  });

  it('begins no delivery when syncSeconds are over, and the next sync delivers the rest', async () => {
    shop.orders = Array.from({ length: 15 }, (_, i) => onRampOrder({ orderId: `o${i}` }));
    const review = () => sleep(shop.time.runtime, 1000);
    const options = { review, syncSeconds: 10 };
    expect(await shop.run(options)).toMatchObject({ ran: true, isComplete: true, delivered: 10 });
    await shop.time.pass(60);
    expect(await shop.run(options)).toMatchObject({ ran: true, delivered: 5 });
  });

  it('reads for two thirds of syncSeconds, and says that it was stopped', async () => {
    const { ended } = recordDiagnostics();
    shop.orders = [onRampOrder()];
    shop.list = ({ startTime }) => (startTime < now - DAY ? 1000 : 0);
    await shop.remember({ fullSyncAt: 0 });
    const run = shop.create({ syncSeconds: 30 }).syncIfDue();
    await shop.time.pass(19);
    expect(shop.signals[0]?.aborted).toBe(false);
    await shop.time.pass(1);
    expect(await run).toMatchObject({ ran: true, isComplete: false, listed: 0 });
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'stopped', listed: 0 }]);
    expect(await shop.recall()).toMatchObject({
      syncedAt: now - 120,
      failures: 0,
      endedAt: now + 20,
    });
  });

  it('fails at once when the tracker is stopped, and keeps no position', async () => {
    const { ended } = recordDiagnostics();
    shop.list = () => 1000;
    const tracker = shop.create();
    const run = tracker.syncIfDue();
    const failed = expect(run).rejects.toMatchObject({ name: 'AbortError' });
    await shop.time.pass(1);
    await tracker.stop();
    await failed;
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'stopped' }]);
    expect(await shop.recall()).not.toHaveProperty('recent');
  });

  it('lets stop() wait for a delivery that has begun', async () => {
    await shop.store.recordOrders([onRampOrder()], now);
    const tracker = shop.create({ review: () => sleep(shop.time.runtime, 5000) });
    const run = tracker.syncIfDue();
    const failed = expect(run).resolves.toMatchObject({ ran: true });
    await shop.time.pass(1);
    const onStopped = vi.fn();
    void tracker.stop().then(onStopped);
    await shop.time.pass(3);
    expect(onStopped).not.toHaveBeenCalled();
    await shop.time.pass(1);
    expect(onStopped).toHaveBeenCalledOnce();
    await failed;
  });

  it('delivers on a store that does not report whether it has the lease', async () => {
    await shop.store.recordOrders([onRampOrder()], now);
    const store = {
      ...shop.store,
      withSyncLease: async (sync: Parameters<typeof shop.store.withSyncLease>[0]) => {
        await (sync as () => Promise<void>)();
        return true;
      },
    };
    expect(await shop.run({ store })).toMatchObject({ ran: true, delivered: 1 });
  });

  it('aborts nothing after it has ended', async () => {
    const tracker = shop.create();
    await shop.finish(tracker.syncIfDue());
    await shop.time.pass(HOUR);
    await tracker.stop();
    expect(shop.signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('says that another process has synced meanwhile, and what helps', async () => {
    shop.list = () => {
      void shop.store.readSyncState().then(shop.store.writeSyncState);
      return 1;
    };
    const run = shop.run();
    await expect(run).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    await expect(run).rejects.toThrow(
      /another process has synced.*shorten serverless\.syncSeconds/,
    );
  });
});

describe('the readings of a tracker without timers', () => {
  const wide = {
    from: now - 5 * DAY,
    until: now - 1000,
    startedAt: now - 1000,
    isFull: true,
    includesUnsettled: true,
  };
  const newest = { startTime: now - 120 - 7200, endTime: now };

  it('read the newest orders, then the rest of a wide reading that was stopped', async () => {
    const purge = vi.spyOn(shop.store, 'purge');
    await shop.remember({ wide, fullSyncAt: 0, settlementSyncAt: 0 });
    expect(await shop.run()).toMatchObject({ ran: true, isComplete: true });
    expect(shop.ranges).toMatchObject([newest, { startTime: wide.from, endTime: wide.until }]);
    expect(await shop.recall()).toMatchObject({
      fullSyncAt: wide.startedAt,
      settlementSyncAt: wide.startedAt,
    });
    expect(await shop.recall()).not.toHaveProperty('wide');
    expect(purge).toHaveBeenCalledOnce();
  });

  it('purge nothing after the rest of a reading for unsettled orders only', async () => {
    const purge = vi.spyOn(shop.store, 'purge');
    await shop.remember({ wide: { ...wide, isFull: false } });
    await shop.run();
    expect(await shop.recall()).toMatchObject({
      fullSyncAt: rested.fullSyncAt,
      settlementSyncAt: wide.startedAt,
    });
    expect(purge).not.toHaveBeenCalled();
  });

  it('pause a wide reading whose rest cannot be read, and read only the newest orders', async () => {
    shop.list = ({ startTime }) => {
      if (startTime === wide.from) throw new Error('503');
      return 0;
    };
    await shop.remember({ wide });
    await expect(shop.run()).rejects.toThrow('503');
    const fullPause = { failures: 1, until: now + 60 };
    expect(await shop.recall()).toMatchObject({ wide, fullPause });
    await shop.time.pass(59);
    await shop.create().sync();
    expect(shop.ranges).toHaveLength(3);
    await shop.time.pass(1);
    await expect(shop.create().sync()).rejects.toThrow('503');
  });

  it('pause a reading for unsettled orders apart from full syncs', async () => {
    shop.list = ({ startTime }) => {
      if (startTime === wide.from) throw new Error('503');
      return 0;
    };
    await shop.remember({ wide: { ...wide, isFull: false } });
    await expect(shop.run()).rejects.toThrow('503');
    expect(await shop.recall()).toMatchObject({
      fullPause: { failures: 0, until: 0 },
      settlementPause: { failures: 1, until: now + 60 },
    });
  });

  it('continue the rest after the last part that was read', async () => {
    const slice = HOUR;
    await shop.remember({ wide: { ...wide, sliceSeconds: slice } });
    shop.list = ({ startTime }) => (startTime < now - DAY ? 5 : 0);
    expect(await shop.run({ syncSeconds: 18 })).toMatchObject({ isComplete: false });
    // Twelve seconds are enough for two parts of five seconds. The parts become longer.
    const starts = [0, 1, 3].map((hours) => wide.from + hours * slice);
    expect(shop.ranges.slice(-3).map(({ startTime }) => startTime)).toEqual(starts);
    expect(await shop.recall()).toMatchObject({
      wide: { ...wide, from: starts[2], sliceSeconds: slice },
    });
    // The newest orders were read nevertheless.
    expect(shop.ranges[0]?.startTime).toBe(newest.startTime);
    expect(await shop.store.readWatermark()).toBe(now);
  });

  it('read the whole week of a list that is too long for one sync', async () => {
    // A day needs ten seconds, and a sync may read for 20 seconds.
    shop.list = ({ startTime, endTime }) => ((endTime - startTime) / DAY) * 10;
    await shop.remember({ fullSyncAt: 0 });
    let runs = 0;
    for (let isComplete = false; !isComplete && runs < 20; runs++) {
      const run = await shop.run({ syncSeconds: 30 });
      isComplete = run.ran && run.isComplete;
      await shop.time.pass(30);
    }
    expect(runs).toBeLessThan(10);
    expect(await shop.recall()).toMatchObject({ fullSyncAt: now });
  });

  it.each([
    ['the rest of a wide reading', now - 120, { wide: { ...wide, sliceSeconds: 400 } }, 'wide'],
    [
      'the newest orders',
      now - 500,
      { recent: { ...wide, isFull: false, includesUnsettled: false, sliceSeconds: 400 }, wide },
      'recent',
    ],
  ] as const)(
    'shorten the part that was too long when the process was ended in %s',
    async (_, watermark, memory, name) => {
      await shop.remember({ ...memory, endedAt: 0 }, watermark);
      shop.list = () => 1000;
      await shop.run().catch(() => {});
      // 100 seconds were too long again for the reading that comes first.
      const stored = (await shop.recall())[name]?.sliceSeconds;
      expect(stored).toBe(name === 'wide' ? 100 : 25);
    },
  );

  it.each([
    ['a full sync', { fullSyncAt: 0 }, { isFull: true, includesUnsettled: false }],
    ['unsettled orders', { settlementSyncAt: 0 }, { isFull: false, includesUnsettled: true }],
  ])(
    'store how far they came in %s after each part, before the process may be ended',
    async (_, due, kind) => {
      const begin = now - (kind.isFull ? 7 * DAY : 7320);
      const slice = kind.isFull ? DAY : HOUR;
      await shop.remember({ ...due, sliceSeconds: slice });
      shop.list = ({ startTime }) => (startTime > begin ? 5 : 0);
      const run = shop.create().sync();
      await shop.time.pass(1);
      const reached = { from: begin + slice, until: now, startedAt: now, sliceSeconds: 2 * slice };
      expect((await shop.recall()).wide).toEqual({ ...kind, ...reached });
      await shop.finish(run);
      expect(await shop.recall()).not.toHaveProperty('wide');
    },
  );

  it('store the position of the first reading of a shop as that of the newest orders', async () => {
    shop.list = () => 1000;
    expect(await shop.run()).toMatchObject({ isComplete: false });
    const { recent, wide: none } = await shop.recall();
    expect(recent).toMatchObject({ from: now - 7 * DAY, isFull: true });
    expect(none).toBeUndefined();
  });

  it('store the position in the newest orders as one without an end', async () => {
    await shop.remember({ sliceSeconds: HOUR });
    shop.list = ({ startTime }) => (startTime > newest.startTime ? 5 : 0);
    const run = shop.create().syncIfDue({ isEarly: false });
    expect(await run).toEqual({ ran: false });
    const sync = shop.create().sync();
    await shop.time.pass(1);
    const { recent, wide: none } = await shop.recall();
    expect(recent).toEqual({
      from: newest.startTime + HOUR,
      startedAt: now,
      isFull: false,
      includesUnsettled: false,
      sliceSeconds: 2 * HOUR,
    });
    expect(none).toBeUndefined();
    await shop.finish(sync);
    expect(await shop.recall()).not.toHaveProperty('recent');
  });

  it('begin at the watermark again if the position is in the future', async () => {
    const recent = { from: now + 1, startedAt: now, isFull: false, includesUnsettled: false };
    await shop.remember({ recent });
    await shop.run();
    expect(shop.ranges).toMatchObject([newest]);
  });

  it('continue at a position of this second', async () => {
    const recent = { from: now, startedAt: now - 5, isFull: true, includesUnsettled: true };
    const purge = vi.spyOn(shop.store, 'purge');
    await shop.remember({ recent });
    await shop.run();
    expect(shop.ranges).toMatchObject([{ startTime: now, endTime: now }]);
    expect((await shop.recall()).fullSyncAt).toBe(now - 5);
    expect(purge).toHaveBeenCalledOnce();
  });

  it.each([
    { isFull: true, includesUnsettled: false },
    { isFull: false, includesUnsettled: true },
  ])('let the newest orders pass a first reading that fails, with %o', async (kind) => {
    const recent = { from: now - 5 * DAY, startedAt: now - 60, ...kind };
    await shop.remember({ recent });
    shop.list = () => {
      throw new Error('503');
    };
    await expect(shop.run()).rejects.toThrow('503');
    expect(await shop.recall()).toMatchObject({ wide: { ...recent, until: now } });
    expect(await shop.recall()).not.toHaveProperty('recent');
  });

  it('keep the position in the newest orders if these fail', async () => {
    const recent = {
      from: now - HOUR,
      startedAt: now - 60,
      isFull: false,
      includesUnsettled: false,
    };
    await shop.remember({ recent });
    shop.list = () => {
      throw new Error('503');
    };
    await expect(shop.run()).rejects.toThrow('503');
    expect(await shop.recall()).toMatchObject({ recent });
    expect(await shop.recall()).not.toHaveProperty('wide');
  });

  it('keep a wide reading that was stopped while they read the newest orders', async () => {
    await shop.remember({ wide, fullPause: { failures: 1, until: now + 60 } });
    await shop.create().sync();
    expect(shop.ranges).toMatchObject([newest]);
    expect(await shop.recall()).toMatchObject({ wide });
  });

  it.each([
    ['fail if an hour lists no order in time', HOUR, [], true],
    ['are only stopped if the range is longer', HOUR + 1, [], false],
    [
      'are only stopped if an order was listed',
      HOUR,
      [onRampOrder({ finishTime: now - 2 * HOUR })],
      false,
    ],
    [
      'are only stopped if a malformed order was listed',
      HOUR,
      [onRampOrder({ orderId: 'malformed', finishTime: now - 2 * HOUR })],
      false,
    ],
  ])('%s', async (_, length, orders, fails) => {
    // The first part, if any, is fast. The last one is too slow.
    const isFirst = orders.length > 0;
    const from = isFirst ? now - 2 * HOUR : now - length;
    shop.orders = orders;
    const recent = { from, startedAt: now - 60, isFull: false, includesUnsettled: false };
    await shop.remember({ recent, ...(isFirst && { sliceSeconds: HOUR / 2 }) });
    shop.list = ({ startTime }) => (isFirst && startTime === from ? 0 : 1000);
    const run = shop.run();
    if (!fails) return expect(await run).toMatchObject({ isComplete: false });
    await expect(run).rejects.toMatchObject({ code: 'ERR_TIMEOUT', cause: expect.anything() });
    await expect(run).rejects.toThrow(
      /no order within the time of a sync.*raise serverless\.syncSeconds/,
    );
  });

  it('read parts of two seconds at least', async () => {
    const recent = { from: now - 2, startedAt: now, isFull: false, includesUnsettled: false };
    await shop.remember({ recent });
    shop.list = () => 1000;
    await expect(shop.run({ syncSeconds: 3 })).rejects.toThrow('no order');
    expect((await shop.recall()).recent?.sliceSeconds).toBe(2);
  });

  it('try a page three times, and eight times with timers', async () => {
    await shop.run();
    await shop.create({ timers: true }).sync();
    expect(shop.tries).toEqual([3, 8]);
  });
});

describe('the memory that a tracker with timers stores', () => {
  const create = () => shop.create({ timers: true });

  it('lets a tracker without timers continue as if it had synced itself', async () => {
    shop.list = () => 3;
    await shop.finish(create().sync());
    expect(await shop.recall()).toEqual({
      ...createSyncMemory(60),
      startedAt: now,
      endedAt: now + 3,
      syncedAt: now,
      fullSyncAt: now,
      settlementSyncAt: now,
    });
  });

  it('keeps when the last full sync was', async () => {
    const tracker = create();
    await tracker.sync();
    await shop.time.pass(60);
    await tracker.sync();
    expect(await shop.recall()).toMatchObject({
      startedAt: now + 60,
      fullSyncAt: now,
      settlementSyncAt: now,
    });
    await shop.time.pass(HOUR);
    await tracker.sync();
    expect(await shop.recall()).toMatchObject({
      fullSyncAt: now,
      settlementSyncAt: now + 60 + HOUR,
    });
  });

  it('says since when a new shop fails, and is written once', async () => {
    shop.list = () => {
      throw new Error('503');
    };
    const write = vi.spyOn(shop.store, 'writeSyncState');
    const tracker = create();
    await expect(tracker.sync()).rejects.toThrow('503');
    await shop.time.pass(60);
    await expect(tracker.sync()).rejects.toThrow('503');
    await expect(create().sync()).rejects.toThrow('503');
    expect(write).toHaveBeenCalledOnce();
    expect((await shop.recall()).failingSince).toBe(now);
  });

  it('does not say so once the list was read', async () => {
    const tracker = create();
    await tracker.sync();
    const write = vi.spyOn(shop.store, 'writeSyncState');
    shop.list = () => {
      throw new Error('503');
    };
    await shop.time.pass(60);
    await expect(tracker.sync()).rejects.toThrow('503');
    expect(write).not.toHaveBeenCalled();
  });
});
