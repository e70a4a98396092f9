import { describe, expect, it, vi } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type PendingChange,
} from '../../../../src/server/index.js';
import { createDeliverer } from '../../../../src/server/orders/tracker/deliverChanges.js';
import { parseTrackerOptions } from '../../../../src/server/orders/tracker/trackerOptions.js';
import { baseTime, onRampOrder } from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

interface Options {
  readonly store?: OrderStore;
  readonly onOrderChange?: ((change: PendingChange) => unknown) | null | undefined;
  readonly deliverySeconds?: number;
}

/** Records `count` orders, and creates a deliverer of their changes. `called` has the key of each delivery. */
async function deliveries(count: number, { store = memoryOrderStore(), ...options }: Options = {}) {
  const orders = Array.from({ length: count }, (_, i) => onRampOrder({ orderId: `o${i}` }));
  await store.recordOrders(orders, baseTime);
  const called: string[] = [];
  const errors: unknown[] = [];
  const clock = { seconds: baseTime };
  const runtime = testRuntime({ now: () => clock.seconds * 1000 });
  const settings = parseTrackerOptions(
    {
      api: fakeApi(),
      store,
      onError: (error) => void errors.push(error),
      onOrderChange: ({ key }) => void called.push(key),
      ...options,
    },
    runtime,
  );
  const { deliver } = createDeliverer(settings);
  const run = ({ signal = new AbortController().signal, hasLease = (): boolean => true } = {}) =>
    deliver(signal, hasLease);
  const pending = async () => (await store.listPendingChanges(baseTime, 100)).map(({ key }) => key);
  return { run, called, errors, pending, clock };
}

describe('createDeliverer', () => {
  it('delivers each change once, oldest first, in several batches', async () => {
    const { run, called, pending } = await deliveries(120);
    await run();
    expect(called).toEqual(Array.from({ length: 120 }, (_, i) => `o${i}:finished`));
    expect(await pending()).toEqual([]);
  });

  it('sees what an operator has resolved during an earlier delivery', async () => {
    const store = memoryOrderStore();
    const seen: unknown[] = [];
    const { run } = await deliveries(3, {
      store,
      async onOrderChange({ record }) {
        seen.push([record.order.orderId, record.resolution]);
        await store.resolveOrder('o1', 'refunded', baseTime);
      },
    });
    await run();
    expect(seen).toEqual([
      ['o0', undefined],
      ['o1', 'refunded'],
      ['o2', undefined],
    ]);
  });

  it('stops when another instance may have the lease', async () => {
    const { run, called, pending } = await deliveries(5);
    await run({ hasLease: () => called.length < 2 });
    expect(called).toHaveLength(2);
    expect(await pending()).toHaveLength(3);
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const called: string[] = [];
    const { run } = await deliveries(5, {
      onOrderChange: ({ key }) => {
        called.push(key);
        controller.abort();
      },
    });
    await run({ signal: controller.signal });
    expect(called).toHaveLength(1);
  });

  it('leaves the remaining changes to the next sync after deliverySeconds', async () => {
    const onOrderChange = vi.fn(() => {
      clock.seconds += 31;
    });
    const { run, pending, clock } = await deliveries(5, { onOrderChange, deliverySeconds: 60 });
    await run();
    expect(onOrderChange).toHaveBeenCalledTimes(2);
    expect(await pending()).toHaveLength(3);
  });

  it('does not deliver a change again that the store could not acknowledge', async () => {
    const inner = memoryOrderStore();
    let isDown = true;
    const store: OrderStore = {
      ...inner,
      acknowledgeChanges: (keys) =>
        isDown ? Promise.reject(new Error('pg: down')) : inner.acknowledgeChanges(keys),
    };
    const { run, called, pending } = await deliveries(2, { store });
    await expect(run()).rejects.toThrow('pg: down');
    await expect(run()).rejects.toThrow('pg: down');
    expect(called).toEqual(['o0:finished']);
    isDown = false;
    await run();
    expect(called).toEqual(['o0:finished', 'o1:finished']);
    expect(await pending()).toEqual([]);
  });

  it('retries a failed delivery with exponential backoff of at most an hour', async () => {
    const store = memoryOrderStore();
    const onOrderChange = () => Promise.reject(new Error('the shop is closed'));
    const { run, errors, clock } = await deliveries(1, { store, onOrderChange });
    const delays: number[] = [];
    for (let i = 0; i < 12; i++) {
      await run();
      let delay = 0;
      const isDue = async () =>
        (await store.listPendingChanges(clock.seconds + delay, 1)).length > 0;
      while (delay < 10_000 && !(await isDue())) delay++;
      delays.push(delay);
      clock.seconds += delay;
    }
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
    expect(errors).toHaveLength(12);
  });

  it('treats a callback that never settles as failed, and delivers the others', async () => {
    const called: string[] = [];
    const { run, errors, pending } = await deliveries(2, {
      deliverySeconds: 1,
      onOrderChange: ({ key }) => {
        called.push(key);
        return key === 'o0:finished' ? new Promise(() => {}) : undefined;
      },
    });
    await run();
    expect(called).toEqual(['o0:finished', 'o1:finished']);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    expect(await pending()).toEqual([]);
  });

  it('leaves all changes to another tracker without a callback', async () => {
    const { run, pending } = await deliveries(3, { onOrderChange: undefined });
    await run();
    expect(await pending()).toHaveLength(3);
  });

  it('acknowledges all changes if the callback is null', async () => {
    const { run, pending } = await deliveries(120, { onOrderChange: null });
    await run();
    expect(await pending()).toEqual([]);
  });
});
