import { createWidgetSigner } from '@partner-ramp/react/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pay, type StartedShop, startShop, visit } from './support/startShop.js';

let running: StartedShop | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});
const start = async (...options: Parameters<typeof startShop>) => {
  running = await startShop(...options);
  return running;
};

const WAIT = { timeout: 20_000, interval: 100 };
/** Long enough for several syncs, which run every second. */
const SEVERAL_SYNCS_MS = 3500;
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe('a paid order', () => {
  it('is booked once, although two webhooks and each sync announce it', async () => {
    const shop = await start({ webhookFault: 'twice' });
    const ann = await visit(shop, 'ann');
    const { params } = await ann.openCheckout();
    // A second open checkout keeps the syncs running, and each lists the paid order again.
    await ann.openCheckout();
    const orderId = await pay(shop, params);
    await vi.waitFor(async () => expect(await ann.listPurchases()).toHaveLength(1), WAIT);
    await sleep(SEVERAL_SYNCS_MS);
    expect(await ann.listPurchases()).toMatchObject([{ orderId, coin: 'USDT' }]);
    expect(await shop.listReviews()).toEqual([]);
  });

  it('is booked without any webhook', async () => {
    const shop = await start({ webhookFault: 'lost' });
    const ann = await visit(shop, 'ann');
    const orderId = await pay(shop, (await ann.openCheckout()).params);
    await vi.waitFor(
      async () => expect(await ann.listPurchases()).toMatchObject([{ orderId }]),
      WAIT,
    );
  });

  it('is shown only to the shopper who bought it', async () => {
    const shop = await start();
    const ann = await visit(shop, 'ann');
    await pay(shop, (await ann.openCheckout()).params);
    await vi.waitFor(async () => expect(await ann.listPurchases()).toHaveLength(1), WAIT);
    expect(await (await visit(shop, 'bob')).listPurchases()).toEqual([]);
    expect(await (await visit(shop)).listPurchases()).toEqual([]);
  });
});

describe('an order that does not match its checkout', () => {
  it('is reviewed once and not delivered', async () => {
    const shop = await start({ webhookFault: 'twice' });
    const ann = await visit(shop, 'ann');
    const { reference } = await ann.openCheckout();
    await ann.openCheckout();
    // Another wallet with the reference of this checkout.
    const { params } = createWidgetSigner(shop.sandbox).sign('on-ramp', {
      walletAddress: '0x000000000000000000000000000000000000dEaD',
      walletAddressLocked: '1',
      ext: reference,
    });
    const orderId = await pay(shop, params);
    await vi.waitFor(async () => expect(await shop.listReviews()).toHaveLength(1), WAIT);
    await sleep(SEVERAL_SYNCS_MS);
    expect(await shop.listReviews()).toMatchObject([
      { order_id: orderId, shopper_id: 'ann', reason: 'wallet', field: 'walletAddress' },
    ]);
    expect(await ann.listPurchases()).toEqual([]);
    expect(shop.logs()).toContain(`Order ${orderId} needs a person: wallet.`);
  });
});

describe('a forged webhook', () => {
  it('is refused, and changes nothing', async () => {
    const shop = await start();
    const ann = await visit(shop, 'ann');
    const { reference } = await ann.openCheckout();
    const response = await fetch(`${shop.url}/api/ramp/webhook`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Fp-Timestamp': `${Math.floor(Date.now() / 1000)}`,
        'X-Fp-Nonce': '123456',
        'X-Fp-Signature': 'AAAA',
      },
      body: JSON.stringify({ orderId: 'forged', orderStatus: 3, ext: reference }),
    });
    expect(response.status).toBe(401);
    await sleep(SEVERAL_SYNCS_MS);
    // An accepted webhook would make it `unconfirmed`.
    const { progress } = await ann.json(`/api/ramp/checkouts/${reference}`);
    expect(progress).toBe('waiting');
    expect(await ann.listPurchases()).toEqual([]);
    expect(await shop.listReviews()).toEqual([]);
  });

  it('with a valid signature over another body books only what the order list has', async () => {
    const shop = await start({ webhookFault: 'forged-body' });
    const ann = await visit(shop, 'ann');
    const orderId = await pay(shop, (await ann.openCheckout()).params);
    await vi.waitFor(async () => expect(await ann.listPurchases()).toHaveLength(1), WAIT);
    await sleep(SEVERAL_SYNCS_MS);
    expect(await ann.listPurchases()).toMatchObject([{ orderId }]);
    expect(await shop.listReviews()).toEqual([]);
  });
});

describe('GET /reviews', () => {
  it('needs the password of the staff', async () => {
    const shop = await start();
    const request = (Authorization?: string) =>
      fetch(`${shop.url}/reviews`, { headers: { ...(Authorization && { Authorization }) } });
    expect((await request()).status).toBe(401);
    expect((await request(`Basic ${btoa('staff:wrong')}`)).status).toBe(401);
    expect(await shop.listReviews()).toEqual([]);
  });

  it('does not exist without a password', async () => {
    const shop = await start({}, { OPERATOR_PASSWORD: '' });
    const Authorization = `Basic ${btoa('staff:')}`;
    const response = await fetch(`${shop.url}/reviews`, { headers: { Authorization } });
    expect(response.status).toBe(404);
  });
});
