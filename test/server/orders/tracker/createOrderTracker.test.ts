import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { setUpTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make } = setUpTrackers();

describe('sync of createOrderTracker', () => {
  it('reads a week first, then from lookbackSeconds before the watermark', async () => {
    const { tracker, store } = make();
    await tracker.sync();
    shared.clock += 60;
    await tracker.sync();
    expect(shared.api.ranges).toMatchObject([
      { startTime: baseTime - 7 * 86_400, endTime: baseTime },
      { startTime: baseTime - 7200, endTime: baseTime + 60 },
    ]);
    expect(await store.readWatermark()).toBe(baseTime + 60);
  });

  it('matches an order with its intent, and calls deliver once', async () => {
    const { tracker, store, delivered, reviewed } = make();
    const intent = onRampIntent({ metadata: { cart: 7 } });
    await store.saveIntent(intent);
    shared.api.orders = [onRampOrder()];
    await tracker.sync();
    await tracker.sync();
    expect(delivered).toEqual([{ ...onRampOrder(), checkout: intent, key: 'o1:deliver' }]);
    expect(reviewed).toEqual([]);
  });

  it('records and hands over the orders that it has read before it fails, and reads all again next time', async () => {
    const { tracker, store, reviewed } = make();
    shared.api.orders = Array.from({ length: 250 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, finishTime: baseTime - 1000 + i }),
    );
    shared.api.failAfter = 230;
    await expect(tracker.sync()).rejects.toThrow('down');
    expect(await store.readWatermark()).toBeUndefined();
    expect(reviewed).toHaveLength(230);
    expect(tracker.report).toMatchObject({ failed: true, listed: 230, recorded: 230 });
    shared.api.failAfter = Number.POSITIVE_INFINITY;
    await tracker.sync();
    expect(reviewed).toHaveLength(250);
    expect(new Set(reviewed.map(({ order }) => order.key)).size).toBe(250);
    expect(tracker.report).toMatchObject({ listed: 250, recorded: 20, endedAt: baseTime });
  });

  it('also reports the error of the store when the rest of a failed list cannot be recorded', async () => {
    const inner = memoryOrderStore();
    const recordOrders = vi.fn(() => Promise.reject(new Error('the disk is full')));
    const { tracker, errors } = make({ store: { ...inner, recordOrders } });
    shared.api.orders = [onRampOrder(), onRampOrder({ orderId: 'o2' })];
    shared.api.failAfter = 1;
    await expect(tracker.sync()).rejects.toThrow('the service is down');
    expect(errors).toMatchObject([{ message: 'the disk is full' }]);
    expect(await inner.readWatermark()).toBeUndefined();
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
    await make({ store: { ...store, recordOrders }, pageSize: 50 }).tracker.sync();
    expect(shared.api.ranges).toMatchObject([{ size: undefined }, { size: 50 }]);
    // The tracker records orders in batches of 100, regardless of the page size.
    expect(recordOrders.mock.calls.map(([orders]) => orders.length)).toEqual([100, 50]);
  });

  it('reads the whole week again each day, and purges old data', async () => {
    const { tracker, store } = make();
    await store.saveIntent(onRampIntent({ expiresAt: baseTime - 36 * 86_400 }));
    await tracker.sync();
    expect(await store.findCheckout('r1')).toBeUndefined();
    shared.clock += 86_399;
    await tracker.sync();
    shared.clock += 1;
    await tracker.sync();
    const starts = shared.api.ranges.map(({ startTime, endTime }) => endTime - startTime);
    expect(starts).toEqual([7 * 86_400, 86_399 + 7200, 7 * 86_400]);
  });

  it('reads all orders after the clock was ahead and was set back', async () => {
    const { tracker } = make();
    shared.clock = baseTime + 400 * 86_400;
    await tracker.sync();
    shared.clock = baseTime;
    await tracker.sync();
    shared.clock = baseTime + 60;
    await tracker.sync();
    expect(shared.api.ranges.slice(1)).toEqual([
      expect.objectContaining({ startTime: baseTime - 7 * 86_400, endTime: baseTime }),
      expect.objectContaining({ startTime: baseTime - 7200, endTime: baseTime + 60 }),
    ]);
  });

  it('reads all orders although the clock of another instance was ahead', async () => {
    const { tracker, store } = make();
    await tracker.sync();
    await store.writeWatermark(baseTime + 400 * 86_400);
    shared.clock += 60;
    await tracker.sync();
    expect(shared.api.ranges.at(-1)).toMatchObject({
      startTime: baseTime + 60 - 7200,
      endTime: baseTime + 60,
    });
    expect(await store.readWatermark()).toBe(baseTime + 60);
  });

  it('reads an NFT order again hourly until it is settled, for thirty days', async () => {
    const { tracker } = make();
    const finishTime = baseTime - 5 * 86_400;
    shared.api.orders = [nftOrder('finished', { finishTime })];
    await tracker.sync();
    shared.clock += 600;
    await tracker.sync();
    shared.clock += 3600;
    shared.api.orders = [nftOrder('settled', { finishTime })];
    await tracker.sync();
    shared.clock += 3600;
    await tracker.sync();
    expect(shared.api.ranges.map(({ startTime }) => startTime)).toEqual([
      baseTime - 7 * 86_400,
      baseTime - 7200,
      finishTime,
      shared.clock - 3600 - 7200,
    ]);
  });

  it.each([
    [5 * 86_400 + 4200, true],
    [5 * 86_400 + 4199, false],
  ])(
    'reads an NFT order again for settlementSeconds, %i: %s',
    async (settlementSeconds, isFollowed) => {
      const { tracker } = make({ settlementSeconds });
      const finishTime = baseTime - 5 * 86_400;
      shared.api.orders = [nftOrder('finished', { finishTime })];
      await tracker.sync();
      shared.clock += 4200;
      await tracker.sync();
      const { startTime } = shared.api.ranges.at(-1) ?? {};
      expect(startTime).toBe(isFollowed ? finishTime : baseTime - 7200);
    },
  );

  it('records an unpaid checkout as expired, and matches an order that arrives late', async () => {
    const { tracker, store } = make();
    await store.saveIntent(onRampIntent({ expiresAt: baseTime + 30 }));
    shared.clock += 31;
    await tracker.sync();
    expect(await store.findCheckout('r1')).toMatchObject({ outcome: 'expired', orders: [] });
    shared.api.orders = [onRampOrder({ finishTime: baseTime + 40 })];
    shared.clock += 60;
    await tracker.sync();
    expect(await store.findCheckout('r1')).toMatchObject({
      orders: [{ matchStatus: 'matched' }],
    });
  });

  it('keeps an order with its checkout when the ext of the order changes later', async () => {
    const { tracker, store } = make();
    await store.saveIntent(nftIntent({ reference: 'r1' }));
    await store.saveIntent(nftIntent({ reference: 'r2' }));
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
    let go = () => {};
    const slow = {
      async *eachOrder() {
        await new Promise<void>((done) => (go = done));
        yield onRampOrder();
      },
    };
    const first = make({ store, api: slow });
    const second = make({ store });
    const running = first.tracker.sync();
    await vi.waitFor(() => expect(first.tracker.report).toBeDefined(), 10_000);
    expect(await second.tracker.sync()).toBe(false);
    expect(shared.api.ranges).toEqual([]);
    go();
    expect(await running).toBe(true);
    expect(await second.tracker.sync()).toBe(true);
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
        for (const reference of ['a', 'b']) await store.saveIntent(onRampIntent({ reference }));
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
    await store.saveIntent(nftIntent());
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
    expect(reviewed[0]?.order.checkout).toEqual(nftIntent());
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
      await store.saveIntent(nftIntent());
      await store.saveIntent(onRampIntent({ reference: 'r2' }));
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
    await store.saveIntent(nftIntent());
    shared.api.orders = [nftOrder('settled')];
    await tracker.sync();
    expect(delivered).toMatchObject([{ key: 'o1:deliver', state: 'settled' }]);
  });

  it('see a status that is not known after the delivery', async () => {
    const { tracker, store, delivered, reviewed } = make();
    await store.saveIntent(nftIntent());
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
    await store.saveIntent(nftIntent());
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
    await store.saveIntent(onRampIntent());
    await tracker.sync();
    expect(delivered.map(({ key }) => key)).toEqual(['o1:deliver']);
    expect(reviewed.map(({ order }) => order.key)).toEqual([
      'o1:no-checkout',
      'o2:no-checkout',
      'o2:second-order',
    ]);
  });

  it('are not called for an order that was resolved before', async () => {
    const store = memoryOrderStore();
    const { tracker, delivered, reviewed } = make({ store });
    await store.saveIntent(onRampIntent());
    await store.recordOrders(
      [onRampOrder(), onRampOrder({ orderId: 'o2', ext: 'theirs' })],
      baseTime,
    );
    for (const orderId of ['o1', 'o2']) await store.resolveOrder(orderId, 'refunded', baseTime);
    await tracker.sync();
    expect([delivered, reviewed]).toEqual([[], []]);
    expect(await store.listPendingChanges(baseTime, 10)).toEqual([]);
  });
});
