import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type OrderTrackerOptions,
} from '../../../src/server/index.js';
import { at, onRampIntent, onRampOrder } from '../../support/orders.js';
import { trackers } from '../../support/tracker.js';

const { shared, make } = trackers();

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
    expect(shared.api.asked).toHaveLength(1);
    await pass(2);
    expect(shared.api.asked).toHaveLength(2);
    await tracker.stop();
    await pass(200_000);
    expect(shared.api.asked).toHaveLength(2);
  });

  it('sweeps more and more seldom while a checkout is open and nothing comes', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    tracker.expect();
    await pass(3600);
    const times = shared.api.asked.map(({ endTime }) => endTime - at);
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
    expect(shared.api.asked.length).toBeGreaterThanOrEqual(3);
    await tracker.stop();
  });

  it('makes two sweeps at the most of 5,000 nudges', async () => {
    const { tracker } = started();
    await pass(1);
    for (let i = 0; i < 5000; i++) tracker.nudge();
    await pass(30);
    expect(shared.api.asked.length).toBeLessThanOrEqual(3);
    expect(shared.api.asked.length).toBeGreaterThan(1);
    await tracker.stop();
  });

  it('makes one sweep a second of nudges that come for long, and all are followed by one', async () => {
    const { tracker } = started({
      api: {
        async *eachOrder(range) {
          yield* shared.api.eachOrder(range);
          // Some of them come meanwhile.
          await new Promise((done) => setTimeout(done, 50));
        },
      },
    });
    await pass(10);
    const before = shared.api.asked.length;
    for (let i = 0; i < 1000; i++) {
      tracker.nudge();
      await pass(0.02);
    }
    const lastNudge = Math.floor(Date.now() / 1000);
    await pass(10);
    const times = shared.api.asked.slice(before).map(({ endTime }) => endTime);
    expect(times.length).toBeLessThanOrEqual(23);
    expect(times[0]).toBe(at + 10);
    expect(times.at(-1)).toBeGreaterThanOrEqual(lastNudge);
    await tracker.stop();
  });

  it('sweeps once more for a nudge that comes while it sweeps', async () => {
    const { tracker, delivered } = make({
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
    // It has read past this order by now, or it has not.
    shared.api.orders = [];
    tracker.nudge();
    await pass(0.6);
    shared.api.orders = [onRampOrder()];
    await pass(5);
    expect(delivered).toHaveLength(1);
    await tracker.stop();
  });

  it('sweeps for a nudge soon after another instance was at it', async () => {
    const store = memoryOrderStore();
    const { tracker } = started({ store });
    await pass(1);
    let end = () => {};
    const other = store.runAlone(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    tracker.nudge('r1');
    await pass(10);
    expect(shared.api.asked).toHaveLength(1);
    end();
    await other;
    await pass(2);
    expect(shared.api.asked).toHaveLength(2);
    await tracker.stop();
  });

  it('sweeps for a nudge that comes during a sweep that somebody asked for', async () => {
    const { tracker } = started();
    await pass(1);
    const asked = tracker.sweep();
    tracker.nudge('r1');
    await asked;
    await pass(2);
    expect(shared.api.asked).toHaveLength(3);
    await tracker.stop();
  });

  it('looks again soon for an order that was announced and is not in the list yet', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await pass(1);
    tracker.nudge('r1');
    await pass(4);
    shared.api.orders = [onRampOrder({ finishTime: at })];
    await pass(2);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await tracker.stop();
  });

  it('looks again soon for what was announced though no checkout is open, and not for long', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    shared.api.orders = [onRampOrder()];
    await pass(10);
    // Crypto may be bought again with the same checkout.
    tracker.nudge('r1');
    await pass(4);
    const second = onRampOrder({ orderId: 'o2', finishTime: at + 10 });
    shared.api.orders.push(second);
    await pass(5);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(2);
    tracker.nudge('r1');
    await pass(120);
    const { length } = shared.api.asked;
    await pass(3600);
    expect(shared.api.asked).toHaveLength(length);
    await tracker.stop();
  });

  it('marks a checkout as unconfirmed that was announced and is not in the list', async () => {
    const { tracker, store } = started();
    await store.saveIntent(onRampIntent());
    await store.saveIntent(onRampIntent({ reference: 'r2' }));
    shared.api.orders = [onRampOrder({ ext: 'r2' })];
    tracker.nudge('r1');
    tracker.nudge('r2');
    await pass(1);
    expect((await store.findCheckout('r1'))?.mark).toBe('unconfirmed');
    expect((await store.findCheckout('r2'))?.mark).toBeUndefined();
    await tracker.stop();
  });

  it('goes on after a sweep that failed', async () => {
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    const { tracker, delivered, errors } = started();
    await pass(1);
    expect(errors).toHaveLength(1);
    await pass(600);
    const times = shared.api.asked.map(({ endTime }) => endTime - at);
    // Sooner at first, then once a minute.
    expect(times.slice(0, 7)).toEqual([0, 5, 15, 35, 75, 135, 195]);
    shared.api.failAfter = 9;
    await pass(60);
    expect(delivered).toHaveLength(1);
    shared.api.failAfter = 0;
    tracker.nudge();
    await pass(1);
    const failed = errors.length;
    await pass(5);
    expect(errors).toHaveLength(failed + 1);
    await tracker.stop();
  });

  it('tries again once a minute while another instance is at it, and soon when it was nudged', async () => {
    const inner = memoryOrderStore();
    let isBusy = true;
    const runAlone = vi.fn<OrderStore['runAlone']>((sweep) =>
      isBusy ? Promise.resolve(false) : inner.runAlone(sweep),
    );
    const { tracker } = started({ store: { ...inner, runAlone } });
    await pass(600);
    expect(runAlone).toHaveBeenCalledTimes(11);
    expect(shared.api.asked).toEqual([]);
    tracker.nudge();
    await pass(1);
    isBusy = false;
    await pass(5);
    expect(shared.api.asked).toHaveLength(1);
    await tracker.stop();
  });

  it('runs a handler again each hour that has failed for long, though nothing is open', async () => {
    const times: number[] = [];
    const { tracker } = started({
      onOrderChange: () => {
        times.push(Date.now() / 1000 - at);
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

  it('is held up by no handler that never comes to an end', async () => {
    const keys: string[] = [];
    const { tracker, errors, store } = started({
      onOrderChange: ({ key }) => {
        keys.push(key);
        return key.startsWith('a') && keys.length < 3 ? new Promise(() => {}) : undefined;
      },
    });
    shared.api.orders = ['a', 'b'].map((orderId) => onRampOrder({ orderId }));
    await pass(59);
    expect(keys).toEqual(['a:finished']);
    await pass(1);
    expect(keys).toEqual(['a:finished', 'b:finished']);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    await pass(120);
    expect(keys).toEqual(['a:finished', 'b:finished', 'a:finished']);
    expect(await store.pendingChanges(at + 999_999, 9)).toEqual([]);
    await tracker.stop();
  });

  it('sweeps within minutes however many handlers never come to an end, and runs all of them', async () => {
    const keys = new Set<string>();
    const { tracker, store } = started({
      onOrderChange: ({ key }) => {
        keys.add(key);
        return key.startsWith('stuck') ? new Promise(() => {}) : undefined;
      },
    });
    shared.api.orders = Array.from({ length: 60 }, (_, i) =>
      onRampOrder({ orderId: `stuck${i}`, ext: undefined }),
    );
    await store.saveIntent(onRampIntent());
    await pass(30);
    shared.api.orders.push(onRampOrder({ finishTime: at + 30 }));
    await pass(200);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
    await pass(3 * 3600);
    expect(keys.size).toBe(61);
    const stopped = tracker.stop();
    await pass(60);
    await stopped;
  });

  it('goes on soon with changes that one sweep had no time for', async () => {
    const { tracker, store } = started({
      onOrderChange: () => new Promise((done) => setTimeout(done, 5000)),
    });
    await store.saveIntent(onRampIntent());
    shared.api.orders = Array.from({ length: 60 }, (_, i) =>
      onRampOrder({ orderId: `slow${i}`, ext: undefined }),
    );
    await pass(60 * 5 + 30);
    expect(await store.pendingChanges(at + 9999, 1)).toEqual([]);
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
