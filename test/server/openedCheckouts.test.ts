import { describe, expect, it } from 'vitest';
import {
  createOrderTracker,
  memoryOrderStore,
  type RampHandlerOptions,
} from '../../src/server/index.js';
import { at, onRampIntent } from '../support/orders.js';
import { makeHandler, origin, send } from '../support/ramp-handler.js';
import { fakeApi } from '../support/tracker.js';

async function checkout(options: Partial<RampHandlerOptions<unknown>>, store = memoryOrderStore()) {
  let now = at;
  const handler = makeHandler({ store, now: () => now * 1000, ...options });
  const { json } = await send(handler);
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

describe('a checkout', () => {
  it('is opened when its state is first requested', async () => {
    const { get, openedAt, pass } = await checkout({ subjectOf: 'anyone' });
    expect(await openedAt()).toBeUndefined();
    pass(5);
    expect((await get('')).status).toBe(200);
    pass(5);
    await get('');
    expect(await openedAt()).toBe(at + 5);
  });

  it('is opened when its events are requested', async () => {
    const { get, openedAt } = await checkout({ subjectOf: 'anyone' });
    const { body } = await get('/events');
    await body?.cancel();
    expect(await openedAt()).toBe(at);
  });

  it('is not opened by a stranger', async () => {
    const { get, openedAt } = await checkout({ subjectOf: () => 'somebody else' });
    expect((await get('')).status).toBe(404);
    expect(await openedAt()).toBeUndefined();
  });

  it('counts as opened where nobody can request its state', async () => {
    const { openedAt } = await checkout({});
    expect(await openedAt()).toBe(at);
  });

  it('is shown even when it cannot be marked as opened', async () => {
    const store = { ...memoryOrderStore(), markOpened: () => Promise.reject(new Error('down')) };
    const { get } = await checkout({ subjectOf: 'anyone' }, store);
    expect((await get('')).status).toBe(200);
  });
});

describe('a sync', () => {
  const DAY = 86_400;

  it('deletes unopened checkouts a week after they expired, and opened ones after five weeks', async () => {
    const store = memoryOrderStore();
    const expired = { createdAt: at - 40 * DAY, expiresAt: at };
    await store.saveIntent(onRampIntent({ reference: 'unopened', ...expired }));
    await store.saveIntent(onRampIntent({ reference: 'opened', ...expired }));
    await store.markOpened('opened', at);
    const keptAfter = async (days: number) => {
      const now = () => (at + days * DAY + 1) * 1000;
      await createOrderTracker({ api: fakeApi(), store, now }).sweep();
      const found = await Promise.all(['unopened', 'opened'].map(store.findCheckout));
      return found.flatMap((checkout) => checkout?.intent.reference ?? []);
    };
    expect(await keptAfter(6)).toEqual(['unopened', 'opened']);
    expect(await keptAfter(7)).toEqual(['opened']);
    expect(await keptAfter(34)).toEqual(['opened']);
    expect(await keptAfter(35)).toEqual([]);
  });
});
