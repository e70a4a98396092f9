import { parseWidgetParams } from '@partner-ramp/react/protocol';
import { findWalletIssue } from '@partner-ramp/react/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toNftParams } from '../../src/checkout/toNftParams.js';
import { getPrice, listings, publicListings } from '../../src/prints/listings.js';
import { createDemoShopper } from '../../src/session/Shopper.js';
import { type Shop, startShop } from '../support/startShop.js';

const shopper = createDemoShopper('AAAAAAAAAAAAAAAAAAAAAA', 'a');

describe('listings', () => {
  it('has six prints with unique titles and numbers, some existing and some to mint', () => {
    expect(new Set(listings.map(({ id }) => id)).size).toBe(6);
    expect(new Set(listings.map(({ title }) => title)).size).toBe(6);
    expect(new Set(listings.map(({ type }) => type))).toEqual(new Set(['MARKET', 'MINT']));
  });

  it.each(listings.map((listing) => [listing.id, listing] as const))(
    '%s creates a valid order',
    async (id, listing) => {
      const wish = { merchantUniqueId: id, mintQuantity: '1' };
      const params = toNftParams(wish, shopper);
      expect(() => parseWidgetParams('nft', params)).not.toThrow();
      expect(params.amount).toBe(listing.price);
      for (const name of ['contractAddress', 'walletAddress', 'transferWalletAddress'] as const) {
        expect(params[name]).toMatch(/[A-F]/);
        expect(await findWalletIssue(params[name], 'evm')).toBeUndefined();
      }
    },
  );
});

describe('/listings.json', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  it('contains the data of the buttons, without wallets and contracts', async () => {
    const response = await fetch(`${shop.url}/listings.json`);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      listings: publicListings.map((listing) => ({ ...listing, state: 'for-sale' })),
    });
    expect(text).not.toMatch(/0x[0-9a-f]{40}|[wW]allet|contract/);
    expect(JSON.parse(text).listings[1]).toEqual({
      id: 'print-0386',
      number: '0386',
      title: 'West Wind, Four O’Clock',
      type: 'MINT',
      network: 'ethereum',
      cryptoCurrency: 'ETH',
      currency: 'ETH',
      prices: ['0.02', '0.04', '0.06', '0.08', '0.1'],
      state: 'for-sale',
    });
  });
});

describe('getPrice', () => {
  it.each([
    ['0.1', 3, '0.3'],
    ['0.02', 5, '0.1'],
    ['0.05', 20, '1'],
    ['160', 2, '320'],
    ['37.50', 1, '37.5'],
    ['0.000000000000000001', 7, '0.000000000000000007'],
    ['123456789012345678.123456789012345678', 3, '370370367037037034.370370367037037034'],
    ['0', 4, '0'],
  ])('returns the price of %s times %i as %s', (price, quantity, product) => {
    expect(getPrice({ price }, quantity)).toBe(product);
  });
});
