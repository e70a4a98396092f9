import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startShop } from '../support/startShop.js';

const long = { timeout: 60_000 };

describe('rampRateLimits', () => {
  it('rejects the 61st checkout of a minute in the format of the ramp handler', long, async () => {
    const shop = await startShop({ logLevel: 'silent' });
    const requestCheckout = (index: number) =>
      fetch(`${shop.url}/api/ramp/checkouts`, {
        method: 'POST',
        // No proxy is trusted, so a different X-Forwarded-For in each request must not evade the limit.
        headers: { 'X-Forwarded-For': `203.0.113.${index}` },
      });
    const statuses = new Set<number>();
    for (let index = 0; index < 60; index++) statuses.add((await requestCheckout(index)).status);
    expect([...statuses]).toEqual([403]);

    const refused = await requestCheckout(60);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({
      error: { code: 'ERR_REQUEST', message: expect.stringMatching(/^Too many/) },
    });
    expect((await fetch(`${shop.url}/api/session`)).status).toBe(200);
    await shop.close();
  });

  it(
    'counts prices separately, so that typing many amounts does not block a checkout',
    long,
    async () => {
      const shop = await startShop({ logLevel: 'silent' });
      // The shop rejects this query because it is incomplete, so no request reaches the service.
      const requestQuote = async () => (await fetch(`${shop.url}/api/ramp/quote`)).status;
      const statuses = new Set<number>();
      for (let index = 0; index < 300; index++) statuses.add(await requestQuote());
      expect([...statuses]).toEqual([400]);
      expect(await requestQuote()).toBe(429);
      for (let index = 0; index < 70; index++)
        await fetch(`${shop.url}/api/ramp/quote`, { method: 'HEAD' });
      const checkout = await fetch(`${shop.url}/api/ramp/checkouts`, { method: 'POST' });
      expect(checkout.status).toBe(403);
      await shop.close();
    },
  );

  it('does not count a list of checkouts as a price request', long, async () => {
    const shop = await startShop({ logLevel: 'silent' });
    const list = async () => (await fetch(`${shop.url}/api/ramp/checkouts`)).status;
    for (let index = 0; index < 310; index++) expect(await list()).toBe(200);
    expect((await fetch(`${shop.url}/api/ramp/quote`)).status).toBe(400);
    await shop.close();
  });

  it.each(['/checkouts/../quote', '/checkouts/%2e%2e/quote', '/checkouts/x/..\\../quote'])(
    'counts a price request to %s',
    long,
    async (path) => {
      const shop = await startShop({ logLevel: 'silent' });
      const requestQuote = () => statusOf(shop.port, `/api/ramp${path}`);
      for (let index = 0; index < 300; index++) expect(await requestQuote()).toBe(400);
      expect(await requestQuote()).toBe(429);
      await shop.close();
    },
  );
});

/** Requests a path as it is. `fetch` would resolve `..` in it. */
const statusOf = (port: number, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
