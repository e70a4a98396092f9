import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { setUpTrackers } from '../../../support/server/setUpTrackers.js';
import { withResolved } from '../../../support/server/withResolved.js';

const { shared, make } = setUpTrackers();

describe('sync of createOrderTracker', () => {
  it('matches an order with its checkout, and calls deliver once', async () => {
    const { tracker, store, delivered, reviewed } = make();
    const checkout = onRampCheckout({ metadata: { cart: 7 } });
    await store.saveCheckout(checkout);
    shared.api.orders = [onRampOrder()];
    await tracker.sync();
    await tracker.sync();
    expect(delivered).toEqual([{ ...onRampOrder(), checkout: checkout, key: 'o1:deliver' }]);
    expect(reviewed).toEqual([]);
  });

  it('records and hands over the orders that it has read before it fails, and reads all again next time', async () => {
    const { tracker, reviewed } = make();
    shared.api.orders = Array.from({ length: 250 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, finishTime: baseTime - 1000 + i }),
    );
    shared.api.failAfter = 230;
    await expect(tracker.sync()).rejects.toThrow('down');
    expect((await tracker.status()).syncedAt).toBeUndefined();
    expect(reviewed).toHaveLength(230);
    shared.api.failAfter = Number.POSITIVE_INFINITY;
    expect(await tracker.sync()).toMatchObject({ listed: 250, recorded: 20 });
    expect(reviewed).toHaveLength(250);
    expect(new Set(reviewed.map(({ order }) => order.key)).size).toBe(250);
    expect((await tracker.status()).syncedAt).toBe(baseTime);
  });

  it('also reports the error of the store when the rest of a failed list cannot be recorded', async () => {
    const recordOrders = vi.fn(() => Promise.reject(new Error('the disk is full')));
    const { tracker, errors } = make({ store: { ...memoryOrderStore(), recordOrders } });
    shared.api.orders = [onRampOrder(), onRampOrder({ orderId: 'o2' })];
    shared.api.failAfter = 1;
    await expect(tracker.sync()).rejects.toThrow('the service is down');
    expect(errors).toMatchObject([{ message: 'the disk is full' }]);
    expect((await tracker.status()).syncedAt).toBeUndefined();
  });

  it('does not retry a batch that the store rejects, and throws the error of the store', async () => {
    const recordOrders = vi.fn(() => Promise.reject(new Error('the disk is full')));
    const { tracker, errors } = make({ store: { ...memoryOrderStore(), recordOrders } });
    shared.api.orders = Array.from({ length: 150 }, (_, i) => onRampOrder({ orderId: `o${i}` }));
    await expect(tracker.sync()).rejects.toThrow('the disk is full');
    expect(recordOrders).toHaveBeenCalledOnce();
    expect(errors).toEqual([]);
  });

  it('requests pages of the size of the API client, or of pageSize', async () => {
    const store = memoryOrderStore();
    const recordOrders = vi.fn(store.recordOrders);
    shared.api.orders = Array.from({ length: 150 }, (_, i) => onRampOrder({ orderId: `o${i}` }));
    await make().tracker.sync();
    expect(new Set(shared.api.ranges.map((range) => (range as { size?: number }).size))).toEqual(
      new Set([undefined]),
    );
    shared.api.ranges = [];
    await make({ store: { ...store, recordOrders }, pageSize: 50 }).tracker.sync();
    expect(new Set(shared.api.ranges.map((range) => (range as { size?: number }).size))).toEqual(
      new Set([50]),
    );
    // The tracker records orders in batches of 100, regardless of the page size.
    expect(recordOrders.mock.calls.map(([orders]) => orders.length)).toEqual([100, 50]);
  });

  it('keeps an order with its checkout when the ext of the order changes later', async () => {
    const { tracker, store } = make();
    await store.saveCheckout(nftCheckout({ reference: 'r1' }));
    await store.saveCheckout(nftCheckout({ reference: 'r2' }));
    shared.api.orders = [nftOrder('finished', { ext: 'r1' })];
    await tracker.sync();
    shared.api.orders = [nftOrder('settled', { ext: 'r2' })];
    await tracker.sync();
    expect((await store.findCheckout('r1'))?.orders).toMatchObject([
      { matchStatus: 'matched', reference: 'r1', order: { state: 'settled' } },
    ]);
    expect((await store.findCheckout('r2'))?.orders).toEqual([]);
  });

  it('does not run while another instance syncs', async () => {
    const store = memoryOrderStore();
    let begin = () => {};
    let go = () => {};
    const held = new Promise<void>((done) => {
      go = done;
    });
    const begun = new Promise<void>((done) => {
      begin = done;
    });
    const slow = {
      async *eachOrder() {
        begin();
        await held;
        yield onRampOrder();
      },
    };
    const first = make({ store, api: slow });
    const second = make({ store });
    const running = first.tracker.sync();
    await begun;
    expect(await second.tracker.sync()).toEqual({ ran: false });
    expect(shared.api.ranges).toEqual([]);
    go();
    expect(await running).toMatchObject({ ran: true });
    expect(await second.tracker.sync()).toMatchObject({ ran: true });
  });

  it('begins a sync for each call that comes after the last one has begun, and shares it', async () => {
    const { tracker } = make();
    const first = tracker.sync();
    const later = [tracker.sync(), tracker.sync()];
    expect(await Promise.all([first, ...later])).toMatchObject([
      { ran: true },
      { ran: true },
      { ran: true },
    ]);
    const newest = shared.api.ranges.filter(({ endTime }) => endTime === baseTime);
    expect(newest).toHaveLength(2);
  });
});

