import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, type OrderStore } from '../../../../src/server/index.js';
import type { OrderTrackerOptions } from '../../../../src/server/orders/tracker/trackerOptions.js';
import { announceOrder } from '../../../support/server/announceOrder.js';
import {
  baseTime,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make, started, pass } = setUpStartedTrackers();
const HOUR = 3600;
const DAY = 86_400;

/** Returns when each sync began to read the newest orders, in seconds after `baseTime`. */
function times(): number[] {
  const { ranges } = shared.api;
  const ends = ranges.map(({ endTime }) => endTime - baseTime);
  // A part is followed by the next one, and older orders are read after the newest ones.
  return ends.filter(
    (end, i) =>
      ranges[i + 1]?.startTime !== ranges[i]?.endTime && end >= Math.max(...ends.slice(0, i)),
  );
}

/** A tracker whose first sync has ended a while ago, so that the next one is a day away. */
async function rested(options: Partial<OrderTrackerOptions> = {}) {
  const made = started(options);
  await pass(10);
  return made;
}

describe('a started tracker syncs', () => {
  it('at once, then daily while no checkout is open, and never after stop()', async () => {
    const { tracker } = started();
    await pass(DAY - 1);
    expect(times()).toEqual([0]);
    await pass(2);
    expect(times()).toEqual([0, DAY]);
    await tracker.stop();
    await tracker.requestSync();
    await pass(3 * DAY);
    expect(times()).toEqual([0, DAY]);
  });

  it('once if it is started twice', async () => {
    const { tracker } = await rested();
    tracker.start();
    await pass(600);
    expect(times()).toEqual([0]);
    await tracker.stop();
  });

  it('again when it is started after a stop', async () => {
    const { tracker, errors } = await rested();
    await tracker.stop();
    await pass(90);
    tracker.start();
    await pass(1);
    expect([times(), errors]).toEqual([[0, 100], []]);
    await tracker.stop();
  });

  it('less and less often while a checkout is open and no order comes', async () => {
    const { tracker, store } = started();
    await store.saveCheckout(onRampCheckout({ createdAt: baseTime, expiresAt: baseTime + DAY }));
    await pass(2500);
    expect(times()).toEqual([0, 60, 120, 240, 480, 960, 1560, 2160]);
    await tracker.stop();
  });

  it('within pollSeconds for a new checkout, and as soon for many in quick succession', async () => {
    const { tracker, store } = started();
    await pass(HOUR);
    for (let i = 0; i < 200; i++) {
      const createdAt = baseTime + HOUR + i;
      await store.saveCheckout(
        onRampCheckout({ reference: `r${i}`, createdAt, expiresAt: createdAt + DAY }),
      );
      tracker.checkoutGranted();
      await pass(1);
    }
    expect(times().slice(1)).toEqual([HOUR + 60, HOUR + 120, HOUR + 180]);
    await tracker.stop();
  });

  it('within pollSeconds for a checkout that is continued long after it was created', async () => {
    const { tracker, store } = started();
    await store.saveCheckout(onRampCheckout({ createdAt: baseTime, expiresAt: baseTime + DAY }));
    await pass(2 * HOUR);
    const before = times().length;
    tracker.checkoutGranted();
    await pass(61);
    expect(times().length).toBe(before + 1);
    await tracker.stop();
  });

  it.each([
    ['forward by a day', DAY],
    ['forward by ten years', 3650 * DAY],
    ['back by a day', -DAY],
  ])('soon for a new checkout after the clock was set %s', async (_, jump) => {
    let ahead = 0;
    const { tracker, store } = started({}, { now: () => Date.now() + ahead * 1000 });
    await pass(1);
    const before = shared.api.ranges.length;
    ahead = jump;
    const now = baseTime + 1 + jump;
    await store.saveCheckout(onRampCheckout({ createdAt: now, expiresAt: now + HOUR }));
    tracker.checkoutGranted();
    await pass(61);
    expect(shared.api.ranges.length).toBeGreaterThan(before);
    await tracker.stop();
  });

  it('within maxPollSeconds after another instance granted a checkout and stopped', async () => {
    const { tracker, store } = started();
    await pass(HOUR);
    // Another process saves a checkout, so nothing calls checkoutGranted of this tracker.
    await store.saveCheckout(
      onRampCheckout({ createdAt: baseTime + HOUR, expiresAt: baseTime + DAY }),
    );
    await pass(601);
    expect(times()).toHaveLength(2);
    await tracker.stop();
  });

  it('again after one in which a checkout has expired', async () => {
    const { tracker, store } = started();
    await store.saveCheckout(onRampCheckout({ createdAt: baseTime, expiresAt: baseTime + 100 }));
    await pass(150);
    expect((await store.findCheckout('r1'))?.outcome).toBe('expired');
    expect(times()).toEqual([0, 60, 120]);
    await pass(HOUR);
    expect(times()).toEqual([0, 60, 120]);
    await tracker.stop();
  });

  it('hourly while an NFT is not settled, although no checkout is open', async () => {
    shared.api.orders = [nftOrder('finished', { finishTime: baseTime - 5 * DAY })];
    const { tracker } = started();
    await pass(3 * HOUR + 1);
    expect(times()).toEqual([0, HOUR, 2 * HOUR, 3 * HOUR]);
    await tracker.stop();
  });

  it('again after 5, 10, 20, 40 and 60 seconds when a sync fails', async () => {
    const failing = async () => {
      throw new Error('the service is down');
    };
    const begun: number[] = [];
    const eachOrder = (range: { endTime: number }) => {
      begun.push(range.endTime - baseTime);
      return { [Symbol.asyncIterator]: () => ({ next: failing }) };
    };
    const { tracker, errors } = started({ api: { eachOrder } as never });
    await pass(200);
    expect(begun).toEqual([0, 5, 15, 35, 75, 135, 195]);
    expect(errors).toHaveLength(7);
    await tracker.stop();
  });

  it('again, as it does after a failure, when the store fails while it looks', async () => {
    const inner = memoryOrderStore();
    let isDown = false;
    const findWork: OrderStore['findWork'] = (query) =>
      isDown ? Promise.reject(new Error('pg: down')) : inner.findWork(query);
    const { tracker, errors } = await rested({ store: { ...inner, findWork } });
    isDown = true;
    await pass(700);
    expect(errors.length).toBeGreaterThan(1);
    for (const error of errors) expect(error).toEqual(new Error('pg: down'));
    isDown = false;
    const { length } = errors;
    await pass(HOUR);
    expect(errors).toHaveLength(length);
    await tracker.stop();
  });

  it('every two seconds while another instance has the lease', async () => {
    const inner = memoryOrderStore();
    const withSyncLease = vi.fn<OrderStore['withSyncLease']>(() => Promise.resolve(false));
    const { tracker, errors } = started({ store: { ...inner, withSyncLease } });
    await pass(19);
    expect(withSyncLease).toHaveBeenCalledTimes(10);
    withSyncLease.mockImplementation(inner.withSyncLease);
    await pass(2);
    expect([times(), errors]).toEqual([[20], []]);
    await tracker.stop();
  });

  it('until a delivery that fails succeeds, each time when it is due', async () => {
    const called: number[] = [];
    const { tracker } = started({
      review: () => {
        called.push(Math.floor(Date.now() / 1000) - baseTime);
        if (called.length < 5) throw new Error('the warehouse is closed');
      },
    });
    shared.api.orders = [onRampOrder()];
    await pass(HOUR);
    expect(called).toEqual([0, 5, 15, 35, 75]);
    await tracker.stop();
  });

  it('each hour for a delivery that keeps failing', async () => {
    const called: number[] = [];
    const { tracker } = started({
      review: () => {
        called.push(Date.now() / 1000 - baseTime);
        throw new Error('the warehouse is closed');
      },
    });
    shared.api.orders = [onRampOrder()];
    await pass(10 * HOUR);
    const gaps = called.slice(1).map((time, i) => time - (called[i] as number));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(HOUR + 2);
    expect(called.at(-1)).toBeGreaterThan(8 * HOUR);
    await tracker.stop();
  });

  it('soon for the changes that the last sync had no time for', async () => {
    const { tracker, store } = started({
      review: () => new Promise((done) => setTimeout(done, 5000)),
    });
    shared.api.orders = Array.from({ length: 60 }, (_, i) =>
      onRampOrder({ orderId: `slow${i}`, ext: undefined }),
    );
    await pass(60 * 5 + 30);
    expect(await store.listPendingChanges(baseTime + 9999, 1)).toEqual([]);
    await tracker.stop();
  });

  it('of new orders between the attempts of a daily reading of a day that cannot be listed', async () => {
    const { tracker, store, errors } = started({
      api: {
        async *eachOrder(range: { startTime: number; endTime: number }) {
          if (range.startTime < baseTime - 2 * DAY) throw new Error('status 500');
          yield* shared.api.eachOrder(range);
        },
      },
    });
    await store.saveCheckout(onRampCheckout({ createdAt: baseTime, expiresAt: baseTime + 7200 }));
    shared.api.orders = [onRampOrder({ finishTime: baseTime + 1 })];
    await pass(61);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await pass(DAY);
    // It is tried again after 1, 2, 4, … minutes, and then every hour: about 30 times a day.
    expect(errors.length).toBeGreaterThan(20);
    expect(errors.length).toBeLessThan(40);
    await tracker.stop();
  });
});

