import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore, type OrderToDeliver } from '../../../src/server/index.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import type { SyncRun } from '../../../src/server/orders/tracker/runSync.js';
import { createFakeTracker } from '../../support/server/createFakeTracker.js';
import { callHandler, createTestHandler, origin } from '../../support/server/createTestHandler.js';
import { createTestRamp } from '../../support/server/createTestRamp.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const syncSecret = 'k3Jq9vYt2LmX8pRw5sZc7dFh4gNb6aUe';
const url = 'https://shop.example/api/ramp/sync';
const bearer = { authorization: `Bearer ${syncSecret}` };

const setUp = () => {
  const tracker = createFakeTracker();
  const { sync } = tracker;
  const onError = vi.fn<(error: unknown) => void>();
  const handler = createTestHandler({ store: memoryOrderStore(), tracker, syncSecret, onError });
  const send = async (method: string, headers: Record<string, string> = {}, query = '') => {
    const response = await handler(new Request(url + query, { method, headers }));
    const text = await response.text();
    return { response, status: response.status, text };
  };
  return { send, sync, onError, handler };
};

/** Creates a handler in a new process, as the host of a function does for a request. */
const setUpProcesses = () => {
  const shared = { api: fakeApi(), store: memoryOrderStore(), clock: baseTime };
  const delivered: string[] = [];
  const create = (more: object = {}, onError = vi.fn()) => {
    const { api, store } = shared;
    const now = () => shared.clock * 1000;
    const deliver = ({ key }: OrderToDeliver) => void delivered.push(key);
    const review = () => {};
    const options = { api, store, deliver, review, onError, isServerless: true };
    const tracker = createOrderTracker(options, testRuntime({ now }));
    return createTestHandler({ store, tracker, syncSecret, onError, ...more }, { now });
  };
  const sync = async () => {
    const response = await create()(new Request(url, { headers: bearer }));
    return response.json();
  };
  // Each sync reads the newest orders once, up to the present. Its daily reading ends before that.
  const countSyncs = () => shared.api.ranges.filter(({ endTime }) => endTime >= baseTime).length;
  return { shared, create, sync, countSyncs, delivered };
};

