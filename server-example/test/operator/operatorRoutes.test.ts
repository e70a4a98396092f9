import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config, type Shop, startShop } from '../support/startShop.js';

const password = config.operatorPassword ?? '';
const PATHS = ['/api/operator/overview', '/api/operator/orders'];

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
    expect(await statuses()).toEqual([401, 401]);
    expect(await operator.json('/api/operator/session')).toEqual({ signedIn: false });
    expect((await operator.login()).status).toBe(200);
    expect(await statuses()).toEqual([200, 200]);
    expect(await operator.json('/api/operator/session')).toEqual({ signedIn: true });
    expect(await operator.json(PATHS[0] ?? '')).toEqual({ cases: [], moreCases: 0, webhooks: [] });
    const token = operator.jar.get('__Secure-operator') ?? '';
    expect((await operator.send('/api/operator/session', { method: 'DELETE' })).status).toBe(200);
    // The former cookie is invalid, even if someone has kept a copy.
    operator.jar.set('__Secure-operator', token);
    expect(await statuses()).toEqual([401, 401]);
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
    'matchStatus=everything',
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
      const response = await operator.post(`/api/operator/cases/${orderId}/handled`, {});
      expect(response.status).toBe(404);
    },
  );
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
