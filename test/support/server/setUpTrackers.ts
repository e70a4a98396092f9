import { afterEach, beforeEach, vi } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import {
  memoryOrderStore,
  type OrderToDeliver,
  type OrderToReview,
  type ReviewReason,
} from '../../../src/server/index.js';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import type { OrderTrackerOptions } from '../../../src/server/orders/tracker/trackerOptions.js';
import { baseTime } from './orderFixtures.js';
import { testRuntime } from './testRuntime.js';

/**
 * Creates a fake API client that lists `orders`. `ranges` has the requested ranges. A request fails after it has listed
 * `failAfter` orders.
 */
export function fakeApi() {
  const api = {
    orders: [] as Order[],
    ranges: [] as { startTime: number; endTime: number }[],
    failAfter: Number.POSITIVE_INFINITY,
    async *eachOrder(range: { startTime: number; endTime: number }) {
      api.ranges.push(range);
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

/** Gives each test of a file a new fake API and a clock in `shared`. `make` creates a tracker that uses both. */
export function setUpTrackers() {
  const shared = { api: fakeApi(), clock: baseTime };
  beforeEach(() => {
    shared.api = fakeApi();
    shared.clock = baseTime;
  });
  const make = (options: Partial<OrderTrackerOptions> = {}, runtime: Partial<Runtime> = {}) => {
    const store = options.store ?? memoryOrderStore();
    const delivered: OrderToDeliver[] = [];
    const reviewed: { readonly order: OrderToReview; readonly reason: ReviewReason }[] = [];
    const errors: unknown[] = [];
    const tracker = createOrderTracker(
      {
        api: shared.api,
        store,
        deliver: (order) => void delivered.push(order),
        review: (order, reason) => void reviewed.push({ order, reason }),
        onError: (error) => errors.push(error),
        ...options,
      },
      testRuntime({ now: () => shared.clock * 1000, ...runtime }),
    );
    return { tracker, store, delivered, reviewed, errors };
  };
  return { shared, make };
}

/** Like {@link setUpTrackers}, with fake timers. `started` creates and starts a tracker, `pass` lets time pass. */
export function setUpStartedTrackers() {
  const { shared, make } = setUpTrackers();
  beforeEach(() => {
    vi.useFakeTimers({ now: baseTime * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
  };
  const started = (options: Partial<OrderTrackerOptions> = {}, runtime: Partial<Runtime> = {}) => {
    const made = make(options, { now: Date.now, ...runtime });
    made.tracker.start();
    return made;
  };
  return { shared, make, started, pass };
}