describe('callbacks in a started tracker', () => {
  it('that never settle do not keep others from being called, and fail', async () => {
    const keys: string[] = [];
    const { tracker, errors, store } = started({
      review: ({ key }) => {
        keys.push(key);
        return key.startsWith('a') ? new Promise(() => {}) : undefined;
      },
    });
    shared.api.orders = ['a', 'b'].map((orderId) => onRampOrder({ orderId }));
    await pass(59);
    expect(keys).toEqual(['a:no-checkout']);
    await pass(5);
    expect(keys).toEqual(['a:no-checkout', 'b:no-checkout']);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    // The store cannot tell whether the first call will still write something, so there is no second one beside it.
    await pass(120);
    expect(keys).toEqual(['a:no-checkout', 'b:no-checkout']);
    for (const error of errors) expect(error).toMatchObject({ code: 'ERR_TIMEOUT' });
    expect(await store.listPendingChanges(baseTime + 999_999, 9)).toMatchObject([
      { key: 'a:finished' },
    ]);
    await tracker.stop();
  });

  it('that settle after their time limit are called once', async () => {
    const keys: string[] = [];
    const { tracker, errors, store } = started({
      async review({ key }) {
        keys.push(key);
        await new Promise((done) => setTimeout(done, 100_000));
      },
    });
    shared.api.orders = [onRampOrder()];
    await pass(600);
    expect(keys).toEqual(['o1:no-checkout']);
    expect(errors[0]).toMatchObject({ message: expect.stringContaining('within 60 seconds') });
    expect(await store.listPendingChanges(baseTime + 999_999, 9)).toEqual([]);
    await tracker.stop();
  });

  it('that never settle, many of them, do not keep the list from being read', async () => {
    const keys = new Set<string>();
    const { tracker, store } = started({
      deliver: ({ key }) => keys.add(key),
      review({ key }) {
        keys.add(key);
        return new Promise(() => {});
      },
    });
    shared.api.orders = Array.from({ length: 60 }, (_, i) =>
      onRampOrder({ orderId: `stuck${i}`, ext: undefined }),
    );
    await store.saveCheckout(onRampCheckout());
    await pass(30);
    shared.api.orders.push(onRampOrder({ finishTime: baseTime + 30 }));
    await pass(200);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await pass(3 * HOUR);
    expect(keys.size).toBe(61);
    const stopped = tracker.stop();
    await pass(60);
    await stopped;
  });
});

