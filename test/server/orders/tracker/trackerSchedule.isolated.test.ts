import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import {
  baseTime,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make, started, pass } = setUpStartedTrackers();
const DAY = 86_400;

/** Returns when each sync started, in seconds after `baseTime`. */
const times = () => shared.api.ranges.map(({ endTime }) => endTime - baseTime);

describe('createOrderTracker plans the next sync', () => {
  it('hourly while an NFT is not settled, even if no checkout is open', async () => {
    const { tracker } = started();
    shared.api.orders = [nftOrder('finished', { ext: undefined, finishTime: baseTime - 5 * DAY })];
    await pass(3 * 3600 + 1);
    expect(times()).toEqual([0, 3600, 7200, 10_800]);
    await tracker.stop();
  });

  it('after maxPollSeconds while a change is postponed for longer than that', async () => {
    const store = memoryOrderStore();
    await store.recordOrders([onRampOrder()], baseTime);
    const changes = await store.listPendingChanges(baseTime, 1);
    const listPendingChanges = async (now: number) => (now < baseTime + 3000 ? [] : changes);
    const { tracker } = started({ store: { ...store, listPendingChanges } });
    await pass(1300);
    expect(times()).toEqual([0, 600, 1200]);
    await tracker.stop();
  });

  it('a day after the last full sync, also after other syncs', async () => {
    const { tracker } = started();
    await pass(DAY / 2);
    tracker.requestSync();
    await pass(DAY / 2 + 1);
    const half = DAY / 2;
    expect(times()).toEqual([0, half, half + 5, half + 15, half + 35, half + 75, DAY]);
    await tracker.stop();
  });

  it('at the planned time after a caller has run a sync', async () => {
    const { tracker } = started();
    await pass(10);
    await tracker.sync();
    await pass(600);
    expect(times()).toEqual([0, 10]);
    await tracker.stop();
  });

  it('once if it is started twice', async () => {
    const { tracker } = started();
    await pass(10);
    tracker.start();
    await pass(600);
    expect(times()).toEqual([0]);
    await tracker.stop();
  });

  it('never after it is stopped, not even for requestSync', async () => {
    const { tracker } = make({ now: Date.now });
    await pass(10);
    tracker.start();
    await pass(10);
    await tracker.stop();
    tracker.requestSync('r1');
    await pass(10);
    expect(times()).toEqual([10]);
  });

  it('four more times soon after a requestSync, because the order may be listed late', async () => {
    const { tracker } = started();
    tracker.requestSync();
    await pass(3600);
    expect(times()).toEqual([0, 5, 15, 35, 75]);
    await tracker.stop();
  });

  it('until an announced order is recorded, although its checkout has expired and another order came', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent({ expiresAt: baseTime - 5 }));
    await pass(10);
    tracker.requestSync('r1');
    await pass(1);
    shared.api.orders = [onRampOrder({ orderId: 'other', ext: '', finishTime: baseTime + 10 })];
    await pass(3600);
    shared.api.orders.push(onRampOrder({ finishTime: baseTime + 3600 }));
    await pass(600);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await tracker.stop();
  });

  it('within maxPollSeconds after another instance granted a checkout and stopped', async () => {
    const { tracker, store } = started();
    await pass(3600);
    expect(times()).toEqual([0]);
    // Another process saves a checkout, so nothing calls checkoutGranted of this tracker.
    await store.saveIntent(onRampIntent());
    shared.api.orders = [onRampOrder({ finishTime: baseTime + 3600 })];
    await pass(601);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await tracker.stop();
  });

  it('an hour after a sync outside the loop that found an unsettled order', async () => {
    const { tracker } = started();
    await pass(10);
    shared.api.orders = [nftOrder('finished', { finishTime: baseTime })];
    await tracker.sync();
    await pass(3700);
    expect(times()).toEqual([0, 10, 3610]);
    await tracker.stop();
  });

  it('soon after orders were recorded outside a sync', async () => {
    const { tracker, store, reviewed } = started();
    await pass(10);
    await store.recordOrders([onRampOrder()], baseTime);
    tracker.ordersRecorded();
    await pass(2);
    expect(reviewed).toHaveLength(1);
    expect(times()).toEqual([0, 10]);
    await tracker.stop();
  });

  it('only once after orders were recorded outside a sync, because none of them is listed late', async () => {
    const { tracker, store } = started();
    await pass(10);
    await store.recordOrders([onRampOrder()], baseTime);
    tracker.ordersRecorded();
    await pass(600);
    expect(times()).toEqual([0, 10]);
    await tracker.stop();
  });

  it('soon after it is started, if orders were recorded before and another instance syncs', async () => {
    const store = memoryOrderStore();
    let end = () => {};
    const other = store.withSyncLease(() => new Promise((resolve) => (end = resolve)));
    const { tracker } = make({ store, now: Date.now });
    tracker.ordersRecorded();
    tracker.start();
    await pass(1);
    end();
    await other;
    await pass(2);
    expect(times()).toEqual([2]);
    await tracker.stop();
  });

  it('of new orders between the attempts of a full sync that cannot read an old day', async () => {
    const store = memoryOrderStore();
    await store.writeWatermark(baseTime - 60);
    await store.saveIntent(onRampIntent());
    const { tracker, errors } = started({
      store,
      api: {
        async *eachOrder(range: { startTime: number; endTime: number }) {
          if (range.startTime < baseTime - DAY) throw new Error('status 500');
          yield* shared.api.eachOrder(range);
        },
      },
    });
    shared.api.orders = [onRampOrder({ finishTime: baseTime + 1 })];
    await pass(60);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await pass(DAY);
    // The full sync is tried again after 1, 2, 4, … minutes, and then every hour: about 30 times a day.
    expect(errors.length).toBeGreaterThan(20);
    expect(errors.length).toBeLessThan(40);
    await tracker.stop();
  });

  it('a second after the last sync when requestSync follows it closely', async () => {
    const { tracker } = started();
    await pass(10);
    tracker.requestSync();
    await pass(0.2);
    expect(times()).toEqual([0, 10]);
    tracker.requestSync();
    await pass(0.7);
    expect(times()).toEqual([0, 10]);
    await pass(0.2);
    expect(times()).toEqual([0, 10, 11]);
    await tracker.stop();
  });

  it('at the planned time for a checkout if it is due within a second', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await pass(59.5);
    tracker.checkoutGranted();
    await pass(0.3);
    expect(times()).toEqual([0]);
    await pass(0.3);
    expect(times()).toEqual([0, 60]);
    await tracker.stop();
  });

  it('once a minute while another instance syncs, after a requestSync was followed by a sync', async () => {
    const store = memoryOrderStore();
    let isBusy = false;
    const withSyncLease = vi.fn<typeof store.withSyncLease>((sync) =>
      isBusy ? Promise.resolve(false) : store.withSyncLease(sync),
    );
    const { tracker } = started({ store: { ...store, withSyncLease } });
    await store.saveIntent(onRampIntent());
    await pass(10);
    tracker.requestSync();
    await pass(1);
    isBusy = true;
    withSyncLease.mockClear();
    await pass(300);
    expect(withSyncLease.mock.calls.length).toBeLessThanOrEqual(6);
    await tracker.stop();
  });
});

