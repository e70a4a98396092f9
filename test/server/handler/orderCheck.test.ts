import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { memoryOrderStore } from '../../../src/server/index.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import { createFakeTracker } from '../../support/server/createFakeTracker.js';
import { callHandler, createTestHandler, wallet } from '../../support/server/createTestHandler.js';
import { fakeOrderList, type ListedOrder } from '../../support/server/fakeOrderList.js';
import { createTestApi, startUpstream } from '../../support/server/startUpstream.js';
import { writeWatermark } from '../../support/server/syncStates.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const seconds = () => Math.floor(Date.now() / 1000);
const old = (count: number): ListedOrder[] =>
  Array.from({ length: count }, (_, i) => ({
    orderId: `old-${i}`,
    finishTime: seconds() - 200 + Math.floor((i * 190) / count),
  }));

/** Creates a handler with one open checkout, and starts a service on loopback that lists `listed`. */
async function setUp(
  listed: ListedOrder[] = [],
  options: Partial<RampHandlerOptions<unknown>> = {},
) {
  const list = fakeOrderList(listed);
  const service = { isHanging: false, isDown: false };
  const upstream = await startUpstream();
  closers.push(upstream.close);
  upstream.respondWith((request, response) => {
    if (service.isHanging) return;
    if (service.isDown) response.writeHead(503).end('busy');
    else list.answer(request, response);
  });
  const api = createTestApi(upstream);
  const store = memoryOrderStore();
  const onError = vi.fn();
  const handler = createTestHandler({ store, api, onError, ...options });
  const first = (await callHandler(handler)).json;
  const path = `/api/ramp/checkouts/${first.reference}/continue`;
  const again = () => callHandler(handler, { path, body: {} });
  const pay = (given: Partial<ListedOrder> = {}) => {
    const order = { orderId: 'paid', finishTime: seconds(), ext: first.reference, ...given };
    list.orders.push({ walletAddress: wallet, ...order });
  };
  return { api, store, list, service, onError, first, again, pay };
}

describe('POST /checkouts/:reference/continue reads the order list itself', () => {
  it('and returns 409 for an order that was listed just before, without a tracker', async () => {
    const { first, again, pay, store } = await setUp();
    expect((await again()).status).toBe(200);
    pay();
    const { status, json } = await again();
    expect([status, json.progress]).toEqual([409, 'finished']);
    expect((await store.findCheckout(first.reference))?.orders).toHaveLength(1);
  });

  it('with ten requests at most, and finds the order on any page', async () => {
    for (const at of ['first', 'last'] as const) {
      const { list, again, pay } = await setUp(old(199));
      pay({ finishTime: at === 'last' ? seconds() : seconds() - 290 });
      expect((await again()).status).toBe(409);
      expect(list.requests).toBe(10);
    }
  });

  it('but not for a checkout that has expired, which is never signed again', async () => {
    const { first, store, list, again } = await setUp(old(50));
    await store.expireCheckouts(seconds() + 90_000);
    expect((await store.findCheckout(first.reference))?.outcome).toBe('expired');
    expect([(await again()).status, list.requests]).toEqual([410, 0]);
  });

  it('and returns 503 with Retry-After when ten requests are not enough', async () => {
    const { list, again, onError } = await setUp(old(201));
    const { status, json, response } = await again();
    expect([status, json.error.code]).toEqual([503, 'ERR_API_RESPONSE']);
    expect(response.headers.get('retry-after')).toBe('2');
    // The first page shows that ten requests are not enough, so the handler reads no further page.
    expect(list.requests).toBe(1);
    expect(onError).toHaveBeenCalledOnce();
  });

  it('and returns 503 for a list that is down or never responds, after 3 seconds at most', async () => {
    const { service, again, pay } = await setUp();
    pay();
    service.isDown = true;
    expect((await again()).status).toBe(503);
    service.isDown = false;
    service.isHanging = true;
    expect((await again()).status).toBe(503);
    service.isHanging = false;
    expect((await again()).status).toBe(409);
  }, 20_000);

  it('and returns 503 for a malformed order, which may be the one of this checkout', async () => {
    const { again, pay } = await setUp();
    pay({ broken: { currencyAmount: 'free' } });
    expect((await again()).status).toBe(503);
  });

  it('again after a retry when a request fails', async () => {
    const { service, again, pay } = await setUp();
    pay();
    service.isDown = true;
    const response = again();
    setTimeout(() => {
      service.isDown = false;
    }, 150);
    expect((await response).status).toBe(409);
  });

  it('once for all requests that wait, and never less than once after a request', async () => {
    const { list, again } = await setUp();
    const responses = await Promise.all(Array.from({ length: 50 }, again));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    // Without sharing there would be 50. On a busy machine, some requests arrive only after the second reading has begun.
    expect(list.requests).toBeLessThan(25);
    const before = list.requests;
    await again();
    expect(list.requests).toBe(before + 1);
  });

  it('from the start of the last complete sync, and asks the tracker to deliver', async () => {
    const tracker = createFakeTracker();
    const { ordersRecorded } = tracker;
    const { api, store, list, again, pay } = await setUp(old(300), { tracker });
    // Ten requests read 200 orders, but 300 orders finished in the last minutes. So the handler can check the list only
    // once a sync has read these orders and they are too old to be read again.
    expect((await again()).status).toBe(503);
    for (const order of list.orders) Object.assign(order, { finishTime: order.finishTime - 400 });
    await createOrderTracker({ api, store, deliver() {}, review() {} }).sync();
    ordersRecorded.mockClear();
    pay();
    list.requests = 0;
    expect((await again()).status).toBe(409);
    expect(list.requests).toBeLessThanOrEqual(2);
    expect(ordersRecorded).toHaveBeenCalledOnce();
  });

  it('although the clock was ahead during the last sync', async () => {
    const { store, again, pay } = await setUp();
    await writeWatermark(store, seconds() + 3600);
    pay();
    expect((await again()).status).toBe(409);
  });
});
