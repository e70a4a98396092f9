import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Shop, startShop } from '../support/startShop.js';

describe('securityHeaders', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  it.each(['/', '/health', '/config.json', '/listings.json', '/api/session', '/nowhere'])(
    'allow %s to frame only the widget, and no page to frame it',
    async (path) => {
      const { headers } = await fetch(shop.url + path);
      const policy = (headers.get('content-security-policy') ?? '').split(';');
      expect(policy).toContain('frame-src https://pay.example');
      expect(policy).toContain("img-src 'self' https://pay.example https://api.example");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("style-src 'self'");
      expect(policy.join()).not.toContain('unsafe');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      // With this value, the page can notice when a checkout's window is closed.
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
      expect(headers.get('permissions-policy')).toContain('camera=(self "https://pay.example")');
    },
  );

  it('include HSTS when all origins are https, and not on loopback', async () => {
    const local = await startShop({ shopOrigins: ['http://127.0.0.1:4000'] });
    const header = async (url: string) =>
      (await fetch(url)).headers.get('strict-transport-security');
    expect(await header(shop.url)).toContain('max-age');
    expect(await header(local.url)).toBeNull();
    await local.close();
  });

  it('config.json contains only the URL of the widget', async () => {
    expect(await (await fetch(`${shop.url}/config.json`)).json()).toEqual({
      widgetUrl: 'https://pay.example/widget',
    });
  });

  it('unknown paths return 404 without revealing other paths', async () => {
    for (const path of ['/nowhere', '/..%2fpackage.json', '/assets/%00', '/.env']) {
      const response = await fetch(shop.url + path);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toMatch(/at |Error|node_modules|\/src\//);
    }
  });
});
