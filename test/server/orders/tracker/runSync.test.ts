import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '../../../../src/protocol/index.js';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { sleep } from '../../../../src/server/internal/runtime.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import {
  type Cursor,
  completeRange,
  formatSyncState,
  keepCursor,
  newSyncState,
  parseSyncState,
  type RangeName,
  type SyncState,
} from '../../../../src/server/orders/tracker/syncState.js';
import type { OrderTrackerOptions } from '../../../../src/server/orders/tracker/trackerOptions.js';
import { announceOrder } from '../../../support/server/announceOrder.js';
import {
  nftOrder,
  baseTime as now,
  onRampCheckout,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { recordDiagnostics } from '../../../support/server/recordDiagnostics.js';
import { createVirtualTime } from '../../../support/server/virtualTime.js';

const HOUR = 3600;
const DAY = 86_400;
const LAST = now - 120;

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

/** The state after a complete sync that ended 100 seconds ago. */
const rested: SyncState = (['newest', 'unsettled', 'daily'] as const).reduce<SyncState>(
  (state, name) => completeRange(state, name, LAST),
  { ...newSyncState, firstAt: now - 9 * DAY, begunAt: LAST, endedAt: now - 100 },
);

/** A shop with virtual time. */
function createShop() {
  const time = createVirtualTime();
  const store = memoryOrderStore();
  const shop = {
    time,
    store,
    orders: [] as Order[],
    ranges: [] as Range[],
    signals: [] as AbortSignal[],
    errors: [] as unknown[],
    clockSkewSeconds: 0,
    /** Returns how many seconds the list needs for a range. It then lists the orders of the range, or throws. */
    list: (_: Range): number => 0,
    /** Whether the list fails after the orders of a range. */
    api503AfterList: false,
    /** How many seconds the list needs after the orders of a range. */
    secondsAfterList: 0,
    /** Stores the state that the last process left. */
    async leave(state: Partial<SyncState> = {}) {
      const { revision } = await store.readSyncState();
      await store.writeSyncState({ revision, state: formatSyncState({ ...rested, ...state }) });
    },
    /** Stores a reading that is not complete. */
    leaveCursor: (name: RangeName, cursor: Cursor, state: Partial<SyncState> = {}) =>
      shop.leave({ ...keepCursor(rested, name, cursor), reading: undefined, ...state }),
    read: async () => parseSyncState((await store.readSyncState()).state),
    create: (options: Partial<OrderTrackerOptions> = {}) =>
      createOrderTracker(
        {
          api,
          store,
          isServerless: true,
          deliver() {},
          review() {},
          onError: (error) => shop.errors.push(error),
          ...options,
        },
        time.runtime,
      ),
    /** Waits for work, and lets as much time pass as it needs. */
    async finish<T>(work: Promise<T>): Promise<T> {
      let isDone = false;
      const mark = () => {
        isDone = true;
      };
      work.then(mark, mark);
      for (let i = 0; i < 1000 && !isDone; i++) await time.pass(Math.min(i, 1));
      return work;
    },
    sync: (options?: Partial<OrderTrackerOptions>) => shop.finish(shop.create(options).sync()),
    /** The ranges that were read. Parts of a day that follow each other count as one. */
    merged() {
      const merged: Range[] = [];
      for (const { startTime, endTime } of shop.ranges) {
        const last = merged.at(-1);
        if (last?.endTime === startTime)
          merged.splice(-1, 1, { startTime: last.startTime, endTime });
        else merged.push({ startTime, endTime });
      }
      return merged;
    },
    /** The start of each of these ranges, as seconds before now. */
    starts: () => shop.merged().map(({ startTime }) => now - startTime),
  };
  const api: OrderTrackerOptions['api'] = {
    get clockSkewSeconds() {
      return shop.clockSkewSeconds;
    },
    async *eachOrder(range, { signal, onMalformed } = {}) {
      shop.ranges.push(range);
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
      if (shop.secondsAfterList > 0)
        await sleep(time.runtime, shop.secondsAfterList * 1000, signal);
      if (shop.api503AfterList) throw new Error('503');
    },
  };
  return shop;
}

const fail503 = () => {
  throw new Error('503');
};

let shop = createShop();
beforeEach(() => {
  shop = createShop();
});

describe('a sync reads', () => {
  it('the newest orders first, then the past week of a new shop', async () => {
    expect(await shop.sync()).toMatchObject({ ran: true, isComplete: true });
    expect(shop.merged()).toEqual([
      { startTime: now - 7200, endTime: now },
      { startTime: now - 7 * DAY, endTime: now - 7200 },
    ]);
    const { ranges } = await shop.read();
    expect(
      [ranges.newest, ranges.unsettled, ranges.daily].map(({ completeAt }) => completeAt),
    ).toEqual([now, now, now]);
  });

  it('from lookbackSeconds before the last complete sync', async () => {
    await shop.leave();
    await shop.sync();
    expect(shop.starts()).toEqual([120 + 7200]);
  });

  it('the past week again after a day, and deletes old data then', async () => {
    const purge = vi.spyOn(shop.store, 'purge');
    await shop.leave(completeRange(rested, 'daily', now - DAY + 1));
    await shop.sync();
    expect([shop.starts(), purge.mock.calls]).toEqual([[120 + 7200], []]);
    await shop.time.pass(1);
    await shop.sync();
    expect(shop.starts().slice(1)).toEqual([7200, 7 * DAY - 1]);
    expect(purge.mock.calls).toEqual([
      [{ before: now + 1 - 35 * DAY, unopenedBefore: now + 1 - 7 * DAY, replaysBefore: now + 1 }],
    ]);
  });

  it('the orders that await settlement once an hour, from the oldest one', async () => {
    await shop.store.recordOrders([nftOrder('finished', { finishTime: now - 5 * DAY })], now);
    await shop.leave(completeRange(rested, 'unsettled', now - HOUR + 1));
    await shop.sync();
    expect(shop.starts()).toEqual([7320]);
    await shop.time.pass(1);
    await shop.sync();
    expect(shop.starts().slice(1)).toEqual([7200, 5 * DAY]);
  });

  it.each([
    ['nothing awaits settlement', []],
    ['what awaits it is among the newest', [nftOrder('finished', { finishTime: now - HOUR })]],
    [
      'it has awaited it for longer than settlementSeconds',
      [nftOrder('finished', { finishTime: now - 31 * DAY })],
    ],
  ])('nothing more for settlement if %s', async (_, orders) => {
    await shop.store.recordOrders(orders, now);
    await shop.leave(completeRange(rested, 'unsettled', 0));
    await shop.sync();
    expect(shop.starts()).toEqual([7320]);
    expect((await shop.read()).ranges.unsettled.completeAt).toBe(now);
  });

  it.each([
    ['is not settled two days before its range is no longer read', 'finished', 28 * DAY + 1, 1],
    ['may still be settled', 'finished', 28 * DAY - 2 * HOUR, 0],
    ['is settled', 'settled', 28 * DAY + 1, 0],
  ] as const)('and reports an order that %s', async (_, state, age, count) => {
    const finishTime = now - age;
    await shop.store.recordOrders([nftOrder('finished', { finishTime })], now);
    shop.orders = [nftOrder(state, { finishTime })];
    await shop.leave(completeRange(rested, 'unsettled', 0));
    await shop.sync();
    expect(shop.errors).toHaveLength(count);
    for (const error of shop.errors)
      expect(error).toMatchObject({
        code: 'ERR_ORDER_REVIEW',
        message: expect.stringMatching(
          /^The NFT order \S+ finished at .* and is still not settled/,
        ),
      });
    await shop.time.pass(HOUR);
    await shop.sync();
    expect(shop.errors).toHaveLength(count);
  });

  it('from the first sync, until one succeeds', async () => {
    shop.list = fail503;
    await expect(shop.sync()).rejects.toThrow('503');
    await shop.time.pass(3 * HOUR);
    await expect(shop.sync()).rejects.toThrow('503');
    shop.list = () => 0;
    await shop.sync();
    expect(shop.starts().slice(-2)).toEqual([7200, 7 * DAY - 3 * HOUR]);
  });

  it('from five minutes before the first sync if the lookback is shorter', async () => {
    await shop.sync({ lookbackSeconds: 60 });
    expect(shop.starts()[0]).toBe(300);
    await shop.time.pass(100);
    await shop.sync({ lookbackSeconds: 60 });
    expect(shop.starts().at(-1)).toBe(60);
  });

  it('all orders after a clock that was ahead was set back', async () => {
    await shop.leave(
      completeRange(completeRange(rested, 'newest', now + 400 * DAY), 'daily', now + 400 * DAY),
    );
    await shop.sync();
    expect(shop.starts()).toEqual([7200, 7 * DAY]);
    expect((await shop.read()).ranges.newest.completeAt).toBe(now);
  });

  it('the past week if it cannot read the stored state', async () => {
    const { revision } = await shop.store.readSyncState();
    await shop.store.writeSyncState({ revision, state: '{"format":99}' });
    await shop.sync();
    expect(shop.starts()).toEqual([7200, 7 * DAY]);
  });
});

describe('a sync that could not read old orders', () => {
  const cannotReadOld = ({ startTime }: Range) => (startTime < now - DAY ? fail503() : 0);

  it('has read the newest ones, and tries again after a minute', async () => {
    const { ended } = recordDiagnostics();
    await shop.leave(completeRange(rested, 'daily', 0));
    shop.list = cannotReadOld;
    await expect(shop.sync()).rejects.toThrow('503');
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'failed' }]);
    expect(await shop.read()).toMatchObject({
      failures: 0,
      endedAt: now,
      ranges: { newest: { completeAt: now }, daily: { failures: 1, notBefore: now + 60 } },
    });
    await shop.time.pass(59);
    expect(await shop.sync()).toMatchObject({ isComplete: true });
    await shop.time.pass(1);
    await expect(shop.sync()).rejects.toThrow('503');
  });

  it('has read the days after the one that cannot be listed, and begins with that one again', async () => {
    const isBadDay = ({ startTime }: Range) => startTime === now - 5 * DAY;
    await shop.leave(completeRange(rested, 'daily', 0));
    shop.list = (range) => (isBadDay(range) ? fail503() : 0);
    shop.orders = [onRampOrder({ finishTime: now - 3 * DAY })];
    await shop.store.saveCheckout(onRampCheckout());
    await expect(shop.sync()).rejects.toThrow('503');
    expect((await shop.store.findCheckout('r1'))?.orders).toHaveLength(1);
    expect((await shop.read()).ranges.daily).toMatchObject({
      completeAt: 0,
      failures: 1,
      cursor: { from: now - 5 * DAY },
    });
    await shop.time.pass(60);
    shop.ranges = [];
    shop.list = () => 0;
    await shop.sync();
    expect(shop.starts()).toEqual([7200, 5 * DAY]);
    expect((await shop.read()).ranges.daily.completeAt).toBe(now);
  });

  it('reads no third day if two cannot be listed, because the service fails', async () => {
    await shop.leave(completeRange(rested, 'daily', 0));
    shop.list = cannotReadOld;
    await expect(shop.sync()).rejects.toThrow('503');
    expect(shop.ranges).toHaveLength(3);
  });

  it('reads those of the past day although those that await settlement cannot be read', async () => {
    await shop.store.recordOrders([nftOrder('finished', { finishTime: now - 20 * DAY })], now);
    await shop.leave(completeRange(completeRange(rested, 'daily', 0), 'unsettled', 0));
    shop.list = ({ startTime }) => (startTime < now - 10 * DAY ? fail503() : 0);
    await expect(shop.sync()).rejects.toThrow('503');
    expect(shop.starts()).toEqual([7320, 20 * DAY, 7 * DAY]);
    const { ranges } = await shop.read();
    expect(ranges.daily.completeAt).toBe(now);
    expect(ranges.unsettled.failures).toBe(1);
  });

  it('reports each failure, and rejects with the first', async () => {
    await shop.store.recordOrders([nftOrder('finished', { finishTime: now - 20 * DAY })], now);
    await shop.leave(completeRange(completeRange(rested, 'daily', 0), 'unsettled', 0));
    shop.list = cannotReadOld;
    await expect(shop.sync()).rejects.toThrow('503');
    expect(shop.errors).toEqual([new Error('503')]);
  });
});

