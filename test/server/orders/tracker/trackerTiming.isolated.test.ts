import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, type OrderStore } from '../../../../src/server/index.js';
import { baseTime, onRampIntent, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, started, pass } = setUpStartedTrackers();
afterEach(() => void vi.restoreAllMocks());

describe('createOrderTracker after start()', () => {
  it('syncs immediately, then daily while no checkout is open', async () => {
    const { tracker } = started();
    await pass(86_399);
    expect(shared.api.ranges).toHaveLength(1);
    await pass(2);
    expect(shared.api.ranges).toHaveLength(2);
    await tracker.stop();
    await pass(200_000);
    expect(shared.api.ranges).toHaveLength(2);
  });

  it('syncs with exponential backoff while a checkout is open and no order arrives', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    tracker.checkoutGranted();
    await pass(3600);
    const times = shared.api.ranges.map(({ endTime }) => endTime - baseTime);
    const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
    expect(gaps.slice(0, 6)).toEqual([60, 120, 240, 480, 600, 600]);
    await tracker.stop();
  });

  it('does not postpone a sync for new checkouts in quick succession', async () => {
    const { tracker } = started();
    await pass(1);
    for (let i = 0; i < 200; i++) {
      tracker.checkoutGranted();
      await pass(1);
    }
    expect(shared.api.ranges.length).toBeGreaterThanOrEqual(3);
    await tracker.stop();
  });

  it.each([
    ['forward by a day', 86_400],
    ['forward by ten years', 3650 * 86_400],
    ['back by a day', -86_400],
  ])('syncs soon for a new checkout after the clock was set %s', async (_, jump) => {
    let ahead = 0;
    const { tracker, store } = started({ now: () => Date.now() + ahead * 1000 });
    await pass(1);
    ahead = jump;
    const now = baseTime + 1 + jump;
    await store.saveIntent(onRampIntent({ createdAt: now, expiresAt: now + 3600 }));
    tracker.checkoutGranted();
    await pass(60);
    expect(shared.api.ranges).toHaveLength(2);
    await tracker.stop();
  });

  it('syncs soon for a checkout that is granted while the next sync is being planned', async () => {
    const inner = memoryOrderStore();
    let granted = false;
    const { tracker, store } = started({
      store: {
        ...inner,
        async hasOpenCheckouts(now) {
          const isOpen = await inner.hasOpenCheckouts(now);
          if (!granted) {
            granted = true;
            await inner.saveIntent(onRampIntent());
            tracker.checkoutGranted();
          }
          return isOpen;
        },
      },
    });
    await pass(61);
    expect(await store.hasOpenCheckouts(baseTime)).toBe(true);
    expect(shared.api.ranges).toHaveLength(2);
    await tracker.stop();
  });

  it('polls every pollSeconds again after a sync with new orders', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    tracker.checkoutGranted();
    await pass(60 + 120 + 200);
    shared.api.orders = [onRampOrder({ ext: undefined, finishTime: baseTime })];
    // The sync at 60 + 120 + 240 seconds records the order.
    await pass(40);
    const { length } = shared.api.ranges;
    await pass(60 + 120);
    const times = shared.api.ranges.slice(length - 1).map(({ endTime }) => endTime - baseTime);
    expect(times.slice(1).map((time, i) => time - (times[i] as number))).toEqual([60, 120]);
    await tracker.stop();
  });

  it('continues after a failed sync', async () => {
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    const { tracker, reviewed, errors } = started();
    await pass(1);
    expect(errors).toHaveLength(1);
    await pass(600);
    const times = shared.api.ranges.map(({ endTime }) => endTime - baseTime);
    // The pause starts at 5 seconds and doubles after each failure, up to 60 seconds.
    expect(times.slice(0, 7)).toEqual([0, 5, 15, 35, 75, 135, 195]);
    shared.api.failAfter = 9;
    await pass(60);
    expect(reviewed).toHaveLength(1);
    shared.api.failAfter = 0;
    tracker.requestSync();
    await pass(1);
    const failed = errors.length;
    await pass(5);
    expect(errors).toHaveLength(failed + 1);
    await tracker.stop();
  });

  it('retries once a minute while another instance syncs, and soon after a request', async () => {
    const inner = memoryOrderStore();
    let isBusy = true;
    const withSyncLease = vi.fn<OrderStore['withSyncLease']>((sync) =>
      isBusy ? Promise.resolve(false) : inner.withSyncLease(sync),
    );
    const { tracker } = started({ store: { ...inner, withSyncLease } });
    await pass(600);
    expect(withSyncLease).toHaveBeenCalledTimes(11);
    expect(shared.api.ranges).toEqual([]);
    tracker.requestSync();
    await pass(1);
    isBusy = false;
    await pass(5);
    expect(shared.api.ranges).toHaveLength(1);
    await tracker.stop();
  });

  it('retries a delivery that keeps failing each hour, even if no checkout is open', async () => {
    const times: number[] = [];
    const { tracker } = started({
      review: () => {
        times.push(Date.now() / 1000 - baseTime);
        throw new Error('the warehouse is closed');
      },
    });
    shared.api.orders = [onRampOrder()];
    await pass(10 * 3600);
    const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(3600 + 600);
    expect(times.at(-1)).toBeGreaterThan(8 * 3600);
    await tracker.stop();
  });

  it('continues although a callback never settles', async () => {
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
    await pass(1);
    expect(keys).toEqual(['a:no-checkout', 'b:no-checkout']);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    // The store cannot tell whether the first call will still write something, so there is no second one beside it.
    await pass(120);
    expect(keys).toEqual(['a:no-checkout', 'b:no-checkout']);
    expect(errors.length).toBeGreaterThan(1);
    for (const error of errors) expect(error).toMatchObject({ code: 'ERR_TIMEOUT' });
    expect(await store.listPendingChanges(baseTime + 999_999, 9)).toMatchObject([
      { key: 'a:finished' },
    ]);
    await tracker.stop();
  });

  it('calls a callback once that settles after its time limit', async () => {
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

  it('syncs within minutes although many callbacks never settle, and calls each of them', async () => {
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
    await store.saveIntent(onRampIntent());
    await pass(30);
    shared.api.orders.push(onRampOrder({ finishTime: baseTime + 30 }));
    await pass(200);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await pass(3 * 3600);
    expect(keys.size).toBe(61);
    const stopped = tracker.stop();
    await pass(60);
    await stopped;
  });

  it('soon delivers the changes that one sync had no time for', async () => {
    const { tracker, store } = started({
      review: () => new Promise((done) => setTimeout(done, 5000)),
    });
    await store.saveIntent(onRampIntent());
    shared.api.orders = Array.from({ length: 60 }, (_, i) =>
      onRampOrder({ orderId: `slow${i}`, ext: undefined }),
    );
    await pass(60 * 5 + 30);
    expect(await store.listPendingChanges(baseTime + 9999, 1)).toEqual([]);
    await tracker.stop();
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
  });
});
