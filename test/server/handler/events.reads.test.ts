import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, type OrderStore } from '../../../src/server/index.js';
import { createEventStreams } from '../../support/server/createEventStreams.js';
import { baseTime, nftIntent, nftOrder, onRampIntent } from '../../support/server/orderFixtures.js';

describe('createEventRoutes: reads of the store', () => {
  it('reads the log once a second for all streams, and never without streams', async () => {
    const inner = memoryOrderStore();
    const listEventsAfter = vi.fn(inner.listEventsAfter);
    const store: OrderStore = { ...inner, listEventsAfter };
    const { open } = createEventStreams({ store, maxStreams: { perSubject: 50, total: 50 } });
    await store.saveIntent(onRampIntent());
    const start = performance.now();
    const streams = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const { next } of streams) await next();
    await new Promise((done) => setTimeout(done, 1500));
    const seconds = (performance.now() - start) / 1000;
    expect(listEventsAfter.mock.calls.length).toBeLessThanOrEqual(seconds + 1);
    for (const { close } of streams) await close();
    const { length } = listEventsAfter.mock.calls;
    await new Promise((done) => setTimeout(done, 1500));
    expect(listEventsAfter.mock.calls.length).toBeLessThanOrEqual(length + 1);
  });

  it('reads a changed checkout once for all its streams', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const { open } = createEventStreams({
      store: { ...inner, findCheckout },
      maxStreams: { perSubject: 50, total: 50 },
    });
    await inner.saveIntent(nftIntent());
    await inner.saveIntent(nftIntent({ reference: 'r2' }));
    const streams = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const { next } of streams) await next();
    findCheckout.mockClear();
    await inner.recordOrders([nftOrder('finished')], baseTime);
    await inner.recordOrders([nftOrder('settled'), nftOrder('finished', { ext: 'r2' })], baseTime);
    for (const { next } of streams) expect((await next()).data.progress).toBe('settled');
    expect(findCheckout.mock.calls).toEqual([['r1']]);
    for (const { close } of streams) await close();
  });

  it('emits a change when its checkout can be read again', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const onError = vi.fn();
    const { open } = createEventStreams({ store: { ...inner, findCheckout }, onError });
    await inner.saveIntent(nftIntent());
    const { next, close } = await open();
    await next();
    findCheckout.mockRejectedValueOnce(new Error('down'));
    await inner.recordOrders([nftOrder('finished')], baseTime);
    expect((await next()).data.progress).toBe('finished');
    expect(onError).toHaveBeenCalledOnce();
    await close();
  });

  it('ends a stream whose first read fails, so that the client reconnects', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const { open } = createEventStreams({ store: { ...inner, findCheckout }, onError: () => {} });
    await inner.saveIntent(nftIntent());
    findCheckout
      .mockImplementationOnce(inner.findCheckout)
      .mockRejectedValueOnce(new Error('down'));
    const { next } = await open();
    await expect(next()).rejects.toThrow('The stream ended.');
  });

  it('continues after failed reads of the log', async () => {
    const inner = memoryOrderStore();
    const listEventsAfter = vi.fn(inner.listEventsAfter).mockRejectedValueOnce(new Error('down'));
    const onError = vi.fn();
    const store: OrderStore = { ...inner, listEventsAfter };
    const { open } = createEventStreams({ store, onError });
    await store.saveIntent(nftIntent());
    const { next, close } = await open();
    await next();
    await store.recordOrders([nftOrder('finished')], baseTime);
    expect((await next()).data.progress).toBe('finished');
    expect(onError).toHaveBeenCalledOnce();
    await close();
  });
});