describe('a sync that could not read the newest orders', () => {
  it('counts, and leaves the older ones alone', async () => {
    await shop.leave(completeRange(rested, 'daily', 0));
    shop.list = fail503;
    for (const failures of [1, 2]) {
      await expect(shop.sync()).rejects.toThrow('503');
      expect(await shop.read()).toMatchObject({
        failures,
        ranges: { newest: { completeAt: LAST } },
      });
    }
    expect(shop.starts()).toEqual([7320, 7320]);
    shop.list = () => 0;
    await shop.sync();
    expect((await shop.read()).failures).toBe(0);
  });

  it('reports a malformed order once, although the daily reading is due', async () => {
    await shop.leave(completeRange(rested, 'daily', 0));
    shop.orders = [onRampOrder({ orderId: 'malformed', finishTime: now - 60 })];
    shop.secondsAfterList = 1;
    shop.api503AfterList = true;
    for (let i = 0; i < 3; i++) await expect(shop.sync()).rejects.toThrow('503');
    expect(shop.errors).toEqual([new Error('malformed')]);
  });

  it('delivers what was recorded before', async () => {
    await shop.store.recordOrders([onRampOrder()], now);
    shop.list = fail503;
    const review = vi.fn();
    await expect(shop.sync({ review })).rejects.toThrow('503');
    expect(review).toHaveBeenCalledOnce();
  });

  it('rejects with its error, although the store fails too', async () => {
    shop.list = () => {
      vi.spyOn(shop.store, 'writeSyncState').mockRejectedValue(new Error('pg: down'));
      return fail503();
    };
    await expect(shop.sync()).rejects.toThrow('503');
    expect(shop.errors).toEqual([]);
  });
});

