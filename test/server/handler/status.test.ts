import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { memoryOrderStore, RampError } from '../../../src/server/index.js';
import { sqliteDialect, sqlOrderStore } from '../../../src/server/sql/index.js';
import { createSqliteDatabase } from '../../support/database/sqlDatabases.js';
import { createTestHandler, origin } from '../../support/server/createTestHandler.js';
import { getHeaderShopper } from '../../support/server/headerShopper.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';

async function setUp(options: Partial<RampHandlerOptions<unknown>> = {}) {
  const store = memoryOrderStore();
  await store.saveCheckout(onRampCheckout());
  const handler = createTestHandler(
    { ...{ store, getShopper: getHeaderShopper }, ...options },
    { now: () => baseTime * 1000 },
  );
  const send = async (user?: string, reference = 'r1', method = 'GET') => {
    const response = await handler(
      new Request(`https://shop.example/api/ramp/checkouts/${reference}`, {
        method,
        headers: { origin, ...(user && { 'x-user': user }) },
      }),
    );
    return { response, json: await response.json() };
  };
  return { store, handler, send };
}

describe('GET /checkouts/:reference', () => {
  it('responds with 304 and no body while the state is that of the ETag, and may not be cached', async () => {
    const { store, handler, send } = await setUp();
    const { response, json } = await send('u1');
    const tag = response.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const request = async (known: string, user = 'u1') => {
      const headers = { origin, 'x-user': user, 'if-none-match': known };
      const again = await handler(
        new Request('https://shop.example/api/ramp/checkouts/r1', { headers }),
      );
      return { again, text: await again.text() };
    };
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const { again, text } = await request(known);
      expect([again.status, text, again.headers.get('etag')]).toEqual([304, '', tag]);
      expect(again.headers.get('cache-control')).toBe('no-store');
    }
    expect((await request('"other"')).text).toBe(JSON.stringify(json));
    expect((await request(tag, 'u2')).again.status).toBe(404);
    await store.recordOrders([onRampOrder()], baseTime);
    const { again, text } = await request(tag);
    expect([again.status, JSON.parse(text).progress]).toEqual([200, 'finished']);
  });

  it('reports a getShopper that returns a number as id, which never equals a subject', async () => {
    const onError = vi.fn();
    const { send } = await setUp({ getShopper: () => ({ id: 42 }) as never, onError });
    const { response, json } = await send();
    expect(response.status).toBe(500);
    expect(json.error.message).toContain('String(user.id)');
    expect(onError).toHaveBeenCalledOnce();
  });

  it('responds with 503 and Retry-After when the store is busy, without its message', async () => {
    const onError = vi.fn();
    const { store, send } = await setUp({ onError });
    const busy = new RampError('ERR_TIMEOUT', 'All 10 connections were in use.');
    vi.spyOn(store, 'findCheckout').mockRejectedValue(busy);
    const { response, json } = await send('u1');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(json.error).toEqual({
      code: 'ERR_TIMEOUT',
      message: 'The backend is busy. Try again in a moment.',
    });
    expect(onError.mock.calls).toEqual([[busy]]);
  });

  it('returns the state to the subject that owns the checkout', async () => {
    const { store, send } = await setUp();
    expect((await send('u1')).json).toEqual({
      reference: 'r1',
      widget: 'on-ramp',
      progress: 'waiting',
      orders: [],
      pollAfterSeconds: 3,
    });
    await store.recordOrders([onRampOrder()], baseTime);
    const { response, json } = await send('u1');
    expect(json).toMatchObject({ progress: 'finished', orders: [{ currencyAmount: '100.00' }] });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it.each([
    ['another subject', 'u2', 'r1'],
    ['an anonymous caller', undefined, 'r1'],
    ['the owner with another reference', 'u1', 'r2'],
    ['the owner with an invalid reference', 'u1', '%00..%2f'],
  ])('returns only a 404 to %s', async (_, user, reference) => {
    const { send } = await setUp();
    const { response, json } = await send(user, reference);
    expect(response.status).toBe(404);
    expect(json).toEqual({
      error: { code: 'ERR_CHECKOUT_NOT_FOUND', message: 'Checkout not found.' },
    });
  });

  it('returns a 404 to another subject although the store returns every checkout', async () => {
    const store = memoryOrderStore();
    const { findCheckout } = store;
    store.findCheckout = (reference) => findCheckout(reference);
    const { send } = await setUp({ store });
    await store.saveCheckout(onRampCheckout());
    expect((await send('u1')).response.status).toBe(200);
    expect((await send('u2')).response.status).toBe(404);
  });

  it.each(['%00', 'a%20b', 'a%2Fb', 'x'.repeat(129)])(
    'does not query the store for an invalid reference: %s',
    async (reference) => {
      const store = memoryOrderStore();
      const findCheckout = vi.spyOn(store, 'findCheckout');
      const { send } = await setUp({ store });
      expect((await send('u1', reference)).response.status).toBe(404);
      expect(findCheckout).not.toHaveBeenCalled();
      await send('u1', 'x'.repeat(128));
      expect(findCheckout).toHaveBeenCalledOnce();
    },
  );

  it('does not read the orders for a caller who does not own the checkout', async () => {
    const statements: string[] = [];
    const { target } = await createSqliteDatabase();
    const kysely = new Kysely({
      dialect: sqliteDialect(new DatabaseSync(target)),
      log: ({ query }) => void statements.push(query.sql),
    });
    onTestFinished(() => kysely.destroy());
    const store = sqlOrderStore(kysely);
    await store.saveCheckout(onRampCheckout());
    await store.recordOrders([onRampOrder()], baseTime);
    const { send } = await setUp({ store });
    const readsOf = async (user: string | undefined) => {
      statements.length = 0;
      await send(user);
      return [...statements];
    };
    await readsOf('u1');
    // The statement joins orders only to a checkout that it has found for the subject.
    expect(await readsOf('u2')).toEqual([
      expect.stringMatching(/"subject" = \?.*left join "ramp_orders"/),
    ]);
    expect(await readsOf('u1')).toEqual(await readsOf('u2'));
    expect(await readsOf(undefined)).toEqual([]);
  });

  it('returns 405 for other methods than GET', async () => {
    const { send } = await setUp();
    const { response } = await send('u1', 'r1', 'DELETE');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it.each([
    [
      'the store fails',
      { findCheckout: () => Promise.reject(new Error('pg: down')) },
      getHeaderShopper,
    ],
    ['getShopper fails', {}, () => Promise.reject(new Error('pg: down'))],
  ])(
    'returns 500 when %s, without the cause or a statement about the charge',
    async (_, broken, who) => {
      const reported: unknown[] = [];
      const onError = (error: unknown) => reported.push(error);
      const store = { ...memoryOrderStore(), ...broken };
      const { send } = await setUp({ store, getShopper: who, onError });
      const { response, json } = await send('u1');
      expect([response.status, json.error.code]).toEqual([500, 'ERR_INTERNAL']);
      expect(json.error.message).toMatch(/could not be read/);
      expect(json.error.message).not.toMatch(/pg|charged/);
      expect(reported).toMatchObject([{ cause: { message: 'pg: down' } }]);
    },
  );
});
