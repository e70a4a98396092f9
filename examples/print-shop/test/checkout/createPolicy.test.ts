import { createHmac } from 'node:crypto';
import { findWalletIssue } from '@partner-ramp/react/server';
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
    const { wallets } = await shopper.session();
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
        walletAddress: wallets?.evm,
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

  it('gives each shopper wallets with right checksums', async () => {
    const { wallets } = await (await shop.visit()).session();
    expect(Object.keys(wallets ?? {})).toEqual(['evm', 'bitcoin']);
    for (const [family, address] of Object.entries(wallets ?? {})) {
      expect(await findWalletIssue(address, family)).toBeUndefined();
      expect(address).toMatch(/^0x(?=.*[A-F])[0-9a-fA-F]{40}$|^bc1q[0-9a-z]{38}$/);
    }
  });

  it.each([
    ['the selected coin', { cryptoCurrency: 'BTC', defaultCurrency: 'BTC' }, 'bitcoin'],
    ['the selected token', { cryptoCurrency: 'USDC_Base' }, 'evm'],
    ['the only network', { cryptoNetwork: 'bitcoin_mainnet' }, 'bitcoin'],
    ['USDT_ERC20 if the page sends no coin', { amount: '100' }, 'evm'],
  ] as const)('signs the wallet on the chain of %s', async (_, selection, family) => {
    const shopper = await shop.visit();
    const { wallets } = await shopper.session();
    const response = await shopper.checkout({ walletAddress: THEIRS }, 'on-ramp', selection);
    const { params } = await response.json();
    expect(params).toMatchObject({
      walletAddress: wallets?.[family],
      walletAddressLocked: '1',
    });
  });

  it.each([
    ['a coin without a wallet', { cryptoCurrency: 'USDT_TRC20' }, 'Add a Tron wallet to buy USDT.'],
    ['a network without a wallet', { cryptoNetwork: 'solana_mainnet' }, 'Add a Solana wallet to '],
    ['an unknown coin', { cryptoCurrency: 'WIF' }, 'This shop cannot deliver the selected coin.'],
  ])('refuses %s in words', async (_, selection, words) => {
    const response = await (await shop.visit()).checkout({}, 'on-ramp', selection);
    expect(response.status).toBe(403);
    const { error } = await response.json();
    expect(error.code).toBe('ERR_POLICY_REFUSED');
    expect(error.message).toContain(words);
  });

  it('signs a different wallet for each shopper', async () => {
    const [one, other] = [await shop.visit(), await shop.visit()];
    const wallets = new Set<string>();
    for (const shopper of [one, other])
      for (const account of ['a', 'b']) {
        await shopper.post('/api/session', { account });
        const { params } = await (await shopper.checkout()).json();
        expect(params.walletAddress).toBe((await shopper.session()).wallets?.evm);
        wallets.add(params.walletAddress);
        wallets.add((await shopper.session()).wallets?.bitcoin ?? '');
      }
    expect(wallets.size).toBe(8);
  });

  it('is not asked for a signed-out shopper', async () => {
    const shopper = await shop.visit();
    await shopper.send('/api/session', { method: 'DELETE' });
    const response = await shopper.checkout({ walletAddress: THEIRS });
    expect(response.status).toBe(401);
    expect((await response.json()).error.code).toBe('ERR_SIGNED_OUT');
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

  it('signs again for the shopper who holds a print, and for others once that has ended', async () => {
    const clock = { ms: Date.now() };
    const timed = await startShop({}, { now: () => clock.ms });
    const [holder, other] = [await timed.visit(), await timed.visit()];
    const buy = async (shopper: typeof holder) =>
      (await shopper.checkout({ merchantUniqueId: 'print-0175' }, 'nft')).status;
    expect(await buy(holder)).toBe(201);
    clock.ms += 14 * 60_000;
    expect([await buy(holder), await buy(other)]).toEqual([201, 403]);
    clock.ms += 15 * 60_000;
    expect([await buy(other), await buy(holder)]).toEqual([201, 403]);
    await timed.close();
  });
});