describe('the time of a sync', () => {
  const cursor = { begunAt: now - 1000, from: now - 5 * DAY };
  const newest = { begunAt: now - 60, from: now - HOUR };

  it('is over for reading after two thirds of syncSeconds', async () => {
    const { ended } = recordDiagnostics();
    await shop.leave(completeRange(rested, 'daily', 0));
    shop.list = ({ startTime }) => (startTime < now - DAY ? 1000 : 0);
    const run = shop.create({ syncSeconds: 30 }).sync();
    await shop.time.pass(19);
    expect(shop.signals.at(-1)?.aborted).toBe(false);
    await shop.time.pass(1);
    expect(await run).toMatchObject({ ran: true, isComplete: false, listed: 0 });
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'stopped', listed: 0 }]);
    expect(await shop.read()).toMatchObject({
      failures: 0,
      endedAt: now + 20,
      ranges: { newest: { completeAt: now } },
    });
  });

  it.each([
    [true, 20],
    [false, 60],
  ])('is by default, in functions (%s): %i seconds', async (isServerless, seconds) => {
    await shop.leave();
    shop.list = () => 1000;
    const run = shop.create({ isServerless }).sync();
    await shop.time.pass((seconds * 2) / 3 - 0.1);
    expect(shop.signals[0]?.aborted).toBe(false);
    await shop.time.pass(0.2);
    expect(shop.signals[0]?.aborted).toBe(true);
    expect(await shop.finish(run)).toMatchObject({ isComplete: false });
  });

  it('is over for delivery after syncSeconds, and the next sync delivers the rest', async () => {
    shop.orders = Array.from({ length: 15 }, (_, i) => onRampOrder({ orderId: `o${i}` }));
    const review = () => sleep(shop.time.runtime, 1000);
    const options = { review, syncSeconds: 10 };
    expect(await shop.sync(options)).toMatchObject({ isComplete: true, delivered: 10 });
    await shop.time.pass(60);
    expect(await shop.sync(options)).toMatchObject({ delivered: 5 });
  });

  it('lets the next sync continue an old part after the newest orders', async () => {
    await shop.leaveCursor('daily', cursor);
    expect(await shop.sync()).toMatchObject({ isComplete: true });
    expect(shop.merged()).toEqual([
      { startTime: LAST - 7200, endTime: now },
      { startTime: cursor.from, endTime: LAST - 7200 },
    ]);
    expect((await shop.read()).ranges.daily).toMatchObject({ completeAt: cursor.begunAt });
    expect((await shop.read()).ranges.daily).not.toHaveProperty('cursor');
  });

  it('lets the next sync continue the newest orders up to now, and count from when they were begun', async () => {
    await shop.leaveCursor('newest', newest);
    await shop.sync();
    expect(shop.ranges).toMatchObject([{ startTime: newest.from, endTime: now }]);
    expect((await shop.read()).ranges.newest.completeAt).toBe(newest.begunAt);
  });

  it('does not continue in what is older than a week', async () => {
    await shop.leaveCursor('daily', { from: now - 30 * DAY });
    await shop.sync();
    expect(shop.starts()).toEqual([7320, 7 * DAY]);
    expect((await shop.read()).ranges.daily.completeAt).toBe(now);
  });

  it('does not count from a time in the future', async () => {
    await shop.leaveCursor('newest', { begunAt: now + 3 * DAY, from: now - HOUR });
    await shop.store.saveCheckout(onRampCheckout({ expiresAt: now + HOUR }));
    await shop.sync();
    expect((await shop.read()).ranges.newest.completeAt).toBe(now);
    expect((await shop.store.findCheckout('r1'))?.outcome).toBeUndefined();
  });

  it('is enough for one delivery, however little the reading has left of it', async () => {
    await shop.leave();
    shop.orders = ['a', 'b'].map((orderId) => onRampOrder({ orderId, finishTime: now - 60 }));
    const { recordOrders } = shop.store;
    vi.spyOn(shop.store, 'recordOrders').mockImplementation(async (...given) => {
      await sleep(shop.time.runtime, 5000);
      return recordOrders(...given);
    });
    expect(await shop.sync({ syncSeconds: 2 })).toMatchObject({ recorded: 2, delivered: 1 });
  });

  it('does not continue at a time in the future', async () => {
    await shop.leaveCursor('newest', { begunAt: now + 5, from: now + 1 });
    await shop.sync();
    expect(shop.starts()).toEqual([7320]);
  });

  it('reads shorter parts of what was too long, and longer ones of what was not', async () => {
    await shop.leaveCursor('daily', { ...cursor, partSeconds: HOUR });
    shop.list = ({ startTime }) => (startTime < now - DAY ? 5 : 0);
    expect(await shop.sync({ syncSeconds: 18 })).toMatchObject({ isComplete: false });
    // Twelve seconds are enough for two parts of five seconds.
    const starts = [0, 1, 3].map((hours) => cursor.from + hours * HOUR);
    expect(shop.ranges.slice(-3).map(({ startTime }) => startTime)).toEqual(starts);
    expect((await shop.read()).ranges.daily.cursor).toEqual({
      ...cursor,
      from: starts[2],
      partSeconds: HOUR,
    });
  });

  it('is enough for a week in a few syncs, however long the list', async () => {
    // A day needs ten seconds, and a sync may read for 20 seconds.
    shop.list = ({ startTime, endTime }) => ((endTime - startTime) / DAY) * 10;
    await shop.leave(completeRange(rested, 'daily', 0));
    let runs = 0;
    for (let isComplete = false; !isComplete && runs < 20; runs++) {
      const run = await shop.sync({ syncSeconds: 30 });
      isComplete = run.ran && run.isComplete;
      await shop.time.pass(30);
    }
    expect(runs).toBeLessThan(10);
    expect((await shop.read()).ranges.daily.completeAt).toBe(now);
  });

  it('stores how far it came after each part, before the process may be killed', async () => {
    await shop.leaveCursor('daily', { ...cursor, partSeconds: DAY });
    shop.list = ({ startTime }) => (startTime === cursor.from + DAY ? 5 : 0);
    const run = shop.create().sync();
    await shop.time.pass(1);
    expect(await shop.read()).toMatchObject({
      reading: 'daily',
      ranges: { daily: { cursor: { from: cursor.from + DAY, partSeconds: DAY } } },
    });
    await shop.finish(run);
  });

  it.each([
    ['fails if an hour lists no order in time', HOUR, undefined, true],
    ['is only over if the part is longer', HOUR + 1, undefined, false],
    ['is only over if an order was listed', HOUR, 'o1', false],
    ['is only over if a malformed order was listed', HOUR, 'malformed', false],
  ])('%s', async (_, length, orderId, fails) => {
    if (orderId) shop.orders = [onRampOrder({ orderId, finishTime: now - HOUR / 2 })];
    await shop.leaveCursor('newest', { begunAt: now - 60, from: now - length });
    if (orderId) shop.secondsAfterList = 1000;
    else shop.list = () => 1000;
    const run = shop.sync();
    if (!fails) expect(await run).toMatchObject({ isComplete: false });
    else {
      await expect(run).rejects.toMatchObject({ code: 'ERR_TIMEOUT', cause: expect.anything() });
      await expect(run).rejects.toThrow(
        /no order within the time of a sync.*serverless\.syncSeconds/,
      );
    }
    expect((await shop.read()).ranges.newest.cursor?.partSeconds).toBe(Math.floor(length / 4));
  });

  it('does not fail for a part for which little of it was left', async () => {
    const from = now - 2 * HOUR;
    await shop.leaveCursor('newest', { begunAt: now - 60, from, partSeconds: HOUR });
    shop.list = ({ startTime }) => (startTime === from ? 7 : 1000);
    expect(await shop.sync()).toMatchObject({ isComplete: false });
    expect((await shop.read()).ranges.newest.cursor).toMatchObject({
      from: from + HOUR,
      partSeconds: HOUR / 4,
    });
  });
});

