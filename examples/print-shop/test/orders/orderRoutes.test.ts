import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestCheckout } from '../support/sandboxShop.js';
import { type Shop, startShop } from '../support/startShop.js';

const unknown = 'AAAAAAAAAAAAAAAAAAAAAA';
let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

type Shopper = Awaited<ReturnType<Shop['visit']>>;
const listReferences = async (shopper: Shopper) =>
  (await shopper.json('/api/ramp/checkouts')).checkouts.map(
    (checkout: { reference: string }) => checkout.reference,
  );

describe('/api/orders', () => {
  it('returns the prints of own checkouts, in any number', async () => {
    const shopper = await shop.visit();
    const mint = { merchantUniqueId: 'print-0386', mintQuantity: '2' };
    const print = await requestCheckout(shopper, mint);
    const topUp = await requestCheckout(shopper);
    const references = [print.reference, unknown, topUp.reference, print.reference];
    expect(await shopper.json(`/api/orders?references=${references}`)).toEqual({
      orders: [
        {
          reference: print.reference,
          print: { number: '0386', title: 'West Wind, Four O’Clock', quantity: 2 },
          isSoldBefore: false,
        },
        { reference: topUp.reference, isSoldBefore: false },
      ],
    });
  });

  it('returns the same for the checkout of another shopper as for an unknown one', async () => {
    const [owner, other] = [await shop.visit(), await shop.visit()];
    const { reference } = await requestCheckout(owner);
    const readBoth = async (path: (ref: string) => string) => {
      const responses = await Promise.all([reference, unknown].map((ref) => other.send(path(ref))));
      return Promise.all(
        responses.map(async (response) => [response.status, await response.text()]),
      );
    };
    for (const path of [
      (ref: string) => `/api/ramp/checkouts/${ref}`,
      (ref: string) => `/api/ramp/checkouts?references=${ref}`,
      (ref: string) => `/api/orders?references=${ref}`,
    ]) {
      const [theirs, none] = await readBoth(path);
      expect(theirs).toEqual(none);
    }
    expect(await other.json(`/api/orders?references=${reference}`)).toEqual({ orders: [] });
    expect((await owner.send(`/api/ramp/checkouts/${reference}`)).status).toBe(200);
  });

  it.each([
    '',
    '?references=%00',
    '?references=r%00',
    '?references=%ED%A0%80',
    '?references=',
    '?references=a%20b',
    `?references=${'r'.repeat(129)}`,
    `?references=${Array(51).fill('r')}`,
    '?references=a&references=b',
    `?references=${'r'.repeat(10_000)}`,
  ])('returns 400 for %s', async (query) => {
    const response = await (await shop.visit()).send(`/api/orders${query}`);
    expect(response.status).toBe(400);
    expect((await response.json()).error.code).toBe('ERR_REQUEST');
  });
});

describe('/api/ramp/checkouts', () => {
  it('lists opened checkouts, but not checkouts that were only signed', async () => {
    const shopper = await shop.visit();
    const { reference } = await requestCheckout(shopper);
    await requestCheckout(shopper);
    expect(await listReferences(shopper)).toEqual([]);
    expect((await shopper.post(`/api/ramp/checkouts/${reference}/opened`, {})).status).toBe(204);
    expect(await listReferences(shopper)).toEqual([reference]);
  });

  it('lists nothing for the other account of the browser', async () => {
    const shopper = await shop.visit();
    const { reference } = await requestCheckout(shopper);
    await shopper.post(`/api/ramp/checkouts/${reference}/opened`, {});
    await shopper.post('/api/session', { account: 'b' });
    expect(await listReferences(shopper)).toEqual([]);
    expect((await shopper.send(`/api/ramp/checkouts/${reference}`)).status).toBe(404);
    await shopper.send('/api/session', { method: 'DELETE' });
    expect(await listReferences(shopper)).toEqual([]);
    expect(await shopper.json(`/api/orders?references=${reference}`)).toEqual({ orders: [] });
  });
});
