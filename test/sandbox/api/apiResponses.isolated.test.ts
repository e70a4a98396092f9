import { beforeAll, describe, expect, it, vi } from 'vitest';
import { wallet } from '../../support/sandbox/signQuery.js';
import {
  parseResponses,
  parseWireData,
  type RecordedResponses,
  recordResponses,
} from './recordResponses.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

let plain: RecordedResponses;
beforeAll(async () => {
  plain = await recordResponses();
});

describe('Responses of the partner API', () => {
  it('list fiat currencies with one or several payment options', () => {
    const { currency } = parseResponses(plain);
    const counts = currency.map(({ fiatCurrency, paymentOptions }) => [
      fiatCurrency,
      paymentOptions.length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      USD: 3,
      EUR: 3,
      GBP: 2,
      CHF: 1,
      JPY: 2,
      BRL: 3,
      THB: 2,
      AED: 1,
    });
    expect(currency[0]?.paymentOptions[0]).toEqual({
      name: 'CREDIT_DEBIT_CARD',
      processingTime: { text: '3 - 7Min', minMinutes: 3, maxMinutes: 7 },
      icon: 'http://localhost/icons/CREDIT_DEBIT_CARD.svg',
      minAmount: '15.00',
      maxAmount: '5000.00',
    });
  });

  it('list the cryptocurrencies, and in a shorter list those for NFT prices', () => {
    const { token, nftTokens } = parseResponses(plain);
    expect(token).toHaveLength(15);
    expect(nftTokens.map(({ cryptoCurrencyCode }) => cryptoCurrencyCode)).toEqual([
      'USDC_ERC20',
      'USDC_Polygon',
      'ETH',
      'ETH_Arbitrum',
      'BNB_BSC',
      'POL_Polygon',
      'AVAX_CChain',
    ]);
    expect(token[0]).toMatchObject({
      cryptoCurrency: 'USDT',
      cryptoCurrencyCode: 'USDT_ERC20',
      network: 'ethereum_mainnet',
      icon: 'http://localhost/icons/crypto/USDT.svg',
      raw: { networkName: 'Ethereum', precision: '2' },
    });
  });

  it('quote with the fee of the payment option, and list all options of the currency', () => {
    const { price, bankPrice } = parseResponses(plain);
    expect([price.platformFee, bankPrice.platformFee]).toEqual(['2.50', '1.50']);
    expect(bankPrice.paymentOptions.map(({ name }) => name)).toEqual([
      'CREDIT_DEBIT_CARD',
      'BANK_CARD_TRANSFER',
      'ACH_TRANSFER',
    ]);
  });

  it('quote the unchanged price of an NFT in fiat money, including fees', () => {
    const { nftPrice } = parseResponses(plain);
    expect(nftPrice).toMatchObject({ cryptoCurrencyAmount: '0.050', fiatCurrency: 'USD' });
    expect(nftPrice.currencyAmount).toMatch(/^1[56]\d\.\d\d$/);
  });

  it('contain decimals as number tokens with all digits, and times and counts as integers', () => {
    expect(plain.texts.currency).toContain('"maxAmount":5000.00,"minAmount":15.00}');
    expect(plain.texts.currency).toContain('"maxAmount":12500.50,');
    expect(plain.texts.currency).toContain('"maxAmount":750000,"minAmount":2500}');
    expect(plain.texts.price).toContain('"currencyAmount":100.00,');
    expect(plain.texts.nftPrice).toContain('"cryptoCurrencyAmount":0.050,');
    expect(plain.texts.price).toMatch(/"cryptoCurrencyUnitPrice":\d{4}\.\d{8},/);
    expect(plain.texts.order).toContain('"payTime":1986217096,');
    expect(plain.texts.order).toContain('"page":1,"size":20,"totalCount":1,');
    expect(plain.texts.order).toContain('{"code":10000,"msg":"success","data":');
  });

  it('contain every field of an order, "" for an empty one', () => {
    const [order] = (parseWireData(plain, 'order') as { list: object[] }).list;
    expect(order).toEqual({
      orderId: expect.stringMatching(/^[0-9a-f]{32}$/),
      orderStatus: '#3',
      userId: expect.stringMatching(/^[0-9a-f]{16}$/),
      payTime: '#1986217096',
      deliverTime: '#1986217096',
      finishTime: '#1986217096',
      fiatCurrency: 'USD',
      currencyAmount: '#100.00',
      cryptoCurrency: 'USDT',
      cryptoCurrencyCode: 'USDT_ERC20',
      cryptoCurrencyAmount: '#96.14403706',
      cryptoCurrencyUnitPrice: '#1.00162218',
      walletAddress: wallet,
      walletAddressTag: '',
      gasFee: '#1.19805653',
      gasFeeUnit: 'USDT',
      platformFee: '#2.49595111',
      platformFeeUnit: 'USDT',
      totalFee: '#3.69400764',
      totalFeeUnit: 'USDT',
      payment: 'CREDIT_DEBIT_CARD',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'ethereum_mainnet',
      blockchainExplorer: 'https://explorer.example/ethereum/tx/',
      ext: 'ref-1',
      nftDetails: '',
    });
  });

  it('contain every field of a quote', () => {
    expect(Object.keys(parseWireData(plain, 'price')).sort()).toEqual([
      'cryptoCurrency',
      'cryptoCurrencyAmount',
      'cryptoCurrencyCode',
      'cryptoCurrencyUnitPrice',
      'currencyAmount',
      'fiatCurrency',
      'gasFee',
      'network',
      'paymentOptions',
      'platformFee',
      'totalFee',
    ]);
  });
});
