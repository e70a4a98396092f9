import { afterEach, describe, expect, it, vi } from 'vitest';
import { pay, requestCheckout, type SandboxShop, sandboxShop } from '../support/sandboxShop.js';

const survey = { merchantUniqueId: 'print-0175' };
const WAIT = { timeout: 20_000, interval: 100 };

let running: SandboxShop | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function twoShoppers() {
  running = await sandboxShop();
  const { shop, sandbox } = running;
  const [one, other, operator] = [await shop.visit(), await shop.visit(), await shop.visit()];
  await operator.login();
  const stateFor = async (visitor: typeof one) => {
    const { listings } = await visitor.json('/listings.json');
    return listings.find(({ id }: { id: string }) => id === survey.merchantUniqueId);
  };
  return { sandbox, one, other, operator, stateFor };
}

describe('A print that exists once', { timeout: 60_000 }, () => {
  it('is signed for one of two concurrent shoppers, and refused to the other with a reason', async () => {
    const { one, other, stateFor } = await twoShoppers();
    const responses = await Promise.all([one, other].map((each) => each.checkout(survey, 'nft')));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403]);
    const bodies = await Promise.all(responses.map((response) => response.json()));
    expect(bodies.find(({ error }) => error).error).toEqual({
      code: 'ERR_POLICY_REFUSED',
      message:
        'Another shopper is buying “Survey of a Quiet Hill”. If they don’t pay, it will be available in 15 minutes.',
    });
    const [buyer, theirs] = responses[0]?.status === 201 ? [one, other] : ([other, one] as const);
    expect((await stateFor(buyer)).state).toBe('for-sale');
    const soon = Date.now() / 1000 + 900;
    const { state, heldUntil } = await stateFor(theirs);
    expect(state).toBe('held');
    expect(Math.abs(heldUntil - soon)).toBeLessThan(30);
    expect((await buyer.checkout(survey, 'nft')).status).toBe(201);
  });

  it('is sold once it is paid, and cannot be bought again', async () => {
    const { sandbox, one, other, stateFor } = await twoShoppers();
    await pay(sandbox, await requestCheckout(one, survey));
    await vi.waitFor(async () => expect((await stateFor(one)).state).toBe('yours'), WAIT);
    expect((await stateFor(other)).state).toBe('sold');
    for (const shopper of [one, other])
      await expect(requestCheckout(shopper, survey)).rejects.toThrow(
        '“Survey of a Quiet Hill” has already been sold.',
      );
  });

  it('is sold to the first payment, and the second payment needs attention', async () => {
    const { sandbox, one, operator, stateFor } = await twoShoppers();
    // One shopper has the print open in two pages. The shopper has the reservation, so both checkouts are signed.
    const [first, second] = [
      await requestCheckout(one, survey),
      await requestCheckout(one, survey),
    ];
    await pay(sandbox, first);
    await vi.waitFor(async () => expect((await stateFor(one)).state).toBe('yours'), WAIT);
    await pay(sandbox, second);
    const overview = () => operator.json('/api/operator/overview');
    await vi.waitFor(async () => expect((await overview()).cases).toHaveLength(1), WAIT);
    const { cases } = await overview();
    expect(cases[0]).toMatchObject({
      reference: second.reference,
      fulfilment: 'needs-attention',
      title: 'Survey of a Quiet Hill',
      case: { reason: 'sold-before' },
    });
    const both = [first.reference, second.reference];
    const { orders } = await one.json(`/api/orders?references=${both}`);
    const soldBefore = orders.map((order: { reference: string; isSoldBefore: boolean }) => [
      order.reference,
      order.isSoldBefore,
    ]);
    expect(Object.fromEntries(soldBefore)).toEqual({
      [first.reference]: false,
      [second.reference]: true,
    });

    const handled = `/api/operator/cases/${cases[0].orderId}/handled`;
    const outcome = { outcome: 'refunded', note: '' };
    expect((await operator.post(handled, outcome)).status).toBe(200);
    expect((await operator.post(handled, outcome)).status).toBe(409);
    expect((await overview()).cases).toEqual([]);
  });
});

describe('A minted print', () => {
  it('is not reserved', async () => {
    const { one, other } = await twoShoppers();
    const mint = { merchantUniqueId: 'print-0386', mintQuantity: '1' };
    expect((await one.checkout(mint, 'nft')).status).toBe(201);
    expect((await other.checkout(mint, 'nft')).status).toBe(201);
  });
});
