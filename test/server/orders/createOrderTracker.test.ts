import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import {
  createOrderTracker,
  memoryOrderStore,
  type OrderTrackerOptions,
  type PendingChange,
} from '../../../src/server/index.js';
import { at, nftIntent, nftOrder, onRampIntent, onRampOrder } from '../../support/orders.js';

/** The list as the API client hands it out, and what it was asked. */
function fakeApi() {
  const api = {
    orders: [] as Order[],
    asked: [] as { startTime: number; endTime: number }[],
    failAfter: Number.POSITIVE_INFINITY,
    async *eachOrder(range: { startTime: number; endTime: number }) {
      api.asked.push(range);
      let count = 0;
      for (const order of api.orders) {
        const { finishTime = 0 } = order;
        if (finishTime < range.startTime || finishTime > range.endTime) continue;
        if (count++ >= api.failAfter) throw new Error('the service is down');
        yield order;
      }
    },
  };
  return api;
}

let api: ReturnType<typeof fakeApi>;
let clock: number;
const make = (options: Partial<OrderTrackerOptions> = {}) => {
  const store = options.store ?? memoryOrderStore();
  const delivered: PendingChange[] = [];
  const errors: unknown[] = [];
  const tracker = createOrderTracker({
    api,
    store,
    now: () => clock * 1000,
    onOrderChange: (change) => void delivered.push(change),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { tracker, store, delivered, errors };
};

beforeEach(() => {
  api = fakeApi();
  clock = at;
});

describe('A sweep', () => {
  it('reads a week at first, then from a little before the last one', async () => {
    const { tracker, store } = make();
    await tracker.sweep();
    clock += 60;
    await tracker.sweep();
    expect(api.asked).toMatchObject([
      { startTime: at - 7 * 86_400, endTime: at },
      { startTime: at - 7200, endTime: at + 60 },
    ]);
    expect(await store.readWatermark()).toBe(at + 60);
  });

  it('finds an order of an intent, and the partner hears of it once', async () => {
    const { tracker, store, delivered } = make();
    await store.saveIntent(onRampIntent({ metadata: { cart: 7 } }));
    api.orders = [onRampOrder()];
    await tracker.sweep();
    await tracker.sweep();
    expect(delivered).toMatchObject([
      {
        record: { standing: 'matched', reference: 'r1', order: { txHash: '0xf00d' } },
        intent: { subject: 'u1', metadata: { cart: 7 } },
      },
    ]);
  });

  it('that fails half-way keeps what it has, and the next one reads all of it again', async () => {
    const { tracker, store, delivered } = make();
    api.orders = Array.from({ length: 250 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, finishTime: at - 1000 + i }),
    );
    api.failAfter = 230;
    await expect(tracker.sweep()).rejects.toThrow('down');
    expect(await store.readWatermark()).toBeUndefined();
    // Whole batches alone.
    expect(delivered).toHaveLength(200);
    expect(tracker.report).toMatchObject({ failed: true, listed: 200 });
    api.failAfter = Number.POSITIVE_INFINITY;
    await tracker.sweep();
    expect(delivered).toHaveLength(250);
    expect(new Set(delivered.map(({ key }) => key)).size).toBe(250);
    expect(tracker.report).toMatchObject({ listed: 250, recorded: 50, endedAt: at });
  });

  it('reads a whole week again each day, and purges what is old', async () => {
    const { tracker, store } = make();
    await store.saveIntent(onRampIntent({ expiresAt: at - 36 * 86_400 }));
    await tracker.sweep();
    expect(await store.findCheckout('r1')).toBeUndefined();
    clock += 86_399;
    await tracker.sweep();
    clock += 1;
    await tracker.sweep();
    const starts = api.asked.map(({ startTime, endTime }) => endTime - startTime);
    expect(starts).toEqual([7 * 86_400, 86_399 + 7200, 7 * 86_400]);
  });

  it('follows an NFT order hourly until it is settled, for thirty days', async () => {
    const { tracker } = make();
    const finishTime = at - 5 * 86_400;
    api.orders = [nftOrder('finished', { finishTime })];
    await tracker.sweep();
    clock += 600;
    await tracker.sweep();
    clock += 3600;
    api.orders = [nftOrder('settled', { finishTime })];
    await tracker.sweep();
    clock += 3600;
    await tracker.sweep();
    expect(api.asked.map(({ startTime }) => startTime)).toEqual([
      at - 7 * 86_400,
      at - 7200,
      finishTime,
      clock - 3600 - 7200,
    ]);
  });

  it('marks as expired what nobody paid, and takes its order when it comes late', async () => {
    const { tracker, store } = make();
    await store.saveIntent(onRampIntent({ expiresAt: at + 30 }));
    clock += 31;
    await tracker.sweep();
    expect(await store.findCheckout('r1')).toMatchObject({ mark: 'expired', orders: [] });
    api.orders = [onRampOrder({ finishTime: at + 40 })];
    clock += 60;
    await tracker.sweep();
    expect(await store.findCheckout('r1')).toMatchObject({
      orders: [{ standing: 'matched' }],
    });
  });

  it('is left to another instance that is at it', async () => {
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
    const running = first.tracker.sweep();
    await vi.waitFor(() => expect(first.tracker.report).toBeDefined());
    expect(await second.tracker.sweep()).toBe(false);
    expect(api.asked).toEqual([]);
    go();
    expect(await running).toBe(true);
    expect(await second.tracker.sweep()).toBe(true);
  });
});

describe("The partner's handler", () => {
  it('that fails is run again later, with the same key, and the others go on', async () => {
    let fails = true;
    const keys: string[] = [];
    const { tracker, errors } = make({
      onOrderChange: async ({ key, record }) => {
        keys.push(key);
        if (fails && record.order.orderId === 'a') throw new Error('the warehouse is closed');
      },
    });
    api.orders = ['a', 'b'].map((orderId) => onRampOrder({ orderId }));
    await tracker.sweep();
    expect(keys).toEqual(['a:finished', 'b:finished']);
    expect(errors).toMatchObject([{ message: 'the warehouse is closed' }]);
    await tracker.sweep();
    expect(keys).toHaveLength(2);
    clock += 5;
    await tracker.sweep();
    clock += 9;
    await tracker.sweep();
    expect(keys).toEqual(['a:finished', 'b:finished', 'a:finished']);
    clock += 1;
    fails = false;
    await tracker.sweep();
    clock += 3600;
    await tracker.sweep();
    expect(keys).toEqual(['a:finished', 'b:finished', 'a:finished', 'a:finished']);
  });

  it('hears of each step of an NFT order, and of orders that are quarantined or foreign', async () => {
    const { tracker, store, delivered } = make();
    await store.saveIntent(nftIntent());
    api.orders = [
      nftOrder('finished'),
      nftOrder('finished', { orderId: 'o2' }),
      onRampOrder({ orderId: 'o3', ext: 'theirs' }),
    ];
    await tracker.sweep();
    api.orders = [nftOrder('settled')];
    await tracker.sweep();
    expect(delivered.map(({ key, record }) => [key, record.standing])).toEqual([
      ['o1:finished', 'matched'],
      ['o2:finished', 'quarantined'],
      ['o3:finished', 'foreign'],
      ['o1:settled', 'matched'],
    ]);
  });

  it('that is not there leaves nothing waiting', async () => {
    const { tracker, store } = make({ onOrderChange: undefined as never });
    api.orders = [onRampOrder()];
    await tracker.sweep();
    expect(await store.pendingChanges(at + 9_999_999, 10)).toEqual([]);
  });
});

describe('A tracker that was started', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: at * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
  };
  const started = (options: Partial<OrderTrackerOptions> = {}) => {
    const made = make({ now: Date.now, ...options });
    made.tracker.start();
    return made;
  };

  it('sweeps at once, then daily while nothing is open', async () => {
    const { tracker } = started();
    await pass(86_399);
    expect(api.asked).toHaveLength(1);
    await pass(2);
    expect(api.asked).toHaveLength(2);
    await tracker.stop();
    await pass(200_000);
    expect(api.asked).toHaveLength(2);
  });

  it('sweeps more and more seldom while a checkout is open and nothing comes', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    tracker.expect();
    await pass(3600);
    const times = api.asked.map(({ endTime }) => endTime - at);
    const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
    expect(gaps.slice(0, 6)).toEqual([60, 120, 240, 480, 600, 600]);
    await tracker.stop();
  });

  it('is put off by no checkout, however fast they come', async () => {
    const { tracker } = started();
    await pass(1);
    for (let i = 0; i < 200; i++) {
      tracker.expect();
      await pass(1);
    }
    expect(api.asked.length).toBeGreaterThanOrEqual(3);
    await tracker.stop();
  });

  it('makes two sweeps at the most of 5,000 nudges', async () => {
    const { tracker } = started();
    await pass(1);
    for (let i = 0; i < 5000; i++) tracker.nudge();
    await pass(30);
    expect(api.asked.length).toBeLessThanOrEqual(3);
    expect(api.asked.length).toBeGreaterThan(1);
    await tracker.stop();
  });

  it('sweeps once more for a nudge that comes while it sweeps', async () => {
    const { tracker, delivered } = make({
      now: Date.now,
      api: {
        async *eachOrder(range) {
          await new Promise((done) => setTimeout(done, 1000));
          yield* api.eachOrder(range);
        },
      },
    });
    tracker.start();
    await pass(0.5);
    // It has read past this order by now, or it has not.
    api.orders = [];
    tracker.nudge();
    await pass(0.6);
    api.orders = [onRampOrder()];
    await pass(5);
    expect(delivered).toHaveLength(1);
    await tracker.stop();
  });

  it('marks a checkout as unconfirmed that was announced and is not in the list', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await store.saveIntent(onRampIntent({ reference: 'r2' }));
    api.orders = [onRampOrder({ ext: 'r2' })];
    tracker.nudge('r1');
    tracker.nudge('r2');
    await pass(1);
    expect((await store.findCheckout('r1'))?.mark).toBe('unconfirmed');
    expect((await store.findCheckout('r2'))?.mark).toBeUndefined();
    await tracker.stop();
  });

  it('goes on after a sweep that failed', async () => {
    api.orders = [onRampOrder()];
    api.failAfter = 0;
    const { tracker, delivered, errors } = started();
    await pass(1);
    expect(errors).toHaveLength(1);
    api.failAfter = 9;
    await pass(60);
    expect(delivered).toHaveLength(1);
    await tracker.stop();
  });

  it('stops in the middle of a sweep without an error', async () => {
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

describe('Options', () => {
  it.each([
    ['no api', { api: undefined }],
    ['no store', { store: undefined }],
    ['a handler that is none', { onOrderChange: 'ship' }],
    ['half seconds', { pollSeconds: 0.5 }],
  ])('refuse %s', (_, wrong) => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, ...wrong } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID' }),
    );
  });
});
