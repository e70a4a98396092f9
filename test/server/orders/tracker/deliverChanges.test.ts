import { describe, expect, it } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type OrderToDeliver,
} from '../../../../src/server/index.js';
import { createDeliverer } from '../../../../src/server/orders/tracker/deliverChanges.js';
import { toTrackerSettings } from '../../../../src/server/orders/tracker/trackerOptions.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { testRuntime } from '../../../support/server/testRuntime.js';
import { withResolved } from '../../../support/server/withResolved.js';

interface Options {
  readonly store?: OrderStore;
  readonly deliver?: (order: OrderToDeliver) => unknown;
  readonly deliverySeconds?: number;
}

/** Records `count` paid orders, and creates a deliverer of them. `called` has the key of each delivery. */
async function deliveries(count: number, { store = memoryOrderStore(), ...options }: Options = {}) {
  const orders = Array.from({ length: count }, (_, i) =>
    onRampOrder({ orderId: `o${i}`, ext: `r${i}` }),
  );
  for (let i = 0; i < count; i++) await store.saveCheckout(onRampCheckout({ reference: `r${i}` }));
  await store.recordOrders(orders, baseTime);
  const called: string[] = [];
  const errors: unknown[] = [];
  const clock = { seconds: baseTime };
  const runtime = testRuntime({ now: () => clock.seconds * 1000 });
  const settings = toTrackerSettings(
    {
      api: fakeApi(),
      store,
      onError: (error) => void errors.push(error),
      deliver: ({ key }) => void called.push(key),
      review: (_, reason) => expect(reason).toBeUndefined(),
      ...options,
    },
    runtime,
  );
  const deliverer = createDeliverer(settings);
  const run = ({
    signal = new AbortController().signal,
    hasLease = (): boolean => true,
    isOver = (): boolean => false,
  } = {}) => deliverer.deliver(signal, hasLease, isOver);
  const pending = async () => (await store.listPendingChanges(baseTime, 100)).map(({ key }) => key);
  return { run, called, errors, pending, clock, deliverer };
}

describe('createDeliverer', () => {
  it('delivers each order once, oldest first', async () => {
    const { run, called, pending } = await deliveries(120);
    await run();
    expect(called).toEqual(Array.from({ length: 120 }, (_, i) => `o${i}:deliver`));
    expect(await pending()).toEqual([]);
  });

  it('does not deliver what an operator has resolved during an earlier delivery', async () => {
    const resolved = new Set<string>();
    const seen: string[] = [];
    const { run, pending, deliverer } = await deliveries(3, {
      store: withResolved(memoryOrderStore(), resolved),
      async deliver({ orderId }) {
        seen.push(orderId);
        resolved.add('o1');
      },
    });
    await run();
    expect(seen).toEqual(['o0', 'o2']);
    expect(await pending()).toEqual([]);
    expect(deliverer.delivered).toBe(3);
  });

  it('does not deliver what an operator has resolved since it was listed', async () => {
    const resolved = new Set<string>();
    const inner = withResolved(memoryOrderStore(), resolved);
    const store: OrderStore = {
      ...inner,
      async listPendingChanges(now, limit) {
        const changes = await inner.listPendingChanges(now, limit);
        resolved.add('o0');
        return changes;
      },
    };
    const { run, called, errors } = await deliveries(2, { store });
    await run();
    expect(called).toEqual(['o1:deliver']);
    expect(errors).toEqual([]);
  });

  it('calls nothing for a change that another instance has handled since it was listed', async () => {
    const inner = memoryOrderStore();
    const store: OrderStore = {
      ...inner,
      async listPendingChanges(now, limit) {
        const changes = await inner.listPendingChanges(now, limit);
        for (const change of changes)
          await inner.handleChange(change, async (_, history) => history);
        return changes;
      },
    };
    const { run, called, errors } = await deliveries(2, { store });
    await run();
    expect([called, errors]).toEqual([[], []]);
  });

  it('goes on after a change that the store lists and does not have', async () => {
    const inner = memoryOrderStore();
    const store: OrderStore = {
      ...inner,
      handleChange: async (change, handle) =>
        change.record.order.orderId === 'o0' ? false : inner.handleChange(change, handle as never),
    };
    const { run, called, deliverer } = await deliveries(2, { store });
    await run();
    expect([called, deliverer.delivered]).toEqual([['o1:deliver'], 1]);
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
      deliver: ({ key }) => {
        called.push(key);
        controller.abort();
      },
    });
    await run({ signal: controller.signal });
    expect(called).toHaveLength(1);
  });

  it('leaves the remaining changes to the next sync when its time is over', async () => {
    const { run, called, pending } = await deliveries(5);
    await run({ isOver: () => called.length === 2 });
    expect(called).toHaveLength(2);
    expect(await pending()).toHaveLength(3);
  });

  it('delivers again, with the same key, what the store could not commit', async () => {
    const inner = memoryOrderStore();
    let isDown = true;
    const store: OrderStore = {
      ...inner,
      handleChange: (change, handle) =>
        inner.handleChange(change, async (...given) => {
          const next = await handle(...(given as Parameters<typeof handle>));
          if (isDown) throw new Error('pg: down');
          return next;
        }),
    };
    const { run, called, errors, pending, clock, deliverer } = await deliveries(2, { store });
    await run();
    expect(called).toEqual(['o0:deliver', 'o1:deliver']);
    expect(errors).toMatchObject([{ message: 'pg: down' }, { message: 'pg: down' }]);
    expect(deliverer.delivered).toBe(0);
    isDown = false;
    clock.seconds += 5;
    await run();
    expect(called).toEqual(['o0:deliver', 'o1:deliver', 'o0:deliver', 'o1:deliver']);
    expect(await pending()).toEqual([]);
    clock.seconds += 3600;
    await run();
    expect(called).toHaveLength(4);
    expect(errors).toHaveLength(2);
  });

  it('throws the error of a store that cannot postpone a failed delivery', async () => {
    const store: OrderStore = {
      ...memoryOrderStore(),
      handleChange: () => Promise.reject(new Error('pg: down')),
      postponeChange: () => Promise.reject(new Error('pg: still down')),
    };
    const { run, called, errors } = await deliveries(2, { store });
    await expect(run()).rejects.toThrow('pg: still down');
    expect(called).toEqual([]);
    expect(errors).toMatchObject([{ message: 'pg: down' }]);
  });

  it('retries a failed delivery with exponential backoff of at most an hour', async () => {
    const store = memoryOrderStore();
    const deliver = () => Promise.reject(new Error('the shop is closed'));
    const { run, errors, clock } = await deliveries(1, { store, deliver });
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
      deliver: ({ key }) => {
        called.push(key);
        return key === 'o0:deliver' ? new Promise(() => {}) : undefined;
      },
    });
    await run();
    expect(called).toEqual(['o0:deliver', 'o1:deliver']);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    expect(await pending()).toEqual([]);
  });
});
