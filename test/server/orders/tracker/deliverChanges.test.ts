import { describe, expect, it } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type PendingChange,
} from '../../../../src/server/index.js';
import { deliverChanges } from '../../../../src/server/orders/tracker/deliverChanges.js';
import { baseTime, onRampOrder } from '../../../support/server/orderFixtures.js';

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
      now: () => baseTime,
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
  it('calls back once for each change, oldest first, however many batches they are', async () => {
    const { run, called, pending } = await deliveries(120);
    await run();
    expect(called).toEqual(Array.from({ length: 120 }, (_, i) => `o${i}:finished`));
    expect(await pending()).toEqual([]);
  });

  it('stops as soon as another instance may have taken over', async () => {
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

  it('leaves what it has no time for to the next sync', async () => {
    const { run, called, pending } = await deliveries(5);
    let seconds = baseTime;
    await run({
      now: () => seconds,
      deliverySeconds: 60,
      deliver: ({ key }) => {
        called.push(key);
        seconds += 31;
      },
    });
    expect(called).toHaveLength(2);
    expect(await pending()).toHaveLength(3);
  });

  it('does not call back again for a change whose end the store could not record', async () => {
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

  it('calls back again for a change whose callback failed, later each time, an hour at most', async () => {
    const store = memoryOrderStore();
    const { run, errors } = await deliveries(1, { store });
    const delays: number[] = [];
    let seconds = baseTime;
    for (let i = 0; i < 12; i++) {
      await run({
        now: () => seconds,
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

  it('treats a callback that does not return as failed, and delivers the others', async () => {
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

  it('takes changes as delivered where there is no callback', async () => {
    const { run, pending } = await deliveries(120);
    await run({ deliver: undefined });
    expect(await pending()).toEqual([]);
  });
});
