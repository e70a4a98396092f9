import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../../../src/protocol/index.js';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { createVirtualTime, type VirtualTime } from '../../../support/server/virtualTime.js';

const HOUR = 3600;
const DAY = 86_400;

/**
 * Creates trackers without timers that share nothing but a store, as processes that live for one request do. What
 * happens during a sync takes virtual time, which `finish` lets pass.
 */
const setUp = () => {
  const time = createVirtualTime();
  const api = fakeApi();
  const store = memoryOrderStore();
  const shared = { api, store, clock: baseTime };
  const delivered: string[] = [];
  const errors: unknown[] = [];
  const create = (more: object = {}) =>
    createOrderTracker(
      {
        api: shared.api,
        store,
        now: () => shared.clock * 1000,
        deliver: ({ key }) => void delivered.push(key),
        review: ({ key }) => void delivered.push(key),
        onError: (error) => errors.push(error),
        timers: false,
        ...more,
      },
      time.runtime,
    );
  const syncIfDue = (more?: object) => create(more).syncIfDue();
  /** Lets a scheduled job come every minute. Returns the seconds at which a sync ran, from now. */
  const runJobs = async (seconds: number) => {
    const from = shared.clock;
    const ran: number[] = [];
    for (let at = 0; at <= seconds; at += 60) {
      shared.clock = from + at;
      if ((await syncIfDue()).ran) ran.push(at);
    }
    return ran;
  };
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const mark = () => {
      isDone = true;
    };
    work.then(mark, mark);
    for (let i = 0; i < 1000 && !isDone; i++) await time.pass(0.1);
    return work;
  };
  return { time, shared, api, store, create, syncIfDue, runJobs, finish, delivered, errors };
};

/** Lists orders page by page. Each page takes `pageMs`, and the signal aborts the request. */
const createSlowApi = (
  { runtime }: VirtualTime,
  orders: readonly Order[],
  pageMs: number,
  pageSize: number,
) => {
  const api = {
    pages: 0,
    async *eachOrder(
      { startTime, endTime }: { startTime: number; endTime: number },
      { signal }: { signal?: AbortSignal | undefined } = {},
    ) {
      const listed = orders.filter(
        ({ finishTime = 0 }) => finishTime >= startTime && finishTime <= endTime,
      );
      for (let i = 0; i === 0 || i < listed.length; i += pageSize) {
        await new Promise<void>((done) => runtime.setTimeout(done, pageMs));
        signal?.throwIfAborted();
        api.pages++;
        yield* listed.slice(i, i + pageSize);
      }
    },
  };
  return api;
};

