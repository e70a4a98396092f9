import { describe, expect, it } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { baseTime, onRampIntent, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make, started, pass } = setUpStartedTrackers();

describe('requestSync', () => {
  it('runs at most two syncs for 5,000 concurrent requests', async () => {
    const { tracker } = started();
    await pass(1);
    for (let i = 0; i < 5000; i++) tracker.requestSync();
    await pass(3);
    expect(shared.api.ranges.length).toBeLessThanOrEqual(3);
    expect(shared.api.ranges.length).toBeGreaterThan(1);
    await tracker.stop();
  });

  it('runs one sync per second while requests continue, and one after the last request', async () => {
    const { tracker } = started({
      api: {
        async *eachOrder(range) {
          yield* shared.api.eachOrder(range);
          // Each sync takes 50 ms, so some requests arrive during a sync.
          await new Promise((done) => setTimeout(done, 50));
        },
      },
    });
    await pass(10);
    const before = shared.api.ranges.length;
    for (let i = 0; i < 1000; i++) {
      tracker.requestSync();
      await pass(0.02);
    }
    const lastRequest = Math.floor(Date.now() / 1000);
    await pass(10);
    const times = shared.api.ranges.slice(before).map(({ endTime }) => endTime);
    expect(times.length).toBeLessThanOrEqual(23);
    expect(times[0]).toBe(baseTime + 10);
    expect(times.at(-1)).toBeGreaterThanOrEqual(lastRequest);
    await tracker.stop();
  });

  it('keeps a request that arrives at any moment while the next sync is planned', async () => {
    for (let microtasks = 0; microtasks < 12; microtasks++) {
      const inner = memoryOrderStore();
      let plans = 0;
      const { tracker } = started({
        store: {
          ...inner,
          async findOldestUnsettled(since) {
            const isFirstPlan = plans++ === 1;
            const request = async () => {
              for (let i = 0; i < microtasks; i++) await undefined;
              tracker.requestSync();
            };
            if (isFirstPlan) void request();
            return inner.findOldestUnsettled(since);
          },
        },
      });
      const before = shared.api.ranges.length;
      await pass(3);
      expect([microtasks, shared.api.ranges.length - before]).toEqual([microtasks, 2]);
      await tracker.stop();
    }
  });

  it('syncs although the store could not record the announced order', async () => {
    const announceOrder = () => Promise.reject(new Error('pg: down'));
    const { tracker } = started({ store: { ...memoryOrderStore(), announceOrder } });
    await pass(10);
    await tracker.requestSync('r1');
    await pass(1);
    expect(shared.api.ranges).toHaveLength(2);
    await tracker.stop();
  });

  it('reports that the store could not record the announced order', async () => {
    const announceOrder = () => Promise.reject(new Error('pg: down'));
    const { tracker, errors } = started({ store: { ...memoryOrderStore(), announceOrder } });
    await tracker.requestSync('r1');
    expect(errors).toEqual([new Error('pg: down')]);
    await tracker.stop();
  });

  it('syncs within a second after the clock was set back since the last sync', async () => {
    let ahead = 0;
    const { tracker } = started({ now: () => Date.now() + ahead * 1000 });
    await pass(1);
    ahead = -3600;
    tracker.requestSync();
    await pass(1);
    expect(shared.api.ranges).toHaveLength(2);
    await tracker.stop();
  });

  it('marks a checkout as unconfirmed in the sync that follows a failed one', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await pass(10);
    shared.api.orders = [onRampOrder({ ext: 'other' })];
    shared.api.failAfter = 0;
    tracker.requestSync('r1');
    await pass(1);
    expect((await store.findCheckout('r1'))?.outcome).toBeUndefined();
    shared.api.failAfter = Number.POSITIVE_INFINITY;
    await pass(60);
    expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
    await tracker.stop();
  });

  it('syncs again for a requestSync during a sync', async () => {
    const { tracker, reviewed } = make({
      now: Date.now,
      api: {
        async *eachOrder(range) {
          await new Promise((done) => setTimeout(done, 1000));
          yield* shared.api.eachOrder(range);
        },
      },
    });
    tracker.start();
    await pass(0.5);
    // A request during a sync may be for an order that this sync has missed. So the tracker must sync again.
    shared.api.orders = [];
    tracker.requestSync();
    await pass(0.6);
    shared.api.orders = [onRampOrder()];
    await pass(5);
    expect(reviewed).toHaveLength(1);
    await tracker.stop();
  });

  it('syncs for a requestSync soon after another instance has synced', async () => {
    const store = memoryOrderStore();
    const { tracker } = started({ store });
    await pass(1);
    let end = () => {};
    const other = store.withSyncLease(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    tracker.requestSync('r1');
    await pass(10);
    expect(shared.api.ranges).toHaveLength(1);
    end();
    await other;
    await pass(2);
    expect(shared.api.ranges).toHaveLength(2);
    await tracker.stop();
  });

  it('syncs for a requestSync during a sync that a caller runs', async () => {
    const { tracker } = started();
    await pass(1);
    const running = tracker.sync();
    tracker.requestSync('r1');
    await running;
    await pass(2);
    expect(shared.api.ranges).toHaveLength(3);
    await tracker.stop();
  });

  it('polls soon for an announced order that is not in the list yet', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await pass(1);
    tracker.requestSync('r1');
    await pass(4);
    shared.api.orders = [onRampOrder({ finishTime: baseTime })];
    await pass(2);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await tracker.stop();
  });

  it('polls soon, but not for long, for an announced order if no checkout is open', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    shared.api.orders = [onRampOrder()];
    await pass(10);
    // The checkout has an order already, but a shopper may buy again with the same on-ramp checkout.
    tracker.requestSync('r1');
    await pass(4);
    const second = onRampOrder({ orderId: 'o2', finishTime: baseTime + 10 });
    shared.api.orders.push(second);
    await pass(5);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(2);
    tracker.requestSync('r1');
    await pass(120);
    const { length } = shared.api.ranges;
    await pass(3600);
    expect(shared.api.ranges).toHaveLength(length);
    await tracker.stop();
  });

  it('marks a checkout as unconfirmed if its announced order is not in the list', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await store.saveIntent(onRampIntent({ reference: 'r2' }));
    shared.api.orders = [onRampOrder({ ext: 'r2' })];
    tracker.requestSync('r1');
    tracker.requestSync('r2');
    await pass(1);
    expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
    expect((await store.findCheckout('r2'))?.outcome).toBeUndefined();
    await tracker.stop();
  });
});
