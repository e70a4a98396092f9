import { getWidgetParameters } from '@partner-ramp/react/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fakeOrderList } from '../../../../test/support/server/fakeOrderList.js';
import { startUpstream } from '../../../../test/support/server/startUpstream.js';
import { createPolicy } from '../../src/checkout/createPolicy.js';
import { toNftParams } from '../../src/checkout/toNftParams.js';
import { listings } from '../../src/prints/listings.js';
import { createDemoShopper } from '../../src/session/Shopper.js';
import { config, type Shop, startShop } from '../support/startShop.js';

const shopper = createDemoShopper('AAAAAAAAAAAAAAAAAAAAAA', 'a');
const market = { merchantUniqueId: 'print-0175' };
const mint = { merchantUniqueId: 'print-0386', mintQuantity: '2' };

const THEIRS = '0x000000000000000000000000000000000000dEaD';
const tampered = {
  contractAddress: THEIRS,
  nftNetwork: 'polygon',
  tokenId: '1',
  ownerWalletAddress: THEIRS,
  transferWalletAddress: THEIRS,
  cryptoCurrency: 'POL_Polygon',
  amount: '0.000001',
  walletAddress: THEIRS,
  walletAddressTag: '7',
  merchantOrderNo: 'theirs',
  externalCustomerId: 'theirs',
};

describe('createPolicy, for a print', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  const SETTLEMENT = '0x4f1E1d0A7E5b3C92D86A40f7Be21C9350D7a6e18';
  const cases = [
    [
      'an existing print',
      market,
      {
        type: 'MARKET',
        tokenId: '175',
        ownerWalletAddress: '0x93C7e0B4A1F2586d7ce9403b1F86d25ae07B4c91',
        contractAddress: '0x8c5a2F94be07d1636F0e9b3aD4752C81E09F6D35',
        amount: '0.05',
      },
    ],
    [
      'two minted prints',
      mint,
      {
        type: 'MINT',
        mintQuantity: '2',
        contractAddress: '0xd17e3B58a90C46F2e7215BD80c9fA4631E5D7082',
        amount: '0.04',
      },
    ],
  ] as const;
  it.each(cases)('signs the listing of %s for any proposal', async (_, wish, terms) => {
    const visitor = await shop.visit();
    const { wallets } = await visitor.session();
    const orderNos = new Set<string>();
    for (const proposal of [wish, { ...tampered, ...wish }]) {
      const response = await visitor.checkout(proposal, 'nft');
      expect(response.status).toBe(201);
      const { reference, params } = await response.json();
      expect(params).toEqual({
        ...terms,
        merchantUniqueId: wish.merchantUniqueId,
        nftNetwork: 'ethereum',
        cryptoCurrency: 'ETH',
        walletAddress: SETTLEMENT,
        transferWalletAddress: wallets?.evm,
        merchantOrderNo: expect.stringMatching(/^[0-9a-f-]{36}$/),
        externalCustomerId: expect.stringMatching(/^[0-9a-f]{32}$/),
        partnerId: config.partnerId,
        ext: reference,
        timestamp: expect.stringMatching(/^\d{10}$/),
        nonce: expect.stringMatching(/^\d+$/),
        signature: expect.any(String),
      });
      orderNos.add(params.merchantOrderNo);
    }
    expect(orderNos.size).toBe(2);
  });

  it('continues a checkout of the only print in a new window, with its order number', async () => {
    // The shop reads the order list before it continues a checkout, so the service must return a list, even if empty.
    const upstream = await startUpstream();
    upstream.respondWith(fakeOrderList([]).answer);
    const shop = await startShop({ apiUrl: upstream.baseUrl });
    onTestFinished(async () => {
      await shop.close();
      await upstream.close();
    });
    const visitor = await shop.visit();
    const first = await (await visitor.checkout({ merchantUniqueId: 'print-0597' }, 'nft')).json();
    const path = `/api/ramp/checkouts/${first.reference}/continue`;
    const response = await visitor.post(path, {});
    const { reference, params } = await response.json();
    expect([response.status, reference]).toEqual([200, first.reference]);
    expect(params.merchantOrderNo).toBe(first.params.merchantOrderNo);
    expect(params.signature).not.toBe(first.params.signature);
    expect((await (await shop.visit()).post(path, {})).status).toBe(404);
  });

  it.each([
    ['no print', {}],
    ['a print that is not listed', { merchantUniqueId: 'print-2209' }],
    ['a property name of every object', { merchantUniqueId: 'constructor' }],
    ['a mint without a quantity', { merchantUniqueId: 'print-0386' }],
    ['more than the maximum quantity', { ...mint, mintQuantity: '6' }],
    ['a very large quantity', { ...mint, mintQuantity: '999999999' }],
  ])('refuses %s with a message', async (_, proposal) => {
    const response = await (await shop.visit()).checkout(proposal, 'nft');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: {
        code: 'ERR_POLICY_REFUSED',
        message: expect.stringMatching(
          /^(This print is not for sale|Choose the quantity of “West Wind)/,
        ),
      },
    });
  });

  it.each(['0', '-1', '1.5', '1e1', '01', ' 2', '٢', '', '2&amount=0'])(
    'refuses the quantity %j, even if the handler accepts it',
    async (mintQuantity) => {
      const response = await (await shop.visit()).checkout({ ...mint, mintQuantity }, 'nft');
      // The handler rejects malformed quantities with 400. It treats '' as absent, so the policy refuses it with 403.
      expect(response.status).toBe(mintQuantity === '' ? 403 : 400);
      expect(() => toNftParams({ ...mint, mintQuantity }, shopper)).toThrow(
        /whole number from 1 to 5/,
      );
    },
  );

  it('is not asked for a signed-out shopper', async () => {
    const visitor = await shop.visit();
    await visitor.send('/api/session', { method: 'DELETE' });
    const response = await visitor.checkout(market, 'nft');
    expect(response.status).toBe(401);
    expect((await response.json()).error.code).toBe('ERR_SIGNED_OUT');
  });

  it('sends an opaque customer number for each account', async () => {
    const visitor = await shop.visit();
    const seen = new Map<string, string>();
    for (const account of ['a', 'b', 'a']) {
      await visitor.post('/api/session', { account });
      const { params } = await (await visitor.checkout(mint, 'nft')).json();
      expect(seen.get(account) ?? params.externalCustomerId).toBe(params.externalCustomerId);
      seen.set(account, params.externalCustomerId);
      expect(params.transferWalletAddress).not.toContain(params.externalCustomerId.slice(0, 8));
    }
    expect(new Set(seen.values()).size).toBe(2);
  });
});

