import { describe, expect, it } from 'vitest';
import { nftCryptoCurrencies } from '../../../../src/sandbox/catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../../../../src/sandbox/catalog/fiatCurrencies.js';
import { createNftOffer } from '../../../../src/sandbox/checkout/offers/createNftOffer.js';
import { toNftPageData } from '../../../../src/sandbox/checkout/session/NftPageData.js';
import { marketListing, mintListing, partnerFields } from '../../../support/sandbox/nftListings.js';

const offered = (params: Record<string, string>) => {
  const offer = createNftOffer(params);
  if (!offer) throw new Error('Expected an offer');
  return offer;
};

describe('createNftOffer', () => {
  it('returns every parameter of the URL', () => {
    const offer = offered({
      ...marketListing,
      ...partnerFields,
      language: 'de',
      email: 'ann@shop.example',
      fiatCurrency: 'JPY,XXX,EUR',
      defaultFiatCurrency: 'EUR',
    });
    const { merchantUniqueId, merchantOrderNo, externalCustomerId } = partnerFields;
    expect(offer).toEqual({
      language: 'de',
      fiats: ['JPY', 'EUR'].map((wanted) => fiatCurrencies.find(({ code }) => code === wanted)),
      fiat: 'EUR',
      email: 'ann@shop.example',
      ext: partnerFields.ext,
      notices: [{ param: 'fiatCurrency', code: 'XXX' }],
      nft: {
        contractAddress: marketListing.contractAddress,
        nftNetwork: 'polygon',
        type: 'MARKET',
        tokenId: '17',
        ownerWalletAddress: marketListing.ownerWalletAddress,
        transferWalletAddress: marketListing.transferWalletAddress,
        merchantUniqueId,
        merchantOrderNo,
        externalCustomerId,
      },
      crypto: nftCryptoCurrencies.find(({ code }) => code === 'ETH'),
      price: '0.050',
      settlement: { walletAddress: marketListing.walletAddress, walletAddressTag: 'memo-5519' },
    });
  });

  it('omits parameters that the URL omits', () => {
    const { walletAddressTag: _, ...rest } = mintListing;
    const offer = offered(rest);
    expect(offer).toMatchObject({
      language: 'en',
      fiats: fiatCurrencies,
      fiat: 'USD',
      email: undefined,
      ext: '',
      settlement: { walletAddressTag: '' },
    });
    expect(Object.keys(offer.nft).sort()).toEqual([
      'contractAddress',
      'mintQuantity',
      'nftNetwork',
      'transferWalletAddress',
      'type',
    ]);
    expect(offer.nft.mintQuantity).toBe(3);
  });

  it('keeps signed parameters that the NFT type does not need', () => {
    expect(offered({ ...mintListing, tokenId: '5', ownerWalletAddress: '0xF0' }).nft).toMatchObject(
      {
        type: 'MINT',
        mintQuantity: 3,
        tokenId: '5',
        ownerWalletAddress: '0xF0',
      },
    );
  });

  it.each(nftCryptoCurrencies.map(({ code }) => code))(
    'accepts a price in %s',
    (cryptoCurrency) => {
      expect(offered({ ...marketListing, cryptoCurrency }).crypto.code).toBe(cryptoCurrency);
    },
  );

  it.each(['USDT_ERC20', 'BTC', 'DOGE', 'eth', ''])(
    'returns undefined for a price in %j',
    (cryptoCurrency) => {
      expect(createNftOffer({ ...marketListing, cryptoCurrency })).toBeUndefined();
    },
  );

  it('returns no fiat currencies if all are unknown, and selects the first if the default is unknown', () => {
    expect(offered({ ...marketListing, fiatCurrency: 'XXX' })).toMatchObject({
      fiats: [],
      fiat: undefined,
    });
    const fiats = { fiatCurrency: 'GBP,CHF', defaultFiatCurrency: 'USD' };
    expect(offered({ ...marketListing, ...fiats }).fiat).toBe('GBP');
    expect(offered({ ...marketListing, email: 'ann' }).email).toBeUndefined();
  });
});

describe('toNftPageData', () => {
  it('contains neither the settlement wallet, nor ext, nor an identifier of the marketplace', () => {
    const told = JSON.stringify(
      toNftPageData('an-id', offered({ ...marketListing, ...partnerFields })),
    );
    for (const value of [marketListing.walletAddress, ...Object.values(partnerFields)])
      expect(told).not.toContain(value);
    for (const value of [
      marketListing.transferWalletAddress,
      marketListing.ownerWalletAddress,
      '0.050',
    ])
      expect(told).toContain(value);
  });
});