describe('the timer of createOrderTracker', () => {
  it('is set once for concurrent requests of a sync', async () => {
    const { tracker } = started();
    await pass(10);
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (let i = 0; i < 100; i++) tracker.requestSync();
    expect(set).toHaveBeenCalledOnce();
    set.mockRestore();
    await tracker.stop();
  });
});

describe('createOrderTracker reports', () => {
  it('within a minute of short polls that no sync runs, even if deliveries may take long', async () => {
    const withSyncLease = () => new Promise<never>(() => {});
    const { tracker, errors } = started({
      store: { ...memoryOrderStore(), withSyncLease },
      pollSeconds: 1,
    });
    await pass(61);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    void tracker.stop();
  });

  it('the same after a sync that delivered its changes', async () => {
    const store = memoryOrderStore();
    const withSyncLease = vi.fn<typeof store.withSyncLease>(() => new Promise<never>(() => {}));
    withSyncLease.mockImplementationOnce(store.withSyncLease);
    shared.api.orders = [onRampOrder()];
    const { tracker, errors, reviewed } = started({
      store: { ...store, withSyncLease },
      pollSeconds: 1,
      maxPollSeconds: 1,
    });
    await store.saveIntent(onRampIntent({ reference: 'open' }));
    await pass(64);
    expect(reviewed).toHaveLength(1);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    void tracker.stop();
  });
});
