import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, RampError } from '../../../src/server/index.js';
import { callHandler, createTestHandler, wallet } from '../../support/server/createTestHandler.js';
import { baseTime, onRampCheckout } from '../../support/server/orderFixtures.js';

/** The routes that ask who sends a request. The checkout `r1` belongs to the shopper `u1`. */
const routes = [
  ['POST', '/checkouts'],
  ['GET', '/checkouts'],
  ['GET', '/checkouts?references=r1'],
  ['GET', '/checkouts/r1'],
  ['POST', '/checkouts/r1/opened'],
  ['POST', '/checkouts/r1/continue'],
] as const;

const api = { fiatCurrencies() {}, cryptoCurrencies() {}, quote() {}, readOrders: async () => {} };

/** Creates a handler on a store with an opened checkout, whose `getShopper` returns `shopper`. */
async function setUp(getShopper: (caller: { request: Request; context: unknown }) => unknown) {
  const store = memoryOrderStore();
  const params = { partnerId: 'p1', walletAddress: wallet, ext: 'r1' };
  await store.saveCheckout(onRampCheckout({ params }));
  await store.markOpened('r1', baseTime);
  const onError = vi.fn();
  const policy = vi.fn(() => ({ params: { walletAddress: wallet } }));
  const handler = createTestHandler(
    { ...{ store, onError, policy, api: api as never }, getShopper: getShopper as never },
    { now: () => baseTime * 1000 },
  );
  const send = (method: string, path: string) =>
    callHandler(handler, { method, path: `/api/ramp${path}` });
  return { store, handler, onError, policy, send };
}