describe('createPolicy, for any proposal', () => {
  const names = getWidgetParameters('nft')
    .map(({ name }) => name)
    .filter((name) => name !== 'merchantUniqueId' && name !== 'mintQuantity');
  const anything = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.string(), fc.constantFrom(...Object.values(tampered), 'MARKET', 'MINT')),
  );
  const wishes = listings.flatMap((listing) =>
    Array.from({ length: listing.type === 'MINT' ? listing.maxQuantity : 1 }, (_, index) => ({
      merchantUniqueId: listing.id,
      mintQuantity: `${index + 1}`,
    })),
  );
  const request = new Request('https://shop.example/api/ramp/checkouts');
  const policy = createPolicy({ reserve: async () => ({ state: 'for-sale' }) }, Date.now);
  const signed = async (proposal: Readonly<Record<string, string>>) => {
    const grant = await policy({
      widget: 'nft',
      proposal,
      selection: {},
      request,
      shopper,
      context: undefined,
    });
    return { ...grant, params: { ...grant.params, merchantOrderNo: 'fresh each time' } };
  };

  it('is tested with every parameter of the interface', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(tampered)));
  });

  it('signs only values of the listing, the quantity and the session', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wishes), anything, async (wish, more) => {
        expect(await signed({ ...more, ...wish })).toEqual(await signed(wish));
      }),
    );
  });
});
