import { describe, expect, it } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type PendingChange,
} from '../../../../src/server/index.js';
import { deliverChanges } from '../../../../src/server/orders/tracker/deliverChanges.js';
import { baseTime, onRampOrder } from '../../../support/server/orderFixtures.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

async function deliveries(
  count: number,
  given: Partial<Parameters<typeof deliverChanges>[0]> & { store?: OrderStore } = {},
) {
  const store = given.store ?? memoryOrderStore();
  const orders = Array.from({ length: count }, (_, i) => onRampOrder({ orderId: `o${i}` }));
  await store.recordOrders(orders, baseTime);
  const called: string[] = [];
  const errors: unknown[] = [];
  const returned = new Set<string>();
  const run = (more: Partial<Parameters<typeof deliverChanges>[0]> = {}) =>
    deliverChanges({
      deliver: ({ key }: PendingChange) => void called.push(key),
      deliverySeconds: 60,
      onError: (error) => void errors.push(error),
      runtime: testRuntime({ now: () => baseTime * 1000 }),
      signal: new AbortController().signal,
      hasLease: () => true,
      returned,
      ...given,
      ...more,
      store,
    });
  const pending = async () => (await store.listPendingChanges(baseTime, 100)).map(({ key }) => key);
  return { run, called, errors, pending, returned };
}

describe('deliverChanges', () => {
  it('delivers each change once, oldest first, in several batches', async () => {
    const { run, called, pending } = await deliveries(120);
    await run();
    expect(called).toEqual(Array.from({ length: 120 }, (_, i) => `o${i}:finished`));
    expect(await pending()).toEqual([]);
  });

  it('stops when another instance may have the lease', async () => {
    const { run, called, pending } = await deliveries(5);
    await run({ hasLease: () => called.length < 2 });
    expect(called).toHaveLength(2);
    expect(await pending()).toHaveLength(3);
  });

  it('stops when it is aborted', async () => {
    const { run, called } = await deliveries(5);
    const controller = new AbortController();
    await run({
      signal: controller.signal,
      deliver: ({ key }) => {
        called.push(key);
        controller.abort();
      },
    });
    expect(called).toHaveLength(1);
  });

  it('leaves the remaining changes to the next sync after deliverySeconds', async () => {
    const { run, called, pending } = await deliveries(5);
    let seconds = baseTime;
    await run({
      runtime: testRuntime({ now: () => seconds * 1000 }),
      deliverySeconds: 60,
      deliver: ({ key }) => {
        called.push(key);
        seconds += 31;
      },
    });
    expect(called).toHaveLength(2);
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
    const { run, called, pending, returned } = await deliveries(2, { store });
    await expect(run()).rejects.toThrow('pg: down');
    await expect(run()).rejects.toThrow('pg: down');
    expect(called).toEqual(['o0:finished']);
    isDown = false;
    await run();
    expect(called).toEqual(['o0:finished', 'o1:finished']);
    expect(await pending()).toEqual([]);
    expect([...returned]).toEqual([]);
  });

  it('retries a failed delivery with exponential backoff of at most an hour', async () => {
    const store = memoryOrderStore();
    const { run, errors } = await deliveries(1, { store });
    const delays: number[] = [];
    let seconds = baseTime;
    for (let i = 0; i < 12; i++) {
      await run({
        runtime: testRuntime({ now: () => seconds * 1000 }),
        deliver: () => Promise.reject(new Error('the shop is closed')),
      });
      let delay = 0;
      while ((await store.listPendingChanges(seconds + delay, 1)).length === 0) delay++;
      delays.push(delay);
      seconds += delay;
    }
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
    expect(errors).toHaveLength(12);
  });

  it('treats a callback that never settles as failed, and delivers the others', async () => {
    const { run, errors, called, pending } = await deliveries(2);
    await run({
      deliverySeconds: 1,
      deliver: ({ key }) => {
        called.push(key);
        return key === 'o0:finished' ? new Promise(() => {}) : undefined;
      },
    });
    expect(called).toEqual(['o0:finished', 'o1:finished']);
    expect(errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    expect(await pending()).toEqual([]);
  });

  it('leaves all changes to another tracker without a callback', async () => {
    const { run, pending } = await deliveries(3);
    await run({ deliver: undefined });
    expect(await pending()).toHaveLength(3);
  });

  it('acknowledges all changes if the callback is null', async () => {
    const { run, pending } = await deliveries(120);
    await run({ deliver: null });
    expect(await pending()).toEqual([]);
  });
});