describe.each(routes)('%s %s', (method, path) => {
  it.each<readonly [string, () => unknown]>([
    ['an object', () => ({ id: 'u1', wallets: { ETH: wallet } })],
    ['a promise of an object', async () => ({ id: 'u1' })],
    [
      'an instance of a class',
      () =>
        new (class User {
          readonly id = 'u1';
        })(),
    ],
  ])('knows the shopper if getShopper returns %s', async (_, getShopper) => {
    const { send, onError } = await setUp(getShopper);
    const { status } = await send(method, path);
    expect([200, 201, 204]).toContain(status);
    expect(onError).not.toHaveBeenCalled();
  });

  it.each<readonly [string, unknown, string]>([
    ['text', 'u1', 'returned text: it must return an object with the id, such as { id: userId }'],
    ['empty text', '', 'returned text: it must return an object'],
    ['a promise as id', { id: Promise.resolve('u1') }, 'an id that is a Promise: await it'],
    [
      'a number as id',
      { id: 7 },
      'an id that is a number: it must be text, such as String(user.id)',
    ],
    ['a bigint as id', { id: 7n }, 'an id that is a bigint: it must be text, such as String'],
    ['an empty id', { id: '' }, 'an object without an id: return the user or session with its id'],
    ['null as id', { id: null }, 'an object without an id'],
    ['an object without an id', { userId: 'u1' }, 'an object without an id'],
    ['a boolean', true, 'an object without an id'],
    ['a number', 7, 'an object without an id'],
    ['false, as from a && expression', false, 'an object without an id'],
  ])('returns 500 and reports it if getShopper returns %s', async (_, shopper, message) => {
    for (const result of [shopper, Promise.resolve(shopper)]) {
      const { send, onError, policy } = await setUp(() => result);
      const { status, json } = await send(method, path);
      expect([status, json.error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
      expect(json.error.message).toMatch(/^getShopper returned .*\.$/);
      expect(json.error.message).toContain(message);
      expect(onError).toHaveBeenCalledOnce();
      expect(policy).not.toHaveBeenCalled();
    }
  });

  it('passes on a RampError that getShopper throws', async () => {
    const error = new RampError('ERR_TIMEOUT', 'All 10 connections were in use.');
    const { send, onError, policy } = await setUp(() => Promise.reject(error));
    const { status, json } = await send(method, path);
    expect([status, json.error.code]).toEqual([503, 'ERR_TIMEOUT']);
    expect(json.error.message).not.toContain('connections');
    expect(onError.mock.calls).toEqual([[error]]);
    expect(policy).not.toHaveBeenCalled();
  });

  it('returns 500 for any other error, and tells only onError what happened', async () => {
    const error = new Error('no session store at 10.0.0.7');
    for (const fail of [
      () => Promise.reject(error),
      () => {
        throw error;
      },
    ]) {
      const { send, onError, policy } = await setUp(fail);
      const { status, json } = await send(method, path);
      expect([status, json.error.code]).toEqual([500, 'ERR_INTERNAL']);
      expect(JSON.stringify(json)).not.toContain('10.0.0.7');
      expect(onError).toHaveBeenCalledOnce();
      const [reported] = onError.mock.calls[0] as [Error];
      expect([reported, reported.cause]).toContain(error);
      expect(policy).not.toHaveBeenCalled();
    }
  });

  it.each<readonly [string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a promise of undefined', async () => undefined],
  ])('treats a caller as signed out if getShopper returns %s', async (_, getShopper) => {
    const { send, store, onError, policy } = await setUp(getShopper);
    const calls = (['findCheckout', 'listCheckouts', 'saveCheckout'] as const).map((name) =>
      vi.spyOn(store, name),
    );
    const { status, json } = await send(method, path);
    if (method === 'POST' && path === '/checkouts')
      expect([status, json]).toEqual([
        401,
        { error: { code: 'ERR_SIGNED_OUT', message: 'Sign in to buy.' } },
      ]);
    else if (path.startsWith('/checkouts/')) {
      expect([status, json.error.message]).toEqual([404, 'Checkout not found.']);
    } else expect([status, json]).toMatchObject([200, { checkouts: [] }]);
    if (path.includes('references')) expect(json.named).toEqual([]);
    for (const call of calls) expect(call).not.toHaveBeenCalled();
    expect(policy).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('getShopper', () => {
  it('gets the request and the context, and the policy gets the same object', async () => {
    const shopper = { id: 'u1', wallets: { ETH: wallet } };
    const getShopper = vi.fn((_: { request: Request; context: unknown }) => shopper);
    const { handler, policy } = await setUp(getShopper);
    const request = new Request('https://shop.example/api/ramp/checkouts', {
      method: 'POST',
      headers: { origin: 'https://shop.example', 'content-type': 'application/json' },
      body: '{"widget":"on-ramp"}',
    });
    const respond = handler as (request: Request, context: unknown) => Promise<Response>;
    expect((await respond(request, { session: 's1' })).status).toBe(201);
    expect(getShopper.mock.calls).toEqual([[{ request, context: { session: 's1' } }]]);
    const [given] = policy.mock.calls[0] as unknown as [{ shopper: unknown; context: unknown }];
    expect(given.shopper).toBe(shopper);
    expect(given.context).toEqual({ session: 's1' });
  });

  it('is not called for prices, webhooks, preflights and requests of other origins', async () => {
    const getShopper = vi.fn(() => ({ id: 'u1' }));
    const { handler, send } = await setUp(getShopper);
    await send('GET', '/quote');
    await send('POST', '/webhook');
    await send('OPTIONS', '/checkouts');
    await callHandler(handler, { headers: { origin: 'https://evil.example' } });
    expect(getShopper).not.toHaveBeenCalled();
  });

  it('is called once for each request', async () => {
    const getShopper = vi.fn(() => ({ id: 'u1' }));
    const { send } = await setUp(getShopper);
    for (const [method, path] of routes) await send(method, path);
    expect(getShopper).toHaveBeenCalledTimes(routes.length);
  });

  it('leaves out of the store everything but the id', async () => {
    const { store, send } = await setUp(() => ({ id: 'u7', email: 'ann@shop.example' }));
    const { json } = await send('POST', '/checkouts');
    const checkout = await store.findCheckout(json.reference);
    expect(checkout?.subject).toBe('u7');
    expect(JSON.stringify([checkout, json])).not.toContain('ann@');
  });
});
