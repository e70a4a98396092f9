import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../../../src/protocol/index.js';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import {
  completeRange,
  formatSyncState,
  newSyncState,
  type RangeName,
  type SyncState,
} from '../../../../src/server/orders/tracker/syncState.js';
import { announceOrder } from '../../../support/server/announceOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { createVirtualTime, type VirtualTime } from '../../../support/server/virtualTime.js';

const HOUR = 3600;
const DAY = 86_400;

/**
 * Creates trackers of functions that share nothing but a store, as processes that live for one request do. What
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
        deliver: ({ key }) => void delivered.push(key),
        review: ({ key }) => void delivered.push(key),
        onError: (error) => errors.push(error),
        isServerless: true,
        ...more,
      },
      { ...time.runtime, now: () => shared.clock * 1000 },
    );
  const syncIfDue = (more?: object) => create(more).sync({ onlyIfDue: true });
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

describe('sync({ onlyIfDue: true })', () => {
  let world = setUp();
  beforeEach(() => {
    world = setUp();
  });

  it('reads a week in the first process, and only the lookback in the next ones of the day', async () => {
    const { api, store, runJobs } = world;
    await store.saveCheckout(onRampCheckout({ expiresAt: baseTime + DAY }));
    await runJobs(30 * 60);
    const old = api.ranges.filter(({ startTime }) => startTime < baseTime - 3 * HOUR);
    expect(old).toHaveLength(7);
    expect(old[0]?.startTime).toBe(baseTime - 7 * DAY);
  });

  it('reads a week again after a day', async () => {
    const { api, runJobs } = world;
    await runJobs(2 * DAY + HOUR);
    const starts = [0, 1, 2].map((day) => baseTime + (day - 7) * DAY);
    const found = starts.map((start) =>
      api.ranges.some(({ startTime }) => Math.abs(startTime - start) < HOUR),
    );
    expect(found).toEqual([true, true, true]);
  });

  it('syncs every minute while a new checkout is open, and less often while no order comes', async () => {
    const { store, runJobs, shared } = world;
    await store.saveCheckout(onRampCheckout({ createdAt: baseTime, expiresAt: baseTime + DAY }));
    const ran = await runJobs(HOUR);
    expect(ran.slice(0, 4)).toEqual([0, 60, 120, 240]);
    expect(ran.length).toBeLessThan(12);
    shared.clock += 60;
    await store.saveCheckout(
      onRampCheckout({ reference: 'r2', createdAt: shared.clock, expiresAt: shared.clock + DAY }),
    );
    expect((await runJobs(180))[0]).toBeLessThanOrEqual(60);
  });

  it('rests for a day while there is nothing to wait for, and reads unsettled NFT orders hourly', async () => {
    const { store, runJobs, api, shared } = world;
    expect(await runJobs(12 * HOUR)).toEqual([0]);
    shared.clock += 60;
    await store.saveCheckout(nftCheckout());
    api.orders = [nftOrder()];
    await store.recordOrders(api.orders, shared.clock);
    expect((await runJobs(4 * HOUR)).length).toBeGreaterThan(3);
  });

  it('marks an announced order as unconfirmed, and follows it up', async () => {
    const { store, create, runJobs, shared } = world;
    await store.saveCheckout(onRampCheckout({ expiresAt: baseTime + DAY }));
    await announceOrder(store, 'r1', shared.clock);
    await create().requestSync();
    expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
    shared.clock += 60;
    expect((await runJobs(240)).slice(0, 3)).toEqual([0, 60, 180]);
  });

  it('reports a malformed order once a day, whichever process finds it', async () => {
    const { errors, runJobs, store, shared, api } = world;
    await store.saveCheckout(onRampCheckout({ expiresAt: baseTime + DAY }));
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
    const { api, create, shared } = world;
    api.orders = [onRampOrder({ finishTime: baseTime })];
    api.failAfter = 0;
    await expect(create().sync()).rejects.toThrow('the service is down');
    shared.clock += 3 * HOUR;
    await expect(create().sync()).rejects.toThrow('the service is down');
    api.failAfter = Number.POSITIVE_INFINITY;
    shared.clock += 10;
    await create().sync();
    expect(
      api.ranges.some(({ startTime }) => startTime === shared.clock - (3 * HOUR + 10 + 7200)),
    ).toBe(true);
    expect((await create().status()).syncedAt).toBe(shared.clock);
  });

  it('keeps the memory of another process that has taken the lease meanwhile', async () => {
    const { store, syncIfDue, api } = world;
    const slow = {
      ...api,
      // biome-ignore lint/correctness/useYield: the list is empty
      async *eachOrder() {
        const { revision } = await store.readSyncState();
        await store.writeSyncState({ revision, state: 'of the other process' });
      },
    };
    await expect(syncIfDue({ api: slow })).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    expect((await store.readSyncState()).state).toBe('of the other process');
  });

  it('does not repeat the daily reading of a process that keeps running on the same store', async () => {
    const { create, syncIfDue, api, shared } = world;
    await create({ isServerless: false }).sync();
    api.ranges = [];
    shared.clock += 60;
    await world.store.saveCheckout(
      onRampCheckout({ createdAt: shared.clock, expiresAt: baseTime + DAY }),
    );
    shared.clock += 60;
    expect(await syncIfDue()).toMatchObject({ ran: true });
    expect(api.ranges.map(({ startTime }) => startTime)).toEqual([baseTime - 2 * HOUR]);
  });

  it('is refused in a process that keeps running', async () => {
    await expect(world.syncIfDue({ isServerless: false })).rejects.toThrow(
      /ramp\.sync\(\{ onlyIfDue: true \}\) needs the option serverless/,
    );
  });

  it('continues a list that is too long for one sync, and finds every order', async () => {
    const { time, create, syncIfDue, finish, shared, delivered } = world;
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
    expect((await create().status()).syncedAt).toBe(shared.clock - 60);
  });

  it('reads new orders before it continues a full sync', async () => {
    const { time, create, syncIfDue, finish, shared, delivered } = world;
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
    expect((await create().status()).syncedAt).toBe(shared.clock);
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
    expect(
      await finish(create({ api: slow, syncSeconds: 2 }).sync({ onlyIfDue: true })),
    ).toMatchObject({
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

  it('begins another sync beside one whose store never responds, and reports that', async () => {
    const { store, create, time, finish, errors } = world;
    let isFirst = true;
    const hanging = {
      ...store,
      withSyncLease: (sync: Parameters<typeof store.withSyncLease>[0]) => {
        if (!isFirst) return store.withSyncLease(sync);
        isFirst = false;
        return new Promise<never>(() => {});
      },
    };
    const tracker = create({ store: hanging });
    void tracker.sync();
    await time.pass(189);
    void tracker.requestSync();
    await time.pass(1);
    expect(errors).toEqual([]);
    expect(await finish(tracker.sync())).toMatchObject({ ran: true });
    expect(errors).toMatchObject([
      { code: 'ERR_TIMEOUT', message: expect.stringContaining('within 190 seconds') },
    ]);
  });

  it('reads the list for a webhook although the clock of the last sync was ahead', async () => {
    const { create, shared, api } = world;
    shared.clock += 30;
    await create().sync();
    shared.clock -= 25;
    api.ranges = [];
    await create().requestSync();
    expect(api.ranges[0]).toMatchObject({ endTime: shared.clock });
  });

  const jobs = [
    ['ten seconds after the last one began, if its process was killed', true, 0, 10, {}],
    ['not nine seconds after it', false, 0, 9, {}],
    ['30 seconds before a daily one is due', true, DAY - 30, 0, { endedAt: true }],
    ['not 31 seconds before it', false, DAY - 31, 0, { endedAt: true }],
  ] as const;
  it.each(jobs)(
    'syncs %s',
    async (_, ran, sinceDaily, sinceBegun, { endedAt = false }: { endedAt?: boolean }) => {
      const { store, syncIfDue } = world;
      const complete = (name: RangeName, state: SyncState) =>
        completeRange(state, name, baseTime - sinceDaily);
      const ranges = complete('daily', complete('unsettled', complete('newest', newSyncState)));
      const begunAt = baseTime - Math.max(sinceBegun, endedAt ? HOUR : 0);
      const state = { ...ranges, begunAt, ...(endedAt && { endedAt: begunAt }) };
      await store.writeSyncState({ revision: 0, state: formatSyncState(state) });
      expect((await syncIfDue()).ran).toBe(ran);
    },
  );

  it('does not begin earlier for a new checkout, but begins', async () => {
    const { store, create, shared, api } = world;
    await create().sync();
    api.ranges = [];
    shared.clock += 600;
    await create().syncForCheckout();
    expect(api.ranges).toEqual([]);
    await store.saveCheckout(
      onRampCheckout({ createdAt: shared.clock, expiresAt: shared.clock + DAY }),
    );
    await create().syncForCheckout();
    expect(api.ranges).toHaveLength(1);
    shared.clock += 59;
    await create().syncForCheckout();
    expect(api.ranges).toHaveLength(1);
    shared.clock += 1;
    await create().syncForCheckout();
    expect(api.ranges).toHaveLength(2);
  });

  it('leaves the list to another process that has read it since the webhook came', async () => {
    const { store, create, shared, api } = world;
    const { withSyncLease } = store;
    let isFirst = true;
    const slow = {
      ...store,
      withSyncLease: async (sync: Parameters<typeof withSyncLease>[0]) => {
        if (isFirst) {
          isFirst = false;
          shared.clock += 1;
          await create().sync();
          api.ranges = [];
        }
        return withSyncLease(sync);
      },
    };
    await create({ store: slow }).requestSync();
    expect(api.ranges).toEqual([]);
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
            await store.saveCheckout(onRampCheckout({ reference, ...times }));
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
