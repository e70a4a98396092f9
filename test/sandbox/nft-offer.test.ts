import { describe, expect, it } from 'vitest';
import { nftCryptoCurrencies } from '../../src/sandbox/crypto-currencies.js';
import { fiatCurrencies } from '../../src/sandbox/fiat-currencies.js';
import { nftData } from '../../src/sandbox/nft-data.js';
import { nftOffer } from '../../src/sandbox/nft-offer.js';
import { market, mint, partnersOwn } from './nft-params.js';

const offered = (params: Record<string, string>) => {
  const offer = nftOffer(params);
  if (!offer) throw new Error('nothing is offered');
  return offer;
};

describe('an NFT offer', () => {
  it('has every parameter of the URL', () => {
    const offer = offered({
      ...market,
      ...partnersOwn,
      language: 'de',
      email: 'ann@shop.example',
      fiatCurrency: 'JPY,XXX,EUR',
      defaultFiatCurrency: 'EUR',
    });
    const { merchantUniqueId, merchantOrderNo, externalCustomerId } = partnersOwn;
    expect(offer).toEqual({
      language: 'de',
      fiats: ['JPY', 'EUR'].map((wanted) => fiatCurrencies.find(({ code }) => code === wanted)),
      fiat: 'EUR',
      email: 'ann@shop.example',
      ext: partnersOwn.ext,
      notices: [{ param: 'fiatCurrency', code: 'XXX' }],
      nft: {
        contractAddress: market.contractAddress,
        nftNetwork: 'polygon',
        type: 'MARKET',
        tokenId: '17',
        ownerWalletAddress: market.ownerWalletAddress,
        transferWalletAddress: market.transferWalletAddress,
        merchantUniqueId,
        merchantOrderNo,
        externalCustomerId,
      },
      crypto: nftCryptoCurrencies.find(({ code }) => code === 'ETH'),
      price: '0.050',
      settlement: { walletAddress: market.walletAddress, walletAddressTag: 'memo-5519' },
    });
  });

  it('is without what the URL leaves out', () => {
    const { walletAddressTag: _, ...rest } = mint;
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

  it('keeps what was signed beyond the needs of its type', () => {
    expect(offered({ ...mint, tokenId: '5', ownerWalletAddress: '0xF0' }).nft).toMatchObject({
      type: 'MINT',
      mintQuantity: 3,
      tokenId: '5',
      ownerWalletAddress: '0xF0',
    });
  });

  it.each(nftCryptoCurrencies.map(({ code }) => code))('may be priced in %s', (cryptoCurrency) => {
    expect(offered({ ...market, cryptoCurrency }).crypto.code).toBe(cryptoCurrency);
  });

  it.each(['USDT_ERC20', 'BTC', 'DOGE', 'eth', ''])('is none in %j', (cryptoCurrency) => {
    expect(nftOffer({ ...market, cryptoCurrency })).toBeUndefined();
  });

  it('may leave nothing to pay in, and starts with the first where the default is none', () => {
    expect(offered({ ...market, fiatCurrency: 'XXX' })).toMatchObject({
      fiats: [],
      fiat: undefined,
    });
    const fiats = { fiatCurrency: 'GBP,CHF', defaultFiatCurrency: 'USD' };
    expect(offered({ ...market, ...fiats }).fiat).toBe('GBP');
    expect(offered({ ...market, email: 'ann' }).email).toBeUndefined();
  });
});

describe('what the page of an NFT is told', () => {
  it('is neither where the price goes, nor ext, nor a number of the marketplace', () => {
    const told = JSON.stringify(nftData('an-id', offered({ ...market, ...partnersOwn })));
    for (const value of [market.walletAddress, ...Object.values(partnersOwn)])
      expect(told).not.toContain(value);
    for (const value of [market.transferWalletAddress, market.ownerWalletAddress, '0.050'])
      expect(told).toContain(value);
  });
});
