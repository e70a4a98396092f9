import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config, type Shop, startShop } from '../support/startShop.js';

const THEIRS = '0x000000000000000000000000000000000000dEaD';

describe('createPolicy', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  it('signs the wallet of the session for any proposal', async () => {
    const shopper = await shop.visit();
    const { wallet } = await shopper.session();
    expect(wallet).toMatch(/^0x[0-9a-f]{40}$/);
    const proposals = [
      {},
      { walletAddress: THEIRS },
      { walletAddress: THEIRS, walletAddressLocked: '0', walletAddressHidden: '1' },
      { amount: '1', fiatCurrency: 'USD', cryptoCurrency: 'ETH' },
    ];
    for (const proposal of proposals) {
      const response = await shopper.checkout(proposal);
      expect(response.status).toBe(201);
      const { reference, params } = await response.json();
      expect(params).toEqual({
        partnerId: config.partnerId,
        walletAddress: wallet,
        walletAddressLocked: '1',
        ext: reference,
        timestamp: expect.stringMatching(/^\d{10}$/),
        nonce: expect.stringMatching(/^\d+$/),
        signature: expect.any(String),
      });
    }
  });

  it('signs parameters that the service accepts', async () => {
    const { params } = await (await (await shop.visit()).checkout()).json();
    const { signature, ...signed } = params as Record<string, string>;
    const text = Object.keys(signed)
      .sort()
      .map((name) => `${name}=${signed[name]}`)
      .join('&');
    expect(signature).toBe(createHmac('sha256', config.secretKey).update(text).digest('base64'));
  });

  it('signs a different wallet for each shopper', async () => {
    const [one, other] = [await shop.visit(), await shop.visit()];
    const wallets = new Set<string>();
    for (const shopper of [one, other])
      for (const account of ['a', 'b']) {
        await shopper.post('/api/session', { account });
        const { params } = await (await shopper.checkout()).json();
        expect(params.walletAddress).toBe((await shopper.session()).wallet);
        wallets.add(params.walletAddress);
      }
    expect(wallets.size).toBe(4);
  });

  it('refuses a signed-out shopper with a message', async () => {
    const shopper = await shop.visit();
    await shopper.send('/api/session', { method: 'DELETE' });
    const response = await shopper.checkout({ walletAddress: THEIRS });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: { code: 'ERR_POLICY_REFUSED', message: expect.stringMatching(/^Sign in to buy/) },
    });
  });

  it('refuses pages of other origins and plain forms', async () => {
    const shopper = await shop.visit();
    const body = { widget: 'on-ramp', params: {} };
    const foreign = await shopper.post('/api/ramp/checkouts', body, {
      Origin: 'https://other.example',
    });
    const form = await shopper.post('/api/ramp/checkouts', body, { 'Content-Type': 'text/plain' });
    expect([foreign.status, form.status]).toEqual([403, 415]);
  });

  it('limits how long a visitor can reserve a print without a payment, and returns the time left', async () => {
    const clock = { ms: Date.now() };
    const patient = await startShop({}, { now: () => clock.ms });
    const shopper = await patient.visit();
    const statuses: number[] = [];
    for (let minutes = 0; minutes <= 28; minutes += 14) {
      statuses.push((await shopper.checkout({ merchantUniqueId: 'print-0175' }, 'nft')).status);
      clock.ms += 14 * 60_000;
    }
    expect(statuses).toEqual([201, 201, 403]);
    const refused = async () =>
      (await (await shopper.checkout({ merchantUniqueId: 'print-0175' }, 'nft')).json()).error;
    const words = {
      code: 'ERR_POLICY_REFUSED',
      message:
        'You reserved “Survey of a Quiet Hill” for the maximum time without paying. Other shoppers have priority now. You can reserve it again in 47 minutes.',
    };
    expect(await refused()).toEqual(words);
    await shopper.post('/api/session', { account: 'b' });
    expect(await refused()).toEqual(words);
    const other = await patient.visit();
    expect((await other.checkout({ merchantUniqueId: 'print-0175' }, 'nft')).status).toBe(201);
    await patient.close();
  });
});