describe('status of createOrderTracker', () => {
  it('says when the next sync comes and why, also before the first one and in another process', async () => {
    const { tracker, store } = make();
    expect(await tracker.status()).toEqual({
      nextAt: baseTime,
      why: 'first',
      begunAt: undefined,
      endedAt: undefined,
      syncedAt: undefined,
      failures: 0,
    });
    await tracker.sync();
    expect(await make({ store }).tracker.status()).toEqual({
      nextAt: baseTime + 86_400,
      why: 'daily',
      begunAt: baseTime,
      endedAt: baseTime,
      syncedAt: baseTime,
      failures: 0,
    });
    await store.saveCheckout(onRampCheckout({ createdAt: baseTime }));
    expect(await tracker.status()).toMatchObject({ nextAt: baseTime + 60, why: 'checkout' });
  });

  it('says that the service fails', async () => {
    const { tracker } = make();
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    await expect(tracker.sync()).rejects.toThrow();
    expect(await tracker.status()).toMatchObject({
      why: 'failed',
      failures: 1,
      nextAt: baseTime + 5,
    });
  });
});

describe('deliver and review of createOrderTracker', () => {
  it.each([
    ['deliver', true],
    ['review', false],
  ])(
    '%s is called again with the same key after it failed, and for other orders meanwhile',
    async (name, isKnown) => {
      let fails = true;
      const keys: string[] = [];
      const call = async ({ key, orderId }: { key: string; orderId: string }) => {
        keys.push(key);
        if (fails && orderId === 'a') throw new Error('the warehouse is closed');
      };
      const { tracker, store, errors } = make({ deliver: call, review: call });
      const orders = ['a', 'b'].map((orderId) => onRampOrder({ orderId, ext: orderId }));
      if (isKnown)
        for (const reference of ['a', 'b']) await store.saveCheckout(onRampCheckout({ reference }));
      shared.api.orders = orders;
      const [a, b] = isKnown ? ['a:deliver', 'b:deliver'] : ['a:no-checkout', 'b:no-checkout'];
      await tracker.sync();
      expect(keys, name).toEqual([a, b]);
      expect(errors).toMatchObject([{ message: 'the warehouse is closed' }]);
      await tracker.sync();
      expect(keys).toHaveLength(2);
      shared.clock += 5;
      await tracker.sync();
      shared.clock += 9;
      await tracker.sync();
      expect(keys).toEqual([a, b, a]);
      shared.clock += 1;
      fails = false;
      await tracker.sync();
      shared.clock += 3600;
      await tracker.sync();
      expect(keys).toEqual([a, b, a, a]);
    },
  );

  it('are called once: deliver for an NFT order, review for one that differs and for one without a checkout', async () => {
    const { tracker, store, delivered, reviewed } = make();
    await store.saveCheckout(nftCheckout());
    const second = { orderId: 'o2' };
    const other = onRampOrder({ orderId: 'o3', ext: 'theirs' });
    for (const state of ['finished', 'settlement', 'settled'] as const) {
      shared.api.orders = [nftOrder(state), nftOrder(state, second), other];
      await tracker.sync();
      expect(delivered.map(({ key }) => key)).toEqual(['o1:deliver']);
      expect(reviewed.map(({ order, reason }) => [order.key, reason])).toEqual([
        ['o2:second-order', 'second-order'],
        ['o3:no-checkout', 'no-checkout'],
      ]);
    }
    expect(reviewed[0]?.order.checkout).toEqual(nftCheckout());
    expect(reviewed[1]?.order).not.toHaveProperty('checkout');
    expect(await store.listPendingChanges(baseTime, 10)).toEqual([]);
  });

  it.each([
    ['finished', 0],
    ['settlement', 1],
    ['settled', 2],
  ] as const)(
    'with deliverAt %s, an NFT order is delivered in that state',
    async (deliverAt, at) => {
      const { tracker, store, delivered, reviewed } = make({ deliverAt });
      await store.saveCheckout(nftCheckout());
      await store.saveCheckout(onRampCheckout({ reference: 'r2' }));
      const crypto = onRampOrder({ orderId: 'o2', ext: 'r2' });
      const counts: number[] = [];
      for (const state of ['finished', 'settlement', 'settled'] as const) {
        shared.api.orders = [nftOrder(state), crypto];
        await tracker.sync();
        // An order of crypto is delivered at once.
        expect(delivered.filter(({ orderId }) => orderId === 'o2')).toHaveLength(1);
        counts.push(delivered.filter(({ orderId }) => orderId === 'o1').length);
      }
      expect(counts).toEqual([0, 1, 2].map((state) => (state >= at ? 1 : 0)));
      expect(reviewed).toEqual([]);
    },
  );

  it('are called for an NFT order whose first state is a later one', async () => {
    const { tracker, store, delivered } = make({ deliverAt: 'settlement' });
    await store.saveCheckout(nftCheckout());
    shared.api.orders = [nftOrder('settled')];
    await tracker.sync();
    expect(delivered).toMatchObject([{ key: 'o1:deliver', state: 'settled' }]);
  });

  it('see a status that is not known after the delivery', async () => {
    const { tracker, store, delivered, reviewed } = make();
    await store.saveCheckout(nftCheckout());
    for (const order of [nftOrder('finished'), nftOrder('unknown'), nftOrder('settled')]) {
      shared.api.orders = [order];
      await tracker.sync();
    }
    expect(delivered).toHaveLength(1);
    expect(reviewed).toMatchObject([
      { reason: 'status-after-end', order: { key: 'o1:status-after-end:9', orderStatus: 9 } },
    ]);
  });

  it('deliver an order whose status was not known at first', async () => {
    const { tracker, store, delivered, reviewed } = make();
    await store.saveCheckout(nftCheckout());
    for (const order of [nftOrder('unknown'), nftOrder('finished')]) {
      shared.api.orders = [order];
      await tracker.sync();
    }
    expect(delivered.map(({ key }) => key)).toEqual(['o1:deliver']);
    expect(reviewed).toMatchObject([
      { reason: 'unknown-status', order: { key: 'o1:unknown-status:9' } },
    ]);
  });

  it('deliver an order that had no checkout at first, and review a second payment of crypto', async () => {
    const { tracker, store, delivered, reviewed } = make();
    shared.api.orders = [onRampOrder(), onRampOrder({ orderId: 'o2' })];
    await tracker.sync();
    await store.saveCheckout(onRampCheckout());
    await tracker.sync();
    expect(delivered.map(({ key }) => key)).toEqual(['o1:deliver']);
    expect(reviewed.map(({ order }) => order.key)).toEqual([
      'o1:no-checkout',
      'o2:no-checkout',
      'o2:second-order',
    ]);
  });

  it('are not called for an order that was resolved before', async () => {
    const store = withResolved(memoryOrderStore(), new Set(['o1', 'o2']));
    const { tracker, delivered, reviewed } = make({ store });
    await store.saveCheckout(onRampCheckout());
    await store.recordOrders(
      [onRampOrder(), onRampOrder({ orderId: 'o2', ext: 'theirs' })],
      baseTime,
    );
    await tracker.sync();
    expect([delivered, reviewed]).toEqual([[], []]);
    expect(await store.listPendingChanges(baseTime, 10)).toEqual([]);
  });
});
