import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import type { OrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { baseTime, nftOrder, onRampOrder } from '../../../support/server/orderFixtures.js';
import { fakeApi, setUpTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make } = setUpTrackers();
const HOUR = 3600;
const DAY = 86_400;

/** Runs a sync whose first page fails. */
async function failSync(tracker: OrderTracker) {
  shared.api.orders.unshift(onRampOrder({ orderId: 'unread', finishTime: shared.clock }));
  shared.api.failAfter = 0;
  await expect(tracker.sync()).rejects.toThrow('the service is down');
  shared.api.orders.shift();
  shared.api.failAfter = Number.POSITIVE_INFINITY;
}

/** Returns how far before now the last sync began to read, in seconds. */
const lastLookback = () => shared.clock - (shared.api.ranges.at(-1)?.startTime ?? Number.NaN);

describe('createListReader', () => {
  it('reads the whole lookback once, even if a second sync follows in the same second', async () => {
    const { tracker } = make();
    await tracker.sync();
    await tracker.sync();
    expect(shared.api.ranges.map(({ startTime }) => startTime)).toEqual([
      baseTime - 7 * DAY,
      baseTime - 7200,
    ]);
  });

  it('reads an NFT order again each hour, not at every sync', async () => {
    const { tracker } = make();
    const finishTime = baseTime - 5 * DAY;
    shared.api.orders = [nftOrder('finished', { finishTime })];
    for (let i = 0; i < 3; i++) {
      await tracker.sync();
      shared.clock += 1800;
    }
    const starts = shared.api.ranges.map(({ startTime }) => startTime);
    expect(starts).toEqual([baseTime - 7 * DAY, baseTime - 7200, finishTime]);
  });

  it('reads the whole lookback if the store has no watermark', async () => {
    const readWatermark = async () => undefined;
    const { tracker } = make({ store: { ...memoryOrderStore(), readWatermark } });
    await tracker.sync();
    shared.clock += 60;
    await tracker.sync();
    const starts = shared.api.ranges.map(({ startTime }) => startTime);
    expect(starts).toEqual([baseTime - 7 * DAY, baseTime + 60 - 7 * DAY]);
  });

  it('purges data older than its retention, only in the daily sync', async () => {
    const store = memoryOrderStore();
    const purge = vi.fn(store.purge);
    const { tracker } = make({ store: { ...store, purge } });
    await tracker.sync();
    shared.clock += 60;
    await tracker.sync();
    expect(purge.mock.calls).toEqual([[baseTime - 35 * DAY, baseTime - 7 * DAY, baseTime]]);
  });

  it('purges nothing while its clock differs from the clock of the service', async () => {
    const store = memoryOrderStore();
    const purge = vi.fn(store.purge);
    const api = { ...fakeApi(), clockSkewSeconds: 40 * DAY };
    const { tracker } = make({ api, store: { ...store, purge } });
    await tracker.sync();
    expect(purge).not.toHaveBeenCalled();
    api.clockSkewSeconds = -299;
    shared.clock += DAY;
    await tracker.sync();
    expect(purge).toHaveBeenCalledOnce();
  });

  it('has no report of a sync that failed before it began to read', async () => {
    const readWatermark = () => Promise.reject(new Error('pg: down'));
    const { tracker } = make({ store: { ...memoryOrderStore(), readWatermark } });
    await expect(tracker.sync()).rejects.toThrow('pg: down');
    expect(tracker.report).toBeUndefined();
  });

  it('delivers on a store that does not report whether it has the lease', async () => {
    const store = memoryOrderStore();
    const { tracker, reviewed } = make({
      store: {
        ...store,
        withSyncLease: async (sync) => {
          await (sync as () => Promise<void>)();
          return true;
        },
      },
    });
    shared.api.orders = [onRampOrder()];
    expect(await tracker.sync()).toBe(true);
    expect(reviewed).toHaveLength(1);
  });
});

describe('createListReader after a wide reading has failed', () => {
  it('reads only lookbackSeconds beyond the watermark until a minute has passed', async () => {
    const { tracker } = make();
    await failSync(tracker);
    await tracker.sync();
    shared.clock += 59;
    await tracker.sync();
    expect(lastLookback()).toBe(59 + 7200);
    shared.clock += 1;
    await tracker.sync();
    expect(lastLookback()).toBe(7 * DAY);
  });

  it('writes the first watermark in a narrow reading, so that an idle time leaves no gap', async () => {
    const { tracker, store } = make({ pollSeconds: HOUR });
    await failSync(tracker);
    await tracker.sync();
    expect(await store.readWatermark()).toBe(baseTime);
    shared.clock += 55;
    await tracker.sync();
    expect(lastLookback()).toBe(55 + 7200);
    shared.clock += 5;
    await tracker.sync();
    expect(lastLookback()).toBe(7 * DAY);
  });

  it('reads from the first sync until one succeeds, if there is no watermark', async () => {
    const { tracker } = make({ pollSeconds: HOUR });
    await failSync(tracker);
    shared.clock += 10;
    await failSync(tracker);
    shared.clock += 40;
    await tracker.sync();
    expect(lastLookback()).toBe(50 + 7200);
  });

  it('reads from five minutes before the first sync if the lookback is shorter', async () => {
    const { tracker } = make({ pollSeconds: HOUR, lookbackSeconds: 60 });
    await failSync(tracker);
    shared.clock += 50;
    await tracker.sync();
    expect(lastLookback()).toBe(50 + 300);
    shared.clock += 5;
    await tracker.sync();
    expect(lastLookback()).toBe(5 + 60);
  });

  it('reads from the first sync even if that could not read the watermark', async () => {
    const { tracker, store } = make({ pollSeconds: HOUR });
    vi.spyOn(store, 'readWatermark').mockRejectedValueOnce(new Error('pg: down'));
    await expect(tracker.sync()).rejects.toThrow('pg: down');
    shared.clock += 50;
    await tracker.sync();
    expect(lastLookback()).toBe(50 + 7200);
  });

  it('reads from the first sync of a process that crashed in it, if there is no watermark', async () => {
    const store = memoryOrderStore();
    // Keeps the lease free, and never gets a page, so that the sync never ends.
    const crashing = make({
      store: { ...store, withSyncLease: (sync) => sync(() => true).then(() => true) },
      api: {
        eachOrder: () =>
          ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) as never,
      },
    });
    void crashing.tracker.sync();
    await vi.waitFor(() => expect(crashing.tracker.report?.listed).toBe(0), 10_000);
    shared.clock += 40;
    const { tracker } = make({ store });
    await failSync(tracker);
    shared.clock += 10;
    await tracker.sync();
    expect(lastLookback()).toBe(50 + 7200);
  });

  it('does not count a first sync whose clock was ahead', async () => {
    const { tracker } = make();
    shared.clock = baseTime + 400 * DAY;
    await failSync(tracker);
    shared.clock = baseTime;
    await failSync(tracker);
    shared.clock += 10;
    await tracker.sync();
    expect(lastLookback()).toBe(10 + 7200);
  });

  it('reads the whole lookback if the store loses its watermark after a narrow reading', async () => {
    const { tracker, store } = make();
    await failSync(tracker);
    await tracker.sync();
    shared.clock += 60;
    await tracker.sync();
    vi.spyOn(store, 'readWatermark').mockResolvedValue(undefined);
    shared.clock += 60;
    await tracker.sync();
    expect(lastLookback()).toBe(7 * DAY);
  });

  it('advances a watermark in a narrow reading', async () => {
    const { tracker, store } = make();
    await store.writeWatermark(baseTime - 60);
    await failSync(tracker);
    shared.clock += 30;
    await tracker.sync();
    expect(await store.readWatermark()).toBe(baseTime + 30);
  });

  it('reads narrowly in the same second, even if the pause is the longest', async () => {
    const { tracker } = make();
    for (const pause of [60, 120, 240, 480, 960, 1920, 0]) {
      await failSync(tracker);
      expect(lastLookback()).toBe(7 * DAY);
      shared.clock += pause;
    }
    await tracker.sync();
    expect(lastLookback()).toBe(3780 + 7200);
  });

  it('reads the whole lookback at once if the clock was ahead and was set back', async () => {
    const { tracker } = make();
    shared.clock = baseTime + 400 * DAY;
    await failSync(tracker);
    shared.clock = baseTime;
    await tracker.sync();
    expect(lastLookback()).toBe(7 * DAY);
  });

  it('does not postpone the next wide reading for a narrow one that fails', async () => {
    const { tracker } = make();
    await failSync(tracker);
    shared.clock += 59;
    await failSync(tracker);
    shared.clock += 1;
    await tracker.sync();
    expect(lastLookback()).toBe(7 * DAY);
  });

  it('does not postpone the hourly reading of unsettled orders for a narrow one that fails', async () => {
    const { tracker } = make();
    shared.api.orders = [nftOrder('finished', { finishTime: baseTime - 5 * DAY })];
    await tracker.sync();
    shared.clock += HOUR - 1;
    await failSync(tracker);
    shared.clock += 1;
    await tracker.sync();
    expect(lastLookback()).toBe(HOUR + 5 * DAY);
  });

  it('begins with the shortest pause again once a wide reading has succeeded', async () => {
    const { tracker } = make();
    await failSync(tracker);
    shared.clock += 60;
    await tracker.sync();
    shared.clock += DAY;
    await failSync(tracker);
    shared.clock += 60;
    await tracker.sync();
    expect(lastLookback()).toBe(7 * DAY);
  });

  it('still reads back to an unsettled NFT order while a full sync fails', async () => {
    const { tracker } = make();
    shared.api.orders = [nftOrder('finished', { finishTime: baseTime - 5 * HOUR })];
    await tracker.sync();
    shared.clock += DAY;
    await failSync(tracker);
    await tracker.sync();
    expect(lastLookback()).toBe(DAY + 5 * HOUR);
  });

  it('reads narrowly if the failed reading was only for an unsettled NFT order', async () => {
    const { tracker } = make();
    shared.api.orders = [nftOrder('finished', { finishTime: baseTime - 5 * DAY })];
    await tracker.sync();
    shared.clock += HOUR;
    await failSync(tracker);
    await tracker.sync();
    expect(lastLookback()).toBe(HOUR + 7200);
  });
});