describe('syncIfDue', () => {
  let world = setUp();
  beforeEach(() => {
    world = setUp();
  });

  it('reads a week in the first process, and only the lookback in the next ones of the day', async () => {
    const { api, store, runJobs } = world;
    await store.saveIntent(onRampIntent({ expiresAt: baseTime + DAY }));
    await runJobs(30 * 60);
    const lengths = api.ranges.map(({ startTime, endTime }) => endTime - startTime);
    expect(lengths[0]).toBe(7 * DAY);
    expect(Math.max(...lengths.slice(1))).toBeLessThan(3 * HOUR);
  });

  it('reads a week again after a day', async () => {
    const { api, runJobs } = world;
    await runJobs(2 * DAY + HOUR);
    const wide = api.ranges.filter(({ startTime, endTime }) => endTime - startTime >= 7 * DAY);
    expect(wide).toHaveLength(3);
  });

  it('syncs every minute while a new checkout is open, and less often while no order comes', async () => {
    const { store, runJobs, shared } = world;
    await store.saveIntent(onRampIntent({ createdAt: baseTime, expiresAt: baseTime + DAY }));
    const ran = await runJobs(HOUR);
    expect(ran.slice(0, 4)).toEqual([0, 60, 120, 240]);
    expect(ran.length).toBeLessThan(12);
    shared.clock += 60;
    await store.saveIntent(
      onRampIntent({ reference: 'r2', createdAt: shared.clock, expiresAt: shared.clock + DAY }),
    );
    expect((await runJobs(180))[0]).toBeLessThanOrEqual(60);
  });

  it('rests for a day while there is nothing to wait for, and reads unsettled NFT orders hourly', async () => {
    const { store, runJobs, api, shared } = world;
    expect(await runJobs(12 * HOUR)).toEqual([0]);
    shared.clock += 60;
    await store.saveIntent(nftIntent());
    api.orders = [nftOrder()];
    await store.recordOrders(api.orders, shared.clock);
    expect((await runJobs(4 * HOUR)).length).toBeGreaterThan(3);
  });

  it('marks an announced order as unconfirmed, and follows it up', async () => {
    const { store, create, runJobs, shared } = world;
    await store.saveIntent(onRampIntent({ expiresAt: baseTime + DAY }));
    await create().requestSync('r1');
    expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
    shared.clock += 60;
    expect((await runJobs(240)).slice(0, 4)).toEqual([0, 60, 120, 180]);
  });

  it('reports a malformed order once a day, whichever process finds it', async () => {
    const { errors, runJobs, store, shared, api } = world;
    await store.saveIntent(onRampIntent({ expiresAt: baseTime + DAY }));
    shared.api = {
      ...api,
      // biome-ignore lint/correctness/useYield: the list is empty
      async *eachOrder(_: unknown, { onMalformed }: { onMalformed?: (error: Error) => void } = {}) {
        onMalformed?.(new Error('Order o9 is malformed'));
      },
    } as typeof api;
    expect((await runJobs(HOUR)).length).toBeGreaterThan(3);
    expect(errors).toEqual([new Error('Order o9 is malformed')]);
  });

  it('repeats a failed sync soon, in the next process', async () => {
    const { api, syncIfDue, shared } = world;
    api.failAfter = 0;
    api.orders = [onRampOrder()];
    await expect(syncIfDue()).rejects.toThrow('the service is down');
    api.failAfter = 1;
    shared.clock += 9;
    expect(await syncIfDue()).toEqual({ ran: false });
    shared.clock += 1;
    expect(await syncIfDue()).toMatchObject({ ran: true, recorded: 1 });
  });

  it('syncs after a process that was ended during its sync', async () => {
    const { store, syncIfDue, shared, api } = world;
    const never = {
      ...api,
      eachOrder: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    };
    const withSyncLease: typeof store.withSyncLease = async (sync) => {
      await sync(() => true);
      return true;
    };
    void syncIfDue({ api: never, store: { ...store, withSyncLease } });
    await new Promise((done) => setTimeout(done, 10));
    shared.clock += 60;
    expect(await syncIfDue()).toMatchObject({ ran: true });
  });

  it('reads from the first sync of a new shop, although each process began anew', async () => {
    const { api, store, create, shared } = world;
    api.orders = [onRampOrder({ finishTime: baseTime })];
    api.failAfter = 0;
    await expect(create().sync()).rejects.toThrow('the service is down');
    shared.clock += 3 * HOUR;
    await expect(create().sync()).rejects.toThrow('the service is down');
    api.failAfter = Number.POSITIVE_INFINITY;
    shared.clock += 10;
    await create().sync();
    expect(shared.clock - (api.ranges.at(-1)?.startTime ?? 0)).toBe(3 * HOUR + 10 + 7200);
    expect(await store.readWatermark()).toBe(shared.clock);
  });

  it('keeps the memory of another process that has taken the lease meanwhile', async () => {
    const { store, syncIfDue, api } = world;
    const slow = {
      ...api,
      // biome-ignore lint/correctness/useYield: the list is empty
      async *eachOrder() {
        const state = await store.readSyncState();
        await store.writeSyncState({ ...state, memory: 'of the other process' });
      },
    };
    await expect(syncIfDue({ api: slow })).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    expect((await store.readSyncState()).memory).toBe('of the other process');
    expect(await store.readWatermark()).toBeUndefined();
  });

  it('begins with a full sync if it cannot read the memory in the store', async () => {
    const { store, syncIfDue, api } = world;
    await store.writeWatermark(baseTime - 60, '{"format":99}');
    expect(await syncIfDue()).toMatchObject({ ran: true });
    expect(api.ranges).toMatchObject([{ startTime: baseTime - 7 * DAY, endTime: baseTime }]);
  });

  it('does not repeat the full sync of a process with timers on the same store', async () => {
    const { create, syncIfDue, api, shared } = world;
    await create({ timers: true }).sync();
    shared.clock += 60;
    await world.store.saveIntent(
      onRampIntent({ createdAt: shared.clock, expiresAt: baseTime + DAY }),
    );
    shared.clock += 60;
    expect(await syncIfDue()).toMatchObject({ ran: true });
    expect(api.ranges[1]?.startTime).toBe(baseTime - 2 * HOUR);
  });

  it('refuses a tracker with timers', async () => {
    await expect(world.syncIfDue({ timers: true })).rejects.toThrow(
      /ramp\.sync\(\{ onlyIfDue: true \}\) needs the option serverless/,
    );
  });

  it('continues a list that is too long for one sync, and finds every order', async () => {
    const { time, syncIfDue, finish, shared, store, delivered } = world;
    const orders = Array.from({ length: 300 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, finishTime: baseTime - 7 * DAY + i * 2000 }),
    );
    const api = createSlowApi(time, orders, 40, 5);
    let runs = 0;
    for (let isComplete = false; !isComplete && runs < 60; runs++) {
      const run = await finish(syncIfDue({ api, syncSeconds: 2 }));
      isComplete = run.ran && run.isComplete;
      shared.clock += 60;
    }
    // A reading may take 1.3 seconds, which are 33 pages of 40 ms. The list has 60.
    expect(runs).toBeGreaterThan(1);
    expect(runs).toBeLessThan(12);
    expect(new Set(delivered).size).toBe(300);
    expect(delivered).toHaveLength(300);
    expect(await store.readWatermark()).toBe(shared.clock - 60);
  });

  it('reads new orders before it continues a full sync', async () => {
    const { time, syncIfDue, finish, shared, delivered, store } = world;
    await syncIfDue();
    shared.clock += DAY;
    const old = Array.from({ length: 300 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, finishTime: shared.clock - 7 * DAY + i * 1900 }),
    );
    const orders = [...old];
    const api = createSlowApi(time, orders, 40, 5);
    expect(await finish(syncIfDue({ api, syncSeconds: 2 }))).toMatchObject({ isComplete: false });
    shared.clock += 60;
    orders.push(onRampOrder({ orderId: 'new', finishTime: shared.clock - 1 }));
    await finish(syncIfDue({ api, syncSeconds: 2 }));
    expect(delivered).toContain('new:no-checkout');
    expect(await store.readWatermark()).toBe(shared.clock);
  });

  it('reads new orders after a clock that was behind has stopped in a day that cannot be listed', async () => {
    const { time, create, syncIfDue, finish, shared, delivered } = world;
    await syncIfDue();
    const stop = new Error('503');
    const slow = createSlowApi(time, [], 1500, 5);
    // A reading of the newest orders is stopped, then a wide one by a process whose clock is four hours behind.
    shared.clock += HOUR / 2;
    await finish(create({ api: slow, syncSeconds: 2 }).sync());
    shared.clock -= 4 * HOUR;
    expect(await finish(create({ api: slow, syncSeconds: 2 }).syncIfDue())).toMatchObject({
      ran: true,
      isComplete: false,
    });
    // Now the clock is right, and the service cannot list the day a week ago.
    shared.clock += 4 * HOUR + 120;
    const recent = createSlowApi(
      time,
      [onRampOrder({ orderId: 'new', finishTime: shared.clock - 1 })],
      0,
      5,
    );
    const api = {
      eachOrder(...[range, options]: Parameters<typeof recent.eachOrder>) {
        if (range.startTime < shared.clock - 5 * DAY) throw stop;
        return recent.eachOrder(range, options);
      },
    };
    for (let runs = 0; runs < 3; runs++) {
      await finish(create({ api }).sync()).catch((error) => expect(error).toBe(stop));
      shared.clock += 60;
    }
    expect(delivered).toContain('new:no-checkout');
  });

  it('loses no order, whatever its time and however often processes are ended', async () => {
    const arbitraryEvents = fc.array(
      fc.record({
        kind: fc.constantFrom('order', 'job', 'failure'),
        seconds: fc.integer({ min: 1, max: 900 }),
      }),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(arbitraryEvents, async (events) => {
        const { api, shared, store, syncIfDue, runJobs, delivered } = setUp();
        let count = 0;
        for (const { kind, seconds } of events) {
          shared.clock += seconds;
          if (kind === 'order') {
            const reference = `r${count}`;
            const times = { createdAt: shared.clock, expiresAt: shared.clock + DAY };
            await store.saveIntent(onRampIntent({ reference, ...times }));
            const order = { orderId: `o${count++}`, ext: reference, finishTime: shared.clock };
            api.orders.push(onRampOrder(order));
          }
          api.failAfter = kind === 'failure' ? 0 : Number.POSITIVE_INFINITY;
          await syncIfDue().catch(() => {});
        }
        api.failAfter = Number.POSITIVE_INFINITY;
        shared.clock += 60;
        await runJobs(HOUR);
        expect(new Set(delivered).size).toBe(count);
        expect(delivered).toHaveLength(count);
      }),
      { numRuns: 60 },
    );
  });
});