describe('a request of a started tracker', () => {
  it('syncs within a second', async () => {
    const { tracker } = await rested();
    await tracker.requestSync();
    await pass(1);
    expect(times()).toEqual([0, 11]);
    await tracker.stop();
  });

  it('for an announced order is followed by more syncs, until the order is recorded', async () => {
    const { tracker, store, delivered } = await rested();
    await store.saveCheckout(
      onRampCheckout({ createdAt: baseTime - DAY, expiresAt: baseTime - 5 }),
    );
    await announceOrder(store, 'r1', baseTime + 10);
    await tracker.requestSync();
    await pass(100);
    expect(times()).toEqual([0, 11, 16, 22, 34, 58, 106]);
    shared.api.orders = [onRampOrder({ finishTime: baseTime + 10 })];
    await pass(600);
    expect(delivered).toHaveLength(1);
    await tracker.stop();
  });

  it('for an announced order goes on although another order comes', async () => {
    const { tracker, store } = await rested();
    await store.saveCheckout(onRampCheckout());
    await announceOrder(store, 'r1', baseTime + 10);
    await tracker.requestSync();
    shared.api.orders = [onRampOrder({ orderId: 'other', ext: '', finishTime: baseTime + 10 })];
    await pass(HOUR);
    shared.api.orders.push(onRampOrder({ finishTime: baseTime + HOUR }));
    await pass(601);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await tracker.stop();
  });

  it('is one of many that share a sync', async () => {
    const { tracker } = await rested();
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (let i = 0; i < 5000; i++) void tracker.requestSync();
    expect(set).toHaveBeenCalledOnce();
    set.mockRestore();
    await pass(3);
    expect(times()).toHaveLength(2);
    await tracker.stop();
  });

  it('is served at most once a second, and once after the last of many', async () => {
    const { tracker } = await rested({
      api: {
        async *eachOrder(range) {
          yield* shared.api.eachOrder(range);
          // Each sync takes 50 ms, so some requests arrive during a sync.
          await new Promise((done) => setTimeout(done, 50));
        },
      },
    });
    for (let i = 0; i < 1000; i++) {
      void tracker.requestSync();
      await pass(0.02);
    }
    const lastRequest = Math.floor(Date.now() / 1000) - baseTime;
    await pass(10);
    expect(times().length).toBeLessThanOrEqual(24);
    expect(times().at(-1)).toBeGreaterThanOrEqual(lastRequest);
    await tracker.stop();
  });

  it('is not lost at any moment while the next sync is planned', async () => {
    for (let microtasks = 0; microtasks < 20; microtasks++) {
      const inner = memoryOrderStore();
      let looks = 0;
      const { tracker } = started({
        store: {
          ...inner,
          async findWork(query) {
            // The first sync asks for work too.
            if (++looks === 3)
              void (async () => {
                for (let i = 0; i < microtasks; i++) await undefined;
                await tracker.requestSync();
              })();
            return inner.findWork(query);
          },
        },
      });
      const before = times().length;
      await pass(3);
      expect([microtasks, times().length - before]).toEqual([microtasks, 2]);
      await tracker.stop();
    }
  });

  it('during a sync is followed by another one, because that sync may have read past the order', async () => {
    const { tracker, reviewed } = started({
      api: {
        async *eachOrder(range) {
          yield* shared.api.eachOrder(range);
          await new Promise((done) => setTimeout(done, 1000));
        },
      },
    });
    await pass(0.5);
    shared.api.orders = [onRampOrder()];
    void tracker.requestSync();
    await pass(30);
    expect(reviewed).toHaveLength(1);
    await tracker.stop();
  });

  it('is served after the sync of another instance', async () => {
    const store = memoryOrderStore();
    const { tracker } = await rested({ store });
    let end = () => {};
    const other = store.withSyncLease(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    void tracker.requestSync();
    await pass(10);
    expect(times()).toEqual([0]);
    end();
    await other;
    await pass(2);
    expect(times()).toHaveLength(2);
    await tracker.stop();
  });

  it('is served although the sync before has failed', async () => {
    const { tracker, store } = await rested();
    await store.saveCheckout(onRampCheckout());
    await announceOrder(store, 'r1', baseTime + 10);
    shared.api.orders = [onRampOrder({ ext: 'other', finishTime: baseTime + 9 })];
    shared.api.failAfter = 0;
    void tracker.requestSync();
    await pass(1);
    expect((await store.findCheckout('r1'))?.outcome).toBeUndefined();
    shared.api.failAfter = Number.POSITIVE_INFINITY;
    await pass(10);
    expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
    await tracker.stop();
  });

  it('is served although the store failed when its sync was to begin, and nothing else is due', async () => {
    const inner = memoryOrderStore();
    let isDown = false;
    const withSyncLease: OrderStore['withSyncLease'] = (sync) =>
      isDown ? Promise.reject(new Error('pg: read-only')) : inner.withSyncLease(sync);
    const { tracker, errors, reviewed } = await rested({ store: { ...inner, withSyncLease } });
    isDown = true;
    void tracker.requestSync();
    shared.api.orders = [onRampOrder({ finishTime: baseTime + 10 })];
    await pass(3);
    expect(errors).toEqual([new Error('pg: read-only')]);
    isDown = false;
    await pass(5);
    expect(reviewed).toHaveLength(1);
    await tracker.stop();
  });

  it('is followed by more syncs for two minutes, because a webhook may name no order', async () => {
    const { tracker } = await rested();
    void tracker.requestSync();
    await pass(HOUR);
    expect(times()).toEqual([0, 11, 16, 22, 34, 58, 106, 202]);
    await tracker.stop();
  });

  it('does not shorten the pause while syncs fail', async () => {
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    const { tracker, errors } = started();
    for (let i = 0; i < 200; i++) {
      void tracker.requestSync();
      await pass(1);
    }
    expect(errors.length).toBeLessThan(9);
    await tracker.stop();
  });

  it('delivers what was recorded outside a sync', async () => {
    const { tracker, store, reviewed } = await rested();
    await store.recordOrders([onRampOrder()], baseTime);
    tracker.ordersRecorded();
    await pass(2);
    expect(reviewed).toHaveLength(1);
    await pass(600);
    expect(times()).toEqual([0, 11]);
    await tracker.stop();
  });

  it('before start() is served by the sync of start()', async () => {
    const { tracker, store, reviewed } = make({}, { now: Date.now });
    await store.recordOrders([onRampOrder()], baseTime);
    tracker.ordersRecorded();
    tracker.start();
    await pass(1);
    expect(reviewed).toHaveLength(1);
    await tracker.stop();
  });
});

describe('a started tracker whose sync does not get on', () => {
  const never = () => new Promise<never>(() => {});
  const report = { code: 'ERR_TIMEOUT', message: expect.stringContaining('for 600 seconds') };

  /** Creates a store whose lease another instance holds while `lease.isHeld` is true. */
  function leasedStore() {
    const inner = memoryOrderStore();
    const lease = { isHeld: true };
    const store: OrderStore = {
      ...inner,
      withSyncLease: (sync) => (lease.isHeld ? Promise.resolve(false) : inner.withSyncLease(sync)),
    };
    return { inner, lease, store };
  }

  it('reports once that another instance keeps the lease, and again after another sync', async () => {
    const { lease, store } = leasedStore();
    const { tracker, errors } = started({ store });
    await pass(600);
    expect(errors).toEqual([]);
    await pass(120);
    expect(errors).toMatchObject([report]);
    await pass(2 * HOUR);
    expect(errors).toHaveLength(1);
    lease.isHeld = false;
    await pass(60);
    expect(times()).toHaveLength(1);
    lease.isHeld = true;
    // No checkout is open, so the next sync is due in a day.
    await pass(DAY);
    expect(errors).toHaveLength(1);
    await pass(800);
    expect(errors).toMatchObject([report, report]);
    await tracker.stop();
  });

  it.each<[string, Partial<OrderStore>]>([
    ['begins a sync', { withSyncLease: never }],
    ['is asked for its state', { readSyncState: never }],
    ['is asked for work', { findWork: never }],
  ])('reports that the store never responds when it %s', async (_, broken) => {
    const { tracker, errors } = started({ store: { ...memoryOrderStore(), ...broken } });
    await pass(720);
    expect(errors).toMatchObject([report]);
    void tracker.stop();
  });

  it('reports it within minutes of short polls', async () => {
    const { tracker, errors } = started({
      store: { ...memoryOrderStore(), withSyncLease: never },
      pollSeconds: 1,
    });
    await pass(182);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    void tracker.stop();
  });

  it('does not report while another instance syncs', async () => {
    const { inner, store } = leasedStore();
    const { tracker, errors } = started({ store });
    for (let i = 1; i <= 30; i++) {
      await pass(300);
      await inner.writeSyncState({ ...(await inner.readSyncState()), state: undefined });
    }
    expect(errors).toEqual([]);
    await tracker.stop();
  });

  it('does not report while nothing is due, or while changes are delivered', async () => {
    const { tracker, errors } = started({
      review: () => new Promise((done) => setTimeout(done, 50_000)),
    });
    shared.api.orders = Array.from({ length: 30 }, (_, i) => onRampOrder({ orderId: `o${i}` }));
    await pass(2 * DAY);
    expect(errors).toEqual([]);
    await tracker.stop();
  });

  it('begins no sync after a stop while it looked into the store', async () => {
    const inner = memoryOrderStore();
    let end = () => {};
    const findWork: OrderStore['findWork'] = async (query) => {
      await new Promise<void>((done) => {
        end = done;
      });
      return inner.findWork(query);
    };
    const writeSyncState = vi.fn(inner.writeSyncState);
    const { tracker } = started({ store: { ...inner, findWork, writeSyncState } });
    await pass(1);
    await tracker.stop();
    end();
    await pass(10);
    expect(writeSyncState).not.toHaveBeenCalled();
  });

  it('stops in the middle of a sync without an error', async () => {
    let aborted: AbortSignal | undefined;
    const { tracker, errors } = started({
      api: {
        async *eachOrder(_, call) {
          aborted = call?.signal;
          await new Promise((_, refuse) => {
            call?.signal?.addEventListener('abort', () => refuse(call.signal?.reason));
          });
          yield onRampOrder();
        },
      },
    });
    await pass(1);
    await tracker.stop();
    expect(aborted?.aborted).toBe(true);
    expect(errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