describe('the route /sync', () => {
  it.each(['GET', 'POST'])(
    'runs a sync for %s with the secret, and returns its counts',
    async (method) => {
      const run = {
        ran: true,
        isComplete: true,
        listed: 3,
        recorded: 2,
        malformed: 1,
        delivered: 2,
      };
      const { send, sync } = setUp();
      sync.mockResolvedValue(run as SyncRun);
      const { response, text } = await send(method, bearer);
      expect([response.status, JSON.parse(text)]).toEqual([200, run]);
      expect(sync.mock.calls).toEqual([[{ onlyIfDue: true }]]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it.each<[string, Record<string, string>, string?]>([
    ['without a header', {}],
    ['with another secret', { authorization: `Bearer ${'x'.repeat(32)}` }],
    ['with the beginning of the secret', { authorization: `Bearer ${syncSecret.slice(0, 31)}` }],
    ['with a longer secret', { authorization: `Bearer ${syncSecret}x` }],
    ['with another scheme', { authorization: `Basic ${syncSecret}` }],
    ['with the secret alone', { authorization: syncSecret }],
    ['with more before the scheme', { authorization: `Basic bearer ${syncSecret}` }],
    ['with more after the secret', { authorization: `Bearer ${syncSecret} x` }],
    [
      'with the secret in the query',
      {},
      `?secret=${syncSecret}&authorization=Bearer%20${syncSecret}`,
    ],
    ['with the secret in another header', { 'x-cron-secret': syncSecret }],
  ])('returns the same 401 %s', async (_, headers, query) => {
    const { send, sync, onError } = setUp();
    const { response, text } = await send('GET', headers, query);
    const first = await send('GET');
    expect([response.status, text]).toEqual([401, first.text]);
    expect(JSON.parse(text).error.code).toBe('ERR_SYNC_SECRET');
    expect(JSON.parse(text).error.message).toContain('Authorization: Bearer');
    expect(text).not.toContain(syncSecret);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(sync).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });

  it('takes the scheme in any case, and several spaces', async () => {
    const { send } = setUp();
    expect((await send('GET', { authorization: `bEARER   ${syncSecret}` })).status).toBe(200);
  });

  it.each([{}, { authorization: 'Bearer undefined' }, bearer])(
    'returns 404 without syncSecret to a request with %j, although a tracker could sync',
    async (headers) => {
      const tracker = createFakeTracker();
      const handler = createTestHandler({ store: memoryOrderStore(), tracker });
      expect((await handler(new Request(url, { headers }))).status).toBe(404);
      expect(tracker.sync).not.toHaveBeenCalled();
    },
  );

  it('returns 404 without syncSecret, even with a header', async () => {
    const handler = createTestHandler({ store: memoryOrderStore() });
    const { status, json } = await callHandler(handler, {
      path: '/api/ramp/sync',
      headers: { authorization: 'Bearer ' },
    });
    expect([status, json.error.code]).toEqual([404, 'ERR_NOT_FOUND']);
    expect(json.error.message).toContain('syncSecret');
  });

  it.each(['HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    'refuses %s with 405, and runs no sync',
    async (method) => {
      const { send, sync } = setUp();
      const { response, text } = await send(method, bearer);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
      if (method !== 'HEAD')
        expect(JSON.parse(text).error.message).toBe('Send this request with GET or POST.');
      expect(sync).not.toHaveBeenCalled();
    },
  );

  it.each(['GET', 'OPTIONS'])('sends no CORS headers to a page that sends %s', async (method) => {
    const { send, onError } = setUp();
    const { response } = await send(method, { ...bearer, origin });
    const names = [...response.headers.keys()];
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(onError).not.toHaveBeenCalled();
  });

  it('returns an error without details when the sync fails, and reports it', async () => {
    const error = new Error('password authentication failed for user "ramp"');
    const { send, sync, onError } = setUp();
    sync.mockRejectedValue(error);
    const { status, text } = await send('POST', bearer);
    expect([status, JSON.parse(text).error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(text).not.toContain('password');
    expect(onError).toHaveBeenCalledWith(error);
  });

  it('finds and delivers an order in one process that another one has granted', async () => {
    const { shared, sync, delivered } = setUpProcesses();
    await shared.store.saveCheckout(onRampCheckout());
    shared.api.orders = [onRampOrder()];
    expect(await sync()).toEqual({
      ran: true,
      isComplete: true,
      listed: 1,
      recorded: 1,
      malformed: 0,
      delivered: 1,
    });
    expect(delivered).toEqual(['o1:deliver']);
  });

  it('runs once for two requests at the same time, and once in ten seconds', async () => {
    const { shared, sync, countSyncs } = setUpProcesses();
    await shared.store.saveCheckout(onRampCheckout({ createdAt: baseTime }));
    const both = await Promise.all([sync(), sync()]);
    expect(both.map(({ ran }) => ran).sort()).toEqual([false, true]);
    shared.clock += 9;
    expect(await sync()).toEqual({ ran: false });
    expect(countSyncs()).toBe(1);
    shared.clock += 51;
    expect(await sync()).toMatchObject({ ran: true });
  });
});

describe('serverless of createRamp', () => {
  const create = (syncSecret: unknown) =>
    createTestRamp({ serverless: { syncSecret: syncSecret as string } });

  it.each([
    ['less than 32 characters', 'x'.repeat(31)],
    ['more than 512 characters', 'x'.repeat(513)],
    ['spaces', `${'x'.repeat(16)} ${'x'.repeat(16)}`],
    ['a line break at the end', `${'x'.repeat(32)}\n`],
    ['characters outside ASCII', 'ü'.repeat(32)],
  ])('refuses a syncSecret with %s without repeating it', (_, secret) => {
    expect(() => create(secret)).toThrow(/syncSecret.*openssl rand -hex 32/);
    expect(() => create(secret)).not.toThrow(secret);
  });

  it.each(['x'.repeat(32), 'x'.repeat(512)])(
    'accepts a syncSecret of enough characters',
    (secret) => {
      expect(() => create(secret)).not.toThrow();
    },
  );

  it.each(['', undefined, null])(
    'names the environment variable that is not set if the secret is %o',
    (secret) => {
      expect(() => create(secret)).toThrow(/serverless\.syncSecret of createRamp is missing/);
    },
  );

  it('opens the route /sync to requests with the secret', async () => {
    const data = { page: 1, size: 20, totalCount: 0, list: [] };
    const fetch = async () => Response.json({ code: 10000, msg: 'success', data });
    const { handler } = createTestRamp({ serverless: { syncSecret } }, { fetch });
    expect((await handler(new Request(url))).status).toBe(401);
    const run = await handler(new Request(url, { headers: bearer }));
    expect([run.status, await run.json()]).toMatchObject([200, { ran: true, listed: 0 }]);
    const without = await createTestRamp().handler(new Request(url, { headers: bearer }));
    expect([without.status, (await without.json()).error.message]).toEqual([
      404,
      expect.stringContaining('createRamp has no serverless.syncSecret'),
    ]);
  });
});

describe('the handler with waitUntil', () => {
  const respond = () => vi.fn<(work: Promise<void>) => void>();

  it('begins a sync after a checkout, and responds before the sync has ended', async () => {
    const tracker = createFakeTracker();
    let end = () => {};
    tracker.syncForCheckout.mockReturnValue(new Promise<void>((resolve) => (end = resolve)));
    const waitUntil = respond();
    const handler = createTestHandler({ store: memoryOrderStore(), tracker, waitUntil });
    expect((await callHandler(handler)).status).toBe(201);
    expect(tracker.syncForCheckout).toHaveBeenCalledOnce();
    expect(waitUntil).toHaveBeenCalledWith(expect.any(Promise), {
      request: expect.any(Request),
      context: undefined,
    });
    end();
    await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
  });

  it('reads the list only when a sync is due, because requests may come at any time', async () => {
    const { shared, create, sync, countSyncs } = setUpProcesses();
    const open = async () => {
      const waitUntil = respond();
      expect((await callHandler(create({ waitUntil }))).status).toBe(201);
      await waitUntil.mock.calls[0]?.[0];
      return countSyncs();
    };
    expect(await open()).toBe(1);
    shared.clock += 59;
    expect(await open()).toBe(1);
    shared.clock += 1;
    expect(await open()).toBe(2);
    // A scheduled job may sync somewhat early.
    shared.clock += 40;
    expect(await open()).toBe(2);
    expect(await sync()).toMatchObject({ ran: true });
  });

  it('begins no sync without waitUntil', async () => {
    const tracker = createFakeTracker();
    const handler = createTestHandler({ store: memoryOrderStore(), tracker });
    expect((await callHandler(handler)).status).toBe(201);
    expect(tracker.syncForCheckout).not.toHaveBeenCalled();
  });

  it('begins no sync in a process that keeps running', async () => {
    const { shared, create } = setUpProcesses();
    const { api, store } = shared;
    const runtime = testRuntime({ warnOnce() {} });
    const options = { api, store, deliver() {}, review() {}, onError() {} };
    const tracker = createOrderTracker(options, runtime);
    const waitUntil = respond();
    expect((await callHandler(create({ tracker, waitUntil }))).status).toBe(201);
    await waitUntil.mock.calls[0]?.[0];
    expect(api.ranges).toEqual([]);
  });

  it('reports a failed sync to onError, and never rejects the promise', async () => {
    const { shared, create } = setUpProcesses();
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    const waitUntil = respond();
    const onError = vi.fn();
    expect((await callHandler(create({ waitUntil }, onError))).status).toBe(201);
    await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeUndefined();
    expect(onError.mock.calls).toEqual([[new Error('the service is down')]]);
  });

  it('waits for the work if waitUntil throws, for example outside a request of Next', async () => {
    const { create, countSyncs } = setUpProcesses();
    const error = new Error('`after` was called outside a request scope');
    const onError = vi.fn();
    const waitUntil = () => {
      throw error;
    };
    expect((await callHandler(create({ waitUntil, onError }))).status).toBe(201);
    expect(onError).toHaveBeenCalledWith(error);
    expect(countSyncs()).toBe(1);
  });
});
