import { afterEach, beforeEach, vi } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import {
  createOrderTracker,
  memoryOrderStore,
  type OrderTrackerOptions,
  type PendingChange,
} from '../../../src/server/index.js';
import { baseTime } from './orderFixtures.js';

/** Creates an API client with a list in memory, which records the requested ranges. */
export function fakeApi() {
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

/** Creates an API and a clock for each test of a file, and a function that creates trackers with them. */
export function setUpTrackers() {
  const shared = { api: fakeApi(), clock: baseTime };
  beforeEach(() => {
    shared.api = fakeApi();
    shared.clock = baseTime;
  });
  const make = (options: Partial<OrderTrackerOptions> = {}) => {
    const store = options.store ?? memoryOrderStore();
    const delivered: PendingChange[] = [];
    const errors: unknown[] = [];
    const tracker = createOrderTracker({
      api: shared.api,
      store,
      now: () => shared.clock * 1000,
      onOrderChange: (change) => void delivered.push(change),
      onError: (error) => errors.push(error),
      ...options,
    });
    return { tracker, store, delivered, errors };
  };
  return { shared, make };
}

/** Creates started trackers with fake timers that a test advances. */
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
  const started = (options: Partial<OrderTrackerOptions> = {}) => {
    const made = make({ now: Date.now, ...options });
    made.tracker.start();
    return made;
  };
  return { shared, make, started, pass };
}
