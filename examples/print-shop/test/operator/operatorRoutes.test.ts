import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type OperatorService, type OperatorSessions, operatorRoutes } from 'operator-page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config, type Shop, startShop } from '../support/startShop.js';

const password = config.operatorPassword ?? '';
const PATHS = ['/api/operator/overview', '/api/operator/orders', '/api/operator/search?text=r1'];

const forwardedFor = (index: number): Record<string, string> => ({
  'X-Forwarded-For': `203.0.113.${index}`,
});

describe('/api/operator', () => {
  let shop: Shop;
  const clock = { ms: Date.now() };
  beforeAll(async () => {
    shop = await startShop({}, { now: () => clock.ms });
  });
  afterAll(() => shop.close());

  it('accepts requests between sign-in and sign-out', async () => {
    const operator = await shop.visit();
    const statuses = async () =>
      Promise.all(PATHS.map(async (path) => (await operator.send(path)).status));
    expect(await statuses()).toEqual([401, 401, 401]);
    expect(await operator.json('/api/operator/session')).toEqual({ signedIn: false });
    expect((await operator.login()).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await operator.json('/api/operator/session')).toEqual({ signedIn: true });
    expect(await operator.json(PATHS[0] ?? '')).toEqual({
      cases: [],
      moreCases: 0,
      sync: { nextAt: expect.any(Number), why: 'first', failures: 0 },
      refusedWebhooks: 0,
      webhooks: [],
    });
    const token = operator.jar.get('__Secure-operator') ?? '';
    expect((await operator.send('/api/operator/session', { method: 'DELETE' })).status).toBe(200);
    // The former cookie is invalid, even if someone has kept a copy.
    operator.jar.set('__Secure-operator', token);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it.each(['', 'x', `${password}x`, password.toUpperCase(), password.slice(0, -1)])(
    'rejects the password %j without setting a cookie',
    async (wrong) => {
      const visitor = await shop.visit();
      const response = await visitor.post(
        '/api/operator/session',
        { password: wrong },
        { 'X-Forwarded-For': '203.0.113.9' },
      );
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie().join()).not.toContain('operator=');
    },
  );

  it('ignores a cookie that it did not send', async () => {
    const visitor = await shop.visit();
    visitor.jar.set('__Secure-operator', 'A'.repeat(43));
    expect((await visitor.send(PATHS[0] ?? '')).status).toBe(401);
  });

  it('sends an HttpOnly cookie for its own path that is SameSite=Strict', async () => {
    const response = await (await shop.visit()).login();
    const cookie = response.headers
      .getSetCookie()
      .find((line) => line.startsWith('__Secure-operator='));
    expect(cookie).toMatch(/; Path=\/api\/operator; /);
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('ignores two cookies with its name', async () => {
    const operator = await shop.visit();
    await operator.login();
    const own = `__Secure-operator=${operator.jar.get('__Secure-operator')}`;
    const statuses = await Promise.all(
      [own, `${own}; __Secure-operator=${'A'.repeat(43)}`].map(
        async (Cookie) => (await operator.send(PATHS[0] ?? '', { headers: { Cookie } })).status,
      ),
    );
    expect(statuses).toEqual([200, 401]);
  });

  it.each([
    ['is Secure behind a proxy that terminates TLS', { 'X-Forwarded-Proto': 'https' }, 'Secure; '],
    ['is accepted by browsers without TLS on loopback', {}, ''],
  ])('sets a cookie that %s', async (_what, headers, secure) => {
    const shopOrigins = ['https://shop.example', 'http://127.0.0.1:4000'];
    const local = await startShop({ trustProxy: 1, shopOrigins });
    const visitor = await local.visit();
    const response = await visitor.post('/api/operator/session', { password }, headers);
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('operator='));
    expect(cookie).toContain(`; HttpOnly; ${secure}SameSite=Strict`);
    await local.close();
  });

  it('ends a session after eight hours, even if the browser keeps the cookie', async () => {
    const operator = await shop.visit();
    await operator.login();
    clock.ms += 8 * 3_600_000 - 1000;
    expect((await operator.send(PATHS[0] ?? '')).status).toBe(200);
    clock.ms += 2000;
    expect((await operator.send(PATHS[0] ?? '')).status).toBe(401);
  });

  it.each([
    ['does not sign in', 'POST', '/api/operator/session', { password }],
    ['does not sign out', 'DELETE', '/api/operator/session', undefined],
    ['does not close a case', 'POST', '/api/operator/cases/o1/handled', {}],
    ['does not open a case again', 'POST', '/api/operator/cases/o1/reopen', {}],
    ['does not deliver', 'POST', '/api/operator/orders/o1/retry', {}],
  ])('%s for a page of another origin', async (_what, method, path, body) => {
    const operator = await shop.visit();
    await operator.login();
    for (const Origin of ['https://other.example', 'null', '']) {
      const response = await operator.send(path, {
        method,
        headers: { Origin, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect(response.status).toBe(403);
    }
    expect(await operator.json('/api/operator/session')).toEqual({ signedIn: true });
  });

  it.each([
    'filter=everything',
    'changedAt=-1',
    'changedAt=soon',
    'changedAt=1&orderId=%00',
    'changedAt=1&orderId=',
  ])('returns 400 for orders with %s', async (query) => {
    const operator = await shop.visit();
    await operator.login();
    expect((await operator.send(`/api/operator/orders?${query}`)).status).toBe(400);
  });

  it.each(['%00', 'o%00', '%1B', 'o'.repeat(257), 'unknown'])(
    'returns 404 for the case %j',
    async (orderId) => {
      const operator = await shop.visit();
      await operator.login();
      const path = `/api/operator/cases/${orderId}/handled`;
      const response = await operator.post(path, { outcome: 'closed', note: '' });
      expect(response.status).toBe(404);
    },
  );

  it.each([
    ['no outcome', { note: '' }, 'Send { outcome, note } as JSON.'],
    ['another outcome', { outcome: 'stolen', note: '' }, 'Send { outcome, note } as JSON.'],
    [
      'a note of 10,000 characters',
      { outcome: 'closed', note: 'é'.repeat(10_000) },
      'The note has 10,000 characters, and may have 2,000. Shorten it, and keep the rest in your support system.',
    ],
  ])('returns 400 for %s', async (_what, body, message) => {
    const operator = await shop.visit();
    await operator.login();
    const response = await operator.post('/api/operator/cases/o1/handled', body);
    expect([response.status, (await response.json()).error.message]).toEqual([400, message]);
  });

  it.each([
    ['', 'Enter what you search for.'],
    ['%20', 'Enter what you search for.'],
    [
      `short&text=${'x'.repeat(10_000)}`,
      'This text has 10,000 characters. A reference, order, wallet or transaction has at most 256: search for one of them.',
    ],
  ])('returns 400 for a search that cannot find anything', async (text, message) => {
    const operator = await shop.visit();
    await operator.login();
    const response = await operator.send(`/api/operator/search?text=${text}`);
    expect([response.status, (await response.json()).error.message]).toEqual([400, message]);
  });

  it('accepts ten texts to search for, and no more', async () => {
    const operator = await shop.visit();
    await operator.login();
    const search = async (count: number) => {
      const query = Array.from({ length: count }, (_, i) => `text=r${i}`).join('&');
      return (await operator.send(`/api/operator/search?${query}`)).status;
    };
    expect([await search(10), await search(11)]).toEqual([200, 400]);
  });

  it.each(['%00', 'o'.repeat(257), 'unknown'])(
    'returns 404 for another delivery of %j',
    async (orderId) => {
      const operator = await shop.visit();
      await operator.login();
      const response = await operator.post(`/api/operator/orders/${orderId}/retry`, {});
      expect(response.status).toBe(404);
    },
  );

  it('delivers nothing again unless signed in', async () => {
    const visitor = await shop.visit();
    expect((await visitor.post('/api/operator/orders/o1/retry', {})).status).toBe(401);
  });

  it.each(['%25', '_', '%00', '%ED%A0%80', '%E2%80%AE0x', "'%20or%201=1"])(
    'finds nothing by %s',
    async (text) => {
      const operator = await shop.visit();
      await operator.login();
      const response = await operator.send(`/api/operator/search?text=${text}`);
      expect([response.status, await response.json()]).toEqual([
        200,
        { checkouts: [], unmatched: [], isCut: false },
      ]);
    },
  );

  it.each(['reference=unknown', 'orderId=unknown', 'orderId=%00', 'reference=%25', ''])(
    'returns 404 for the details of %j',
    async (query) => {
      const operator = await shop.visit();
      await operator.login();
      expect((await operator.send(`/api/operator/details?${query}`)).status).toBe(404);
    },
  );

  it('does not open a case again that was not handled', async () => {
    const operator = await shop.visit();
    await operator.login();
    for (const body of [{}, { handledAt: 'now' }, { handledAt: 1 }])
      expect((await operator.post('/api/operator/cases/o1/reopen', body)).status).toBe(409);
  });
});

describe('The sign-in of the operator', () => {
  it.each([
    [10, 'an address', 0, () => ({})],
    [10, 'an address behind a trusted proxy', 1, () => ({ 'X-Forwarded-For': '203.0.113.1' })],
    [100, 'all addresses together behind a proxy that is not trusted', 0, forwardedFor],
  ])('accepts %i wrong passwords from %s', async (limit, _who, trustProxy, headers) => {
    const shop = await startShop({ logLevel: 'silent', trustProxy });
    const visitor = await shop.visit();
    const attempt = async (index: number, given: string) =>
      (await visitor.post('/api/operator/session', { password: given }, headers(index))).status;
    // Correct passwords do not count towards the limit.
    for (let index = 0; index < 12; index++) expect(await attempt(index, password)).toBe(200);
    const statuses: number[] = [];
    for (let index = 0; index < limit; index++) statuses.push(await attempt(index, 'wrong'));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await attempt(limit, 'wrong')).toBe(429);
    expect(await attempt(limit + 1, password)).toBe(429);
    await shop.close();
  });

  it('counts each address behind a trusted proxy', async () => {
    const shop = await startShop({ logLevel: 'silent', trustProxy: 1 });
    const visitor = await shop.visit();
    for (let index = 0; index < 12; index++) {
      const body = { password: 'wrong' };
      const response = await visitor.post('/api/operator/session', body, forwardedFor(index));
      expect(response.status).toBe(401);
    }
    await shop.close();
  });

  it('is disabled without OPERATOR_PASSWORD', async () => {
    const shop = await startShop({ operatorPassword: undefined });
    const visitor = await shop.visit();
    for (const given of ['', 'undefined']) expect((await visitor.login(given)).status).toBe(404);
    for (const path of PATHS) expect((await visitor.send(path)).status).toBe(404);
    await shop.close();
  });

  it('ends all sessions when the password changes', async () => {
    const first = await startShop();
    const operator = await first.visit();
    await operator.login();
    const { databaseFile } = first;
    const same = await startShop({ databaseFile });
    const other = await startShop({ databaseFile, operatorPassword: 'another-password-of-it' });
    const statuses = await Promise.all(
      [first, same, other].map(
        async ({ url }) =>
          (
            await fetch(`${url}/api/operator/overview`, {
              headers: { Cookie: `__Secure-operator=${operator.jar.get('__Secure-operator')}` },
            })
          ).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 401]);
    await other.close();
    await same.close();
    await first.close();
  });
});

describe('an action of the operator that syncs', () => {
  const post = async (given: Partial<OperatorService>, path = 'sync') => {
    const app = express();
    const sessions = { isSignedIn: async () => true } as unknown as OperatorSessions;
    const service = given as OperatorService;
    app.use(
      operatorRoutes({
        origins: config.shopOrigins,
        operator: { sessions, service },
        loginLimit: (_req, _res, next) => next(),
      }),
    );
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { Origin: config.shopOrigins[0] ?? '' };
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', headers });
    server.close();
    return [response.status, await response.json()];
  };

  it('says whether it was this request that read the order list', async () => {
    for (const isSynced of [true, false])
      expect(await post({ sync: async () => isSynced })).toEqual([200, { isSynced }]);
  });

  it('says that the order list cannot be read, without the reason', async () => {
    const [status, body] = await post({ sync: () => Promise.reject(new Error('canary')) });
    expect(status).toBe(503);
    expect(body.error.message).toMatch(/^The service's order list could not be read\./);
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  it('says what became of another delivery, or that the order list cannot be read', async () => {
    const retry = (retryDelivery: OperatorService['retryDelivery']) =>
      post({ retryDelivery }, 'orders/o1/retry');
    for (const result of ['delivered', 'failed', 'pending'] as const)
      expect(await retry(async () => result)).toEqual([200, { result }]);
    const [status, body] = await retry(() => Promise.reject(new Error('canary')));
    expect([status, JSON.stringify(body).includes('canary')]).toEqual([503, false]);
  });
});
