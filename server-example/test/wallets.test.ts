import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedShop, startShop, visit } from './support/startShop.js';

const ANN = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const ANN_BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const BOB = '0x8C4EDf2a282cc615B2227807051db3f1cc1C2C08';
const ATTACKER = '0x000000000000000000000000000000000000dEaD';

let shop: StartedShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

describe('the signed wallet', () => {
  it.each([
    ['ann', ANN],
    ['bob', BOB],
  ] as const)('is that of the signed-in shopper: %s', async (name, walletAddress) => {
    const { params } = await (await visit(shop, name)).openCheckout();
    expect(params).toMatchObject({ walletAddress, walletAddressLocked: '1' });
    expect(params.signature).toBeTruthy();
  });

  it('is never the one that the page proposes', async () => {
    const shopper = await visit(shop, 'ann');
    const proposal = { walletAddress: ATTACKER, walletAddressLocked: '0' };
    const response = await shopper.requestCheckout({ params: proposal });
    const body = await response.text();
    expect(response.status).toBe(201);
    expect(JSON.parse(body).params).toMatchObject({ walletAddress: ANN, walletAddressLocked: '1' });
    expect(body).not.toContain(ATTACKER);
  });

  it('is on the chain of the selected coin', async () => {
    const response = await (await visit(shop, 'ann')).requestCheckout({
      selection: { defaultCurrency: 'BTC' },
    });
    expect((await response.json()).params.walletAddress).toBe(ANN_BITCOIN);
  });
});

describe('a checkout is refused', () => {
  it('if nobody is signed in', async () => {
    const response = await (await visit(shop)).requestCheckout();
    expect(response.status).toBe(401);
    expect((await response.json()).error.code).toBe('ERR_SIGNED_OUT');
  });

  it('after the sign-out, also with a copy of the cookie', async () => {
    const shopper = await visit(shop, 'ann');
    await shopper.send('/api/session', 'DELETE');
    expect((await shopper.requestCheckout()).status).toBe(401);
  });

  it('if the session is invented', async () => {
    const shopper = await visit(shop);
    expect((await shopper.signIn('mallory')).status).toBe(400);
    const response = await fetch(`${shop.url}/api/ramp/checkouts`, {
      method: 'POST',
      headers: {
        Origin: shop.url,
        'Content-Type': 'application/json',
        Cookie: 'session=ann; other=bob',
      },
      body: JSON.stringify({ widget: 'on-ramp', params: {} }),
    });
    expect(response.status).toBe(401);
  });

  it('for a coin without a wallet, and says what is missing', async () => {
    const response = await (await visit(shop, 'bob')).requestCheckout({
      selection: { defaultCurrency: 'BTC' },
    });
    expect(response.status).toBe(403);
    expect((await response.json()).error.message).toBe('Add a Bitcoin wallet to buy BTC.');
  });

  it('for an NFT, which this shop does not sell', async () => {
    const response = await (await visit(shop, 'ann')).requestCheckout({ widget: 'nft' });
    expect(response.status).toBe(403);
    expect((await response.json()).error.message).toBe('This shop sells crypto only.');
  });
});
