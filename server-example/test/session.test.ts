import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Shop, startShop } from './support/start-shop.js';

describe('/api/session', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  it('signs the first visit in, and keeps who it is', async () => {
    const shopper = await shop.visit();
    const first = await shopper.session();
    expect(first).toMatchObject({ signedIn: true, name: 'Demo shopper A' });
    await shopper.send('/');
    expect(await shopper.session()).toEqual(first);
  });

  it('keeps its cookie from scripts and from foreign pages', async () => {
    const cookies = (await fetch(shop.url)).headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/samesite=lax; httponly/);
  });

  it('marks its cookie Secure behind a proxy that speaks TLS', async () => {
    const behindProxy = await startShop({ trustProxy: 1 });
    const response = await fetch(behindProxy.url, { headers: { 'X-Forwarded-Proto': 'https' } });
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; secure/);
    await behindProxy.close();
  });

  it('switches between the accounts and signs out for good', async () => {
    const shopper = await shop.visit();
    const a = await shopper.session();
    const b = await (await shopper.post('/api/session', { account: 'b' })).json();
    expect(b.name).toBe('Demo shopper B');
    expect(b.wallet).not.toBe(a.wallet);
    expect(await (await shopper.post('/api/session', { account: 'a' })).json()).toEqual(a);
    await shopper.send('/api/session', { method: 'DELETE' });
    await shopper.send('/');
    expect(await shopper.session()).toEqual({ signedIn: false, name: null, wallet: null });
  });

  it('takes no cookie that it did not sign', async () => {
    const session = JSON.stringify({ visitor: 'AAAAAAAAAAAAAAAAAAAAAA', account: 'a' });
    const Cookie = `shop=${Buffer.from(session).toString('base64')}; shop.sig=AAAA`;
    const response = await fetch(`${shop.url}/api/session`, { headers: { Cookie } });
    expect(await response.json()).toMatchObject({ signedIn: false });
  });

  it.each([
    ['another origin', { Origin: 'https://other.example' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['a look-alike', { Origin: 'https://shop.example.other.example' }],
    ['no origin', { Origin: '' }],
  ])('lets %s change nothing', async (_who, headers) => {
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
    ['broken JSON', '{"account":', 400],
    ['too much', { account: 'a', filler: 'x'.repeat(2000) }, 413],
  ])('refuses %s', async (_what, body, status) => {
    const response = await (await shop.visit()).post('/api/session', body);
    expect(response.status).toBe(status);
    expect((await response.json()).error.code).toBe('ERR_REQUEST');
  });
});
