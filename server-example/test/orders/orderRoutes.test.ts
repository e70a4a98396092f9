import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestCheckout } from '../support/sandboxShop.js';
import { type Shop, startShop } from '../support/startShop.js';

describe('/api/orders', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  it('lists opened checkouts, but not checkouts that were only signed', async () => {
    const shopper = await shop.visit();
    const { reference } = await requestCheckout(shopper, {
      merchantUniqueId: 'print-0386',
      mintQuantity: '2',
    });
    await requestCheckout(shopper);
    expect(await shopper.json('/api/orders')).toEqual({ orders: [], isMore: false });
    expect((await shopper.post('/api/orders', { reference })).status).toBe(204);
    const { orders } = await shopper.json('/api/orders');
    expect(orders).toEqual([
      {
        reference,
        openedAt: expect.any(Number),
        print: { number: '0386', title: 'West Wind, Four O’Clock', quantity: 2 },
        isSoldBefore: false,
      },
    ]);
  });

  it('returns the same for the checkout of another shopper as for an unknown one', async () => {
    const [owner, other] = [await shop.visit(), await shop.visit()];
    const { reference } = await requestCheckout(owner);
    const unknown = 'AAAAAAAAAAAAAAAAAAAAAA';
    const readBoth = async (path: (ref: string) => Promise<Response>) => {
      const responses = await Promise.all([reference, unknown].map(path));
      return Promise.all(
        responses.map(async (response) => [response.status, await response.text()]),
      );
    };
    const looked = await readBoth((ref) => other.send(`/api/ramp/checkouts/${ref}`));
    const streamed = await readBoth((ref) => other.send(`/api/ramp/checkouts/${ref}/events`));
    const claimed = await readBoth((ref) => other.post('/api/orders', { reference: ref }));
    for (const [theirs, none] of [looked, streamed, claimed]) {
      expect(theirs?.[0]).toBe(404);
      expect(theirs).toEqual(none);
    }
    expect(await other.json('/api/orders')).toEqual({ orders: [], isMore: false });
    expect((await owner.send(`/api/ramp/checkouts/${reference}`)).status).toBe(200);
  });

  it('lists nothing for the other account of the browser', async () => {
    const shopper = await shop.visit();
    const { reference } = await requestCheckout(shopper);
    await shopper.post('/api/orders', { reference });
    await shopper.post('/api/session', { account: 'b' });
    expect((await shopper.json('/api/orders')).orders).toEqual([]);
    expect((await shopper.send(`/api/ramp/checkouts/${reference}`)).status).toBe(404);
    await shopper.send('/api/session', { method: 'DELETE' });
    expect((await shopper.json('/api/orders')).orders).toEqual([]);
    expect((await shopper.post('/api/orders', { reference })).status).toBe(404);
  });

  it.each([
    ['another origin', { reference: 'r' }, { Origin: 'https://other.example' }, 403],
    ['no reference', {}, {}, 400],
    ['malformed JSON', '{"reference":', {}, 400],
    ['a reference with NUL', { reference: '\u0000' }, {}, 400],
    ['a reference with a lone surrogate', { reference: '\ud800' }, {}, 400],
  ])('rejects %s', async (_what, body, headers, status) => {
    const response = await (await shop.visit()).post('/api/orders', body, headers);
    expect(response.status).toBe(status);
    expect((await response.json()).error.code).toBe('ERR_REQUEST');
  });

  it.each(['%00', 'r%00', '%ED%A0%80', '', 'a%20b', 'r'.repeat(129)])(
    'returns 400 for a page that continues after %j',
    async (before) => {
      const shopper = await shop.visit();
      const response = await shopper.send(`/api/orders?before=${before}`);
      expect(response.status).toBe(400);
    },
  );
});
