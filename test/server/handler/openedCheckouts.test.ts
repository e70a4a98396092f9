import { describe, expect, it } from 'vitest';
import {
  createOrderTracker,
  memoryOrderStore,
  type RampHandlerOptions,
} from '../../../src/server/index.js';
import { callHandler, createTestHandler, origin } from '../../support/server/createTestHandler.js';
import { baseTime, onRampIntent } from '../../support/server/orderFixtures.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';

async function checkout(options: Partial<RampHandlerOptions<unknown>>, store = memoryOrderStore()) {
  let now = baseTime;
  const handler = createTestHandler({ store, now: () => now * 1000, ...options });
  const { json } = await callHandler(handler);
  const { reference } = json;
  const get = (path: string) =>
    handler(
      new Request(`https://shop.example/api/ramp/checkouts/${reference}${path}`, {
        headers: { origin },
      }),
    );
  const openedAt = async () => (await store.findCheckout(reference))?.openedAt;
  return { store, get, openedAt, pass: (seconds: number) => (now += seconds) };
}

describe('createRampHandler and opened checkouts', () => {
  it('marks a checkout as opened when its state is first requested', async () => {
    const { get, openedAt, pass } = await checkout({ getSubject: 'anyone' });
    expect(await openedAt()).toBeUndefined();
    pass(5);
    expect((await get('')).status).toBe(200);
    pass(5);
    await get('');
    expect(await openedAt()).toBe(baseTime + 5);
  });

  it('marks a checkout as opened when its events are requested', async () => {
    const { get, openedAt } = await checkout({ getSubject: 'anyone' });
    const { body } = await get('/events');
    await body?.cancel();
    expect(await openedAt()).toBe(baseTime);
  });

  it('does not mark a checkout as opened for another subject', async () => {
    const { get, openedAt } = await checkout({ getSubject: () => 'somebody else' });
    expect((await get('')).status).toBe(404);
    expect(await openedAt()).toBeUndefined();
  });

  it('marks each new checkout as opened without getSubject', async () => {
    const { openedAt } = await checkout({});
    expect(await openedAt()).toBe(baseTime);
  });

  it('returns the state even if the checkout cannot be marked as opened', async () => {
    const store = { ...memoryOrderStore(), markOpened: () => Promise.reject(new Error('down')) };
    const { get } = await checkout({ getSubject: 'anyone' }, store);
    expect((await get('')).status).toBe(200);
  });
});

describe('a full sync', () => {
  const DAY = 86_400;

  it('deletes unopened checkouts a week after they expired, and opened ones after five weeks', async () => {
    const store = memoryOrderStore();
    const expired = { createdAt: baseTime - 40 * DAY, expiresAt: baseTime };
    await store.saveIntent(onRampIntent({ reference: 'unopened', ...expired }));
    await store.saveIntent(onRampIntent({ reference: 'opened', ...expired }));
    await store.markOpened('opened', baseTime);
    const keptAfter = async (days: number) => {
      const now = () => (baseTime + days * DAY + 1) * 1000;
      await createOrderTracker({ api: fakeApi(), store, now }).sync();
      const found = await Promise.all(['unopened', 'opened'].map((one) => store.findCheckout(one)));
      return found.flatMap((checkout) => checkout?.intent.reference ?? []);
    };
    expect(await keptAfter(6)).toEqual(['unopened', 'opened']);
    expect(await keptAfter(7)).toEqual(['opened']);
    expect(await keptAfter(34)).toEqual(['opened']);
    expect(await keptAfter(35)).toEqual([]);
  });
});
