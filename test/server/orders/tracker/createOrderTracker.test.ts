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

  it('matches an order with its intent, and calls onOrderChange once', async () => {
    const { tracker, store, delivered } = make();
    await store.saveIntent(onRampIntent({ metadata: { cart: 7 } }));
    shared.api.orders = [onRampOrder()];
    await tracker.sync();
    await tracker.sync();
    expect(delivered).toMatchObject([
      {
        record: { matchStatus: 'matched', reference: 'r1', order: { txHash: '0xf00d' } },
        intent: { subject: 'u1', metadata: { cart: 7 } },
      },
    ]);
  });

  it('records and delivers the orders that it has read before it fails, and reads all again next time', async () => {
    const { tracker, store, delivered } = make();
    shared.api.orders = Array.from({ length: 250 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, finishTime: baseTime - 1000 + i }),
    );
    shared.api.failAfter = 230;
    await expect(tracker.sync()).rejects.toThrow('down');
    expect(await store.readWatermark()).toBeUndefined();
    expect(delivered).toHaveLength(230);
    expect(tracker.report).toMatchObject({ failed: true, listed: 230, recorded: 230 });
    shared.api.failAfter = Number.POSITIVE_INFINITY;
    await tracker.sync();
    expect(delivered).toHaveLength(250);
    expect(new Set(delivered.map(({ key }) => key)).size).toBe(250);
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

describe('onOrderChange of createOrderTracker', () => {
  it('is called again with the same key after it failed, and is called for other changes meanwhile', async () => {
    let fails = true;
    const keys: string[] = [];
    const { tracker, errors } = make({
      onOrderChange: async ({ key, record }) => {
        keys.push(key);
        if (fails && record.order.orderId === 'a') throw new Error('the warehouse is closed');
      },
    });
    shared.api.orders = ['a', 'b'].map((orderId) => onRampOrder({ orderId }));
    await tracker.sync();
    expect(keys).toEqual(['a:finished', 'b:finished']);
    expect(errors).toMatchObject([{ message: 'the warehouse is closed' }]);
    await tracker.sync();
    expect(keys).toHaveLength(2);
    shared.clock += 5;
    await tracker.sync();
    shared.clock += 9;
    await tracker.sync();
    expect(keys).toEqual(['a:finished', 'b:finished', 'a:finished']);
    shared.clock += 1;
    fails = false;
    await tracker.sync();
    shared.clock += 3600;
    await tracker.sync();
    expect(keys).toEqual(['a:finished', 'b:finished', 'a:finished', 'a:finished']);
  });

  it('is called for each state of an NFT order, and for quarantined and unmatched orders', async () => {
    const { tracker, store, delivered } = make();
    await store.saveIntent(nftIntent());
    shared.api.orders = [
      nftOrder('finished'),
      nftOrder('finished', { orderId: 'o2' }),
      onRampOrder({ orderId: 'o3', ext: 'theirs' }),
    ];
    await tracker.sync();
    shared.api.orders = [nftOrder('settled')];
    await tracker.sync();
    expect(delivered.map(({ key, record }) => [key, record.matchStatus])).toEqual([
      ['o1:finished', 'matched'],
      ['o2:finished', 'quarantined'],
      ['o3:finished', 'unmatched'],
      ['o1:settled', 'matched'],
    ]);
  });

  it('is optional: changes wait for another tracker on the store that has it', async () => {
    const { tracker, store } = make({ onOrderChange: undefined });
    shared.api.orders = [onRampOrder()];
    await tracker.sync();
    const other = make({ store });
    await other.tracker.sync();
    expect(other.delivered.map(({ key }) => key)).toEqual(['o1:finished']);
  });

  it('can be null: changes are acknowledged unseen', async () => {
    const { tracker, store } = make({ onOrderChange: null });
    shared.api.orders = [onRampOrder()];
    await tracker.sync();
    expect(await store.listPendingChanges(baseTime + 9_999_999, 10)).toEqual([]);
  });
});