describe('a sync whose process is stopped or killed', () => {
  it('rejects at once, and has not failed', async () => {
    const { ended } = recordDiagnostics();
    await shop.leave();
    shop.list = () => 1000;
    const tracker = shop.create();
    const run = tracker.sync();
    const failed = expect(run).rejects.toMatchObject({ name: 'AbortError' });
    await shop.time.pass(1);
    await tracker.stop();
    await failed;
    expect(ended('partner-ramp:sync')).toMatchObject([{ outcome: 'stopped' }]);
    expect(await shop.read()).toMatchObject({ failures: 0, endedAt: now + 1 });
  });

  it('ends the delivery that has begun before stop() resolves', async () => {
    await shop.leave();
    await shop.store.recordOrders([onRampOrder()], now);
    const tracker = shop.create({ review: () => sleep(shop.time.runtime, 5000) });
    const run = expect(tracker.sync()).resolves.toMatchObject({ ran: true });
    await shop.time.pass(1);
    const onStopped = vi.fn();
    void tracker.stop().then(onStopped);
    await shop.time.pass(3);
    expect(onStopped).not.toHaveBeenCalled();
    await shop.time.pass(1);
    expect(onStopped).toHaveBeenCalledOnce();
    await run;
  });

  it('aborts nothing after it has ended', async () => {
    await shop.leave();
    const tracker = shop.create();
    await shop.finish(tracker.sync());
    await shop.time.pass(HOUR);
    await tracker.stop();
    expect(shop.signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('has read the list, although it is killed while it delivers', async () => {
    await shop.store.recordOrders([onRampOrder()], now);
    void shop.create({ review: () => new Promise(() => {}) }).sync();
    await shop.time.pass(1);
    const state = await shop.read();
    expect(state.ranges.daily.completeAt).toBe(now);
    expect(state).not.toHaveProperty('reading');
    expect(state.endedAt).toBeUndefined();
  });

  it('leaves when it began, and the next sync reads a quarter of its part at once', async () => {
    await shop.leave();
    shop.list = () => 1000;
    const { withSyncLease } = shop.store;
    const killed = {
      ...shop.store,
      withSyncLease: async (sync: Parameters<typeof withSyncLease>[0]) => {
        void sync(() => true);
        return true;
      },
    };
    void shop.create({ store: killed, syncSeconds: 1e6 }).sync();
    await shop.time.pass(1);
    expect(await shop.read()).toMatchObject({ begunAt: now, reading: 'newest' });
    expect((await shop.read()).endedAt).toBeUndefined();
    shop.list = () => 0;
    await shop.sync();
    expect(shop.ranges[1]).toMatchObject({ startTime: LAST - 7200 });
    expect((shop.ranges[1]?.endTime ?? 0) - (LAST - 7200)).toBe(Math.floor(7321 / 4));
    expect(shop.ranges.at(-1)?.endTime).toBe(now + 1);
  });
});

describe('several processes', () => {
  it('do not sync at the same time', async () => {
    const { ended } = recordDiagnostics();
    const store = { ...shop.store, withSyncLease: async () => false };
    expect(await shop.sync({ store })).toEqual({ ran: false });
    expect(ended('partner-ramp:sync')).toEqual([{ outcome: 'busy' }]);
  });

  it('keep the state of the one that has taken the lease meanwhile', async () => {
    await shop.leave();
    let hasTaken = false;
    shop.list = () => {
      if (!hasTaken) void shop.leave({ begunAt: now + 7 });
      hasTaken = true;
      return 1;
    };
    const run = shop.sync();
    await expect(run).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    await expect(run).rejects.toThrow(
      /another process has synced.*shorten serverless\.syncSeconds/,
    );
    expect((await shop.read()).begunAt).toBe(now + 7);
    expect(shop.errors).toEqual([]);
  });

  it('deliver on a store that does not tell whether it has the lease', async () => {
    await shop.store.recordOrders([onRampOrder()], now);
    const store = {
      ...shop.store,
      withSyncLease: async (sync: Parameters<typeof shop.store.withSyncLease>[0]) => {
        await (sync as () => Promise<void>)();
        return true;
      },
    };
    expect(await shop.sync({ store })).toMatchObject({ ran: true, delivered: 1 });
  });
});

describe('checkouts in a sync', () => {
  it('expire, and match an order that arrives later', async () => {
    await shop.store.saveCheckout(onRampCheckout({ expiresAt: now - 1 }));
    await shop.sync();
    expect(await shop.store.findCheckout('r1')).toMatchObject({ outcome: 'expired', orders: [] });
    shop.orders = [onRampOrder({ finishTime: now })];
    await shop.sync();
    expect((await shop.store.findCheckout('r1'))?.orders).toMatchObject([
      { matchStatus: 'matched' },
    ]);
  });

  it('do not expire, and are not unconfirmed, until the newest orders were read', async () => {
    await shop.leave();
    await shop.store.saveCheckout(onRampCheckout({ expiresAt: now - 1 }));
    await announceOrder(shop.store, 'r1', now);
    shop.list = () => 1000;
    await shop.sync();
    expect((await shop.store.findCheckout('r1'))?.outcome).toBeUndefined();
  });

  it('are unconfirmed if their announced order is not listed', async () => {
    await shop.store.saveCheckout(onRampCheckout());
    await announceOrder(shop.store, 'r1', now);
    await shop.sync();
    expect((await shop.store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
  });

  it('are not unconfirmed if their order was announced while the list was read', async () => {
    await shop.store.saveCheckout(onRampCheckout());
    shop.list = () => {
      void announceOrder(shop.store, 'r1', now);
      return 1;
    };
    await shop.sync();
    expect((await shop.store.findCheckout('r1'))?.outcome).toBeUndefined();
  });

  it('are not purged while the clocks of this server and the service differ', async () => {
    const purge = vi.spyOn(shop.store, 'purge');
    shop.clockSkewSeconds = 40 * DAY;
    await shop.sync();
    expect(purge).not.toHaveBeenCalled();
    shop.clockSkewSeconds = -299;
    await shop.time.pass(DAY);
    await shop.sync();
    expect(purge).toHaveBeenCalledOnce();
  });
});
