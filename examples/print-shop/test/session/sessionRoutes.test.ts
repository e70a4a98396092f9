import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Shop, startShop } from '../support/startShop.js';

describe('/api/session', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  it('signs in the first visit, and keeps its shopper', async () => {
    const shopper = await shop.visit();
    const first = await shopper.session();
    expect(first).toMatchObject({ signedIn: true, name: 'Demo shopper A' });
    await shopper.send('/');
    expect(await shopper.session()).toEqual(first);
  });

  it('sends an HttpOnly cookie that is SameSite=Lax', async () => {
    const cookies = (await fetch(shop.url)).headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/samesite=lax; secure; httponly/);
  });

  it('sends a __Host- cookie when all origins are https, with any headers of the proxy', async () => {
    const cookies = (await fetch(shop.url)).headers.getSetCookie();
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-shop(?:\.sig)?=.*; path=\/; .*; secure;/);
      expect(cookie).not.toMatch(/domain/i);
    }
  });

  it('sends a cookie that browsers accept without TLS on loopback', async () => {
    const local = await startShop({ shopOrigins: ['http://127.0.0.1:4000'] });
    for (const cookie of (await fetch(local.url)).headers.getSetCookie()) {
      expect(cookie).toMatch(/^shop(?:\.sig)?=/);
      expect(cookie).not.toContain('secure');
    }
    await local.close();
  });

  it('ignores two cookies with one name, because a sibling host may have set one', async () => {
    const [victim, attacker] = [await shop.visit(), await shop.visit()];
    for (const order of [
      [attacker, victim],
      [victim, attacker],
    ]) {
      const Cookie = order.flatMap(({ jar }) => [...jar].map((pair) => pair.join('='))).join('; ');
      const { signedIn } = await (
        await fetch(`${shop.url}/api/session`, { headers: { Cookie } })
      ).json();
      expect(signedIn).toBe(false);
    }
  });

  it('marks its cookie Secure behind a proxy that terminates TLS', async () => {
    const shopOrigins = ['https://shop.example', 'http://127.0.0.1:4000'];
    const behindProxy = await startShop({ trustProxy: 1, shopOrigins });
    const response = await fetch(behindProxy.url, { headers: { 'X-Forwarded-Proto': 'https' } });
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; secure/);
    await behindProxy.close();
  });

  it('switches accounts and signs out', async () => {
    const shopper = await shop.visit();
    const a = await shopper.session();
    const b = await (await shopper.post('/api/session', { account: 'b' })).json();
    expect(b.name).toBe('Demo shopper B');
    expect(b.wallets.evm).not.toBe(a.wallets?.evm);
    expect(b.wallets.bitcoin).not.toBe(a.wallets?.bitcoin);
    expect(await (await shopper.post('/api/session', { account: 'a' })).json()).toEqual(a);
    await shopper.send('/api/session', { method: 'DELETE' });
    await shopper.send('/');
    expect(await shopper.session()).toEqual({ signedIn: false, name: null, wallets: null });
  });

  it('ignores a cookie that it did not sign', async () => {
    const shopper = await shop.visit();
    const text = Buffer.from(shopper.jar.get('__Host-shop') ?? '', 'base64').toString();
    const session = JSON.stringify({ ...JSON.parse(text), visitor: 'AAAAAAAAAAAAAAAAAAAAAA' });
    shopper.jar.set('__Host-shop', Buffer.from(session).toString('base64'));
    expect(await shopper.session()).toMatchObject({ signedIn: false });
  });

  it.each([
    ['signing out', null],
    ['switching to the other account', 'b'],
  ])('rejects the former cookie after %s', async (_what, account) => {
    const shopper = await shop.visit();
    const { wallets } = await shopper.session();
    const former = new Map(shopper.jar);
    if (account) await shopper.post('/api/session', { account });
    else await shopper.send('/api/session', { method: 'DELETE' });
    const thief = await shop.visit();
    for (const [name, value] of former) thief.jar.set(name, value);
    expect(await thief.session()).toEqual({ signedIn: false, name: null, wallets: null });
    expect((await thief.checkout()).status).toBe(401);
    // The former cookie does not identify the visitor either: signing in with it creates a new visitor with new wallets.
    const other = await (await thief.post('/api/session', { account: 'a' })).json();
    expect(other.wallets.evm).not.toBe(wallets?.evm);
    const again = await (await shopper.post('/api/session', { account: 'a' })).json();
    expect(again.wallets).toEqual(wallets);
  });

  it('accepts a cookie for 30 days, even if the browser keeps it longer', async () => {
    const clock = { ms: Date.now() };
    const old = await startShop({}, { now: () => clock.ms });
    const shopper = await old.visit();
    const month = 30 * 86_400_000;
    clock.ms += month - 2000;
    expect((await shopper.session()).signedIn).toBe(true);
    clock.ms += 4000;
    expect((await shopper.session()).signedIn).toBe(false);
    await old.close();
  });

  it.each([
    ['another origin', { Origin: 'https://other.example' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['a similar origin', { Origin: 'https://shop.example.other.example' }],
    ['no origin', { Origin: '' }],
  ])('rejects changes from %s', async (_who, headers) => {
    const shopper = await shop.visit();
    const before = await shopper.session();
    const post = await shopper.post('/api/session', { account: 'b' }, headers);
    const end = await shopper.send('/api/session', { method: 'DELETE', headers });
    for (const response of [post, end]) {
      expect(response.status).toBe(403);
      expect((await response.json()).error.code).toBe('ERR_REQUEST');
    }
    expect(await shopper.session()).toEqual(before);
  });

  it.each([
    ['another account', { account: 'c' }, 400],
    ['nothing', {}, 400],
    ['malformed JSON', '{"account":', 400],
    ['a body that is too large', { account: 'a', filler: 'x'.repeat(2000) }, 413],
  ])('rejects %s', async (_what, body, status) => {
    const response = await (await shop.visit()).post('/api/session', body);
    expect(response.status).toBe(status);
    expect((await response.json()).error.code).toBe('ERR_REQUEST');
  });
});
