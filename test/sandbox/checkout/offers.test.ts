import { describe, expect, it } from 'vitest';
import {
  cryptoCurrencies,
  nftCryptoCurrencies,
} from '../../../src/sandbox/catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../../../src/sandbox/catalog/fiatCurrencies.js';
import { findAddressFamilies } from '../../../src/sandbox/catalog/purchaseRules.js';
import { createNftOffer, createOnRampOffer } from '../../../src/sandbox/checkout/offers.js';
import { toNftPageData, toOnRampPageData } from '../../../src/sandbox/checkout/pageData.js';
import { marketListing, mintListing, partnerFields } from '../../support/sandbox/nftListings.js';
import { wallet } from '../../support/sandbox/signQuery.js';

const codes = (list: readonly { code: string }[]) => list.map(({ code }) => code);

describe('createOnRampOffer', () => {
  it('offers all currencies, with USD and USDT_ERC20 selected, for a URL without parameters', () => {
    expect(createOnRampOffer({})).toMatchObject({
      fiats: fiatCurrencies,
      cryptos: cryptoCurrencies,
      fiat: 'USD',
      crypto: 'USDT_ERC20',
      amount: undefined,
      amountFixed: false,
      language: 'en',
      ext: '',
    });
  });

  it('offers the lists of the URL in their order, with the first item selected', () => {
    const { fiats, fiat, cryptos, crypto } = createOnRampOffer({
      fiatCurrency: 'JPY,XXX,EUR,JPY',
      cryptoCurrency: 'BTC,DOGE,ETH',
    });
    expect([codes(fiats), fiat]).toEqual([['JPY', 'EUR'], 'JPY']);
    expect([codes(cryptos), crypto]).toEqual([['BTC', 'ETH'], 'BTC']);
  });

  it('selects the defaults of the URL if they are offered', () => {
    const lists = { fiatCurrency: 'USD,EUR', cryptoCurrency: 'BTC,ETH' };
    expect(
      createOnRampOffer({ ...lists, defaultFiatCurrency: 'EUR', defaultCurrency: 'ETH' }),
    ).toMatchObject({
      fiat: 'EUR',
      crypto: 'ETH',
    });
    expect(
      createOnRampOffer({ ...lists, defaultFiatCurrency: 'THB', defaultCurrency: 'SOL' }),
    ).toMatchObject({
      fiat: 'USD',
      crypto: 'BTC',
    });
  });

  it('offers only the networks of the URL', () => {
    const { cryptos, crypto } = createOnRampOffer({ cryptoNetwork: 'tron_mainnet,solana_mainnet' });
    expect(codes(cryptos)).toEqual(['USDT_TRC20', 'USDC_Solana', 'SOL', 'TRX']);
    expect(crypto).toBe('USDT_TRC20');
  });

  it('returns empty lists if all codes are unknown', () => {
    expect(createOnRampOffer({ fiatCurrency: 'XXX' })).toMatchObject({
      fiats: [],
      fiat: undefined,
    });
    expect(createOnRampOffer({ cryptoNetwork: 'moon_mainnet' })).toMatchObject({ cryptos: [] });
  });

  it('prefers the fixed amount, and omits an invalid e-mail address', () => {
    expect(createOnRampOffer({ amount: '5', amountFixed: '7' })).toMatchObject({
      amount: '7',
      amountFixed: true,
    });
    expect(createOnRampOffer({ email: 'ann@shop.example' }).email).toBe('ann@shop.example');
    for (const email of ['ann', 'ann@shop', 'a b@shop.example', '<b>@shop.example'])
      expect(createOnRampOffer({ email }).email).toBeUndefined();
  });
});

describe('The notices of createOnRampOffer', () => {
  it('name each unknown code, and the known code that differs only in case', () => {
    const { notices, crypto } = createOnRampOffer({
      defaultCurrency: 'USDT_TRC20',
      cryptoCurrency: 'usdt_trc20,ETH,DOGE',
      cryptoNetwork: 'Ethereum_mainnet,ethereum_mainnet',
      defaultFiatCurrency: 'XXX',
    });
    expect(notices).toEqual([
      { param: 'cryptoCurrency', code: 'usdt_trc20', meant: 'USDT_TRC20' },
      { param: 'cryptoCurrency', code: 'DOGE' },
      { param: 'cryptoNetwork', code: 'Ethereum_mainnet', meant: 'ethereum_mainnet' },
      { param: 'defaultFiatCurrency', code: 'XXX' },
    ]);
    expect(crypto).toBe('ETH');
  });

  it('are empty if every code is known, and limited if many are unknown', () => {
    const codes = cryptoCurrencies.map(({ code }) => code).join(',');
    expect(createOnRampOffer({ cryptoCurrency: codes, defaultCurrency: 'SOL' }).notices).toEqual(
      [],
    );
    expect(createOnRampOffer({ cryptoCurrency: 'a,b,c,d,e,f,g' }).notices).toHaveLength(5);
  });
});

describe('toOnRampPageData', () => {
  it('contains neither a hidden wallet nor ext', () => {
    const params = { walletAddress: wallet, walletAddressHidden: '1', ext: 'ref-1' };
    const pageData = JSON.stringify(toOnRampPageData('an-id', createOnRampOffer(params)));
    expect(pageData).not.toContain(wallet);
    expect(pageData).not.toContain('ref-1');
    expect(JSON.parse(pageData).wallet).toEqual({ families: ['evm'], locked: false, hidden: true });
  });
});

describe('findAddressFamilies', () => {
  it.each([
    [wallet, ['evm']],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', ['bitcoin']],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', ['bitcoin']],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', ['tron']],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', ['solana']],
    ['11111111111111111111111111111111', ['solana']],
    [wallet.slice(0, -1), []],
    [`${wallet}0`, []],
    ['', []],
    ['0OIl', []],
  ])('returns the families of %s', (address, families) => {
    expect(findAddressFamilies(address)).toEqual(families);
  });
});

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
    const pageData = JSON.stringify(
      toNftPageData('an-id', offered({ ...marketListing, ...partnerFields })),
    );
    for (const value of [marketListing.walletAddress, ...Object.values(partnerFields)])
      expect(pageData).not.toContain(value);
    for (const value of [
      marketListing.transferWalletAddress,
      marketListing.ownerWalletAddress,
      '0.050',
    ])
      expect(pageData).toContain(value);
  });
});
