import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { pay, startShop, visit } from './support/startShop.js';

it('the keys are in no response, page or log', { timeout: 60_000 }, async () => {
  const shop = await startShop();
  const { secretKey, apiPrivateKey } = shop.sandbox;
  const ann = await visit(shop, 'ann');
  const texts = new Map<string, string>();
  const record = async (name: string, response: Response) => {
    texts.set(name, `${response.status} ${JSON.stringify([...response.headers])}`);
    texts.set(`${name} body`, await response.text());
  };
  try {
    const { reference, params } = await ann.openCheckout();
    await pay(shop, params);
    await vi.waitFor(async () => expect(await ann.listPurchases()).toHaveLength(1), {
      timeout: 20_000,
    });
    for (const path of [
      ...['/', '/health', '/api/session', '/api/purchases', '/reviews', '/.env', '/src/ramp.ts'],
      ...['/api/ramp/currencies', '/api/ramp/checkouts', `/api/ramp/checkouts/${reference}`],
      '/nothing',
    ])
      await record(path, await ann.send(path));
    await record('checkout', await ann.requestCheckout());
    await record('refused checkout', await ann.requestCheckout({ widget: 'nft' }));
    await record('malformed JSON', await ann.send('/api/session', 'POST', '{'));
    await record('webhook', await ann.send('/api/ramp/webhook', 'POST', {}));
    await record('large body', await ann.send('/api/session', 'POST', 'x'.repeat(5000)));
  } finally {
    await shop.close();
  }
  texts.set('log', shop.logs());
  const storefront = fileURLToPath(new URL('../dist/storefront', import.meta.url));
  for (const file of readdirSync(storefront, { recursive: true, withFileTypes: true }))
    if (file.isFile()) texts.set(file.name, readFileSync(join(file.parentPath, file.name), 'utf8'));
  expect(texts.get('log')).toContain('The shop listens');
  expect(texts.get('/api/session body')).toContain(shop.sandbox.widgetUrl);
  const secrets = [secretKey, apiPrivateKey.split('\n')[1] ?? '', 'RAMP_SECRET_KEY'];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    for (const [name, text] of texts) expect(text.includes(secret), name).toBe(false);
  }
});
