import { describe, expect, it } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { memoryOrderStore } from '../../../src/server/index.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import { callHandler, createTestHandler, origin } from '../../support/server/createTestHandler.js';
import { baseTime, onRampCheckout } from '../../support/server/orderFixtures.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import { testRuntime } from '../../support/server/testRuntime.js';

async function checkout(options: Partial<RampHandlerOptions<unknown>>, store = memoryOrderStore()) {
  let now = baseTime;
  const handler = createTestHandler({ store, ...options }, { now: () => now * 1000 });
  const { json } = await callHandler(handler);
  const { reference } = json;
  const send = (path: string, method = 'GET', headers: Record<string, string> = { origin }) =>
    handler(new Request(`https://shop.example/api/ramp/checkouts${path}`, { method, headers }));
  const report = (headers?: Record<string, string>) =>
    send(`/${reference}/opened`, 'POST', headers);
  const openedAt = async () => (await store.findCheckout(reference))?.openedAt;
  return { store, reference, send, report, openedAt, pass: (seconds: number) => (now += seconds) };
}

describe('POST /checkouts/:reference/opened', () => {
  it('marks a checkout as opened, and responds with 204 each time', async () => {
    const { report, openedAt, pass } = await checkout({});
    expect(await openedAt()).toBeUndefined();
    for (let times = 0; times < 3; times++) {
      pass(5);
      const response = await report();
      expect([response.status, await response.text()]).toEqual([204, '']);
    }
    expect(await openedAt()).toBe(baseTime + 5);
  });

  it('is the only route that marks a checkout as opened', async () => {
    const { send, reference, openedAt } = await checkout({});
    for (const path of [`/${reference}`, '', `?references=${reference}`])
      expect((await send(path)).status).toBe(200);
    expect(await openedAt()).toBeUndefined();
  });

  it('responds with 404 to another subject, and to the owner with another reference', async () => {
    const callers = [{ id: 'u1' }, { id: 'somebody else' }];
    const stranger = await checkout({ getShopper: () => callers.shift() });
    const refused = await stranger.report();
    expect(refused.status).toBe(404);
    expect(await stranger.openedAt()).toBeUndefined();
    const { send } = await checkout({});
    const unknown = await send('/unknown/opened', 'POST');
    expect([unknown.status, await unknown.text()]).toEqual([404, await refused.text()]);
  });

  it('needs an allowed origin or a bearer token, as the other POST routes', async () => {
    const { report, openedAt } = await checkout({ allowBearer: true });
    for (const headers of [{ origin: 'https://evil.example' }, {}, { cookie: 'a=b' }])
      expect((await report(headers as Record<string, string>)).status).toBe(403);
    expect(await openedAt()).toBeUndefined();
    expect((await report({ authorization: 'Bearer app1' })).status).toBe(204);
  });

  it('responds with 405 to other methods', async () => {
    const { send, reference } = await checkout({});
    const response = await send(`/${reference}/opened`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('responds with 500 if the store fails', async () => {
    const store = { ...memoryOrderStore(), markOpened: () => Promise.reject(new Error('down')) };
    const { report } = await checkout({ onError: () => {} }, store);
    expect((await report()).status).toBe(500);
  });
});

describe('a full sync', () => {
  const DAY = 86_400;

  it('deletes unopened checkouts a week after they expired, and opened ones after five weeks', async () => {
    const store = memoryOrderStore();
    const expired = { createdAt: baseTime - 40 * DAY, expiresAt: baseTime };
    await store.saveCheckout(onRampCheckout({ reference: 'unopened', ...expired }));
    await store.saveCheckout(onRampCheckout({ reference: 'opened', ...expired }));
    await store.markOpened('opened', baseTime);
    const keptAfter = async (days: number) => {
      const now = () => (baseTime + days * DAY + 1) * 1000;
      const nothing = () => {};
      await createOrderTracker(
        { api: fakeApi(), store, deliver: nothing, review: nothing },
        testRuntime({ now }),
      ).sync();
      const found = await Promise.all(['unopened', 'opened'].map((one) => store.findCheckout(one)));
      return found.flatMap((checkout) => checkout?.reference ?? []);
    };
    expect(await keptAfter(6)).toEqual(['unopened', 'opened']);
    expect(await keptAfter(7)).toEqual(['opened']);
    expect(await keptAfter(34)).toEqual(['opened']);
    expect(await keptAfter(35)).toEqual([]);
  });
});
