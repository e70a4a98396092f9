import { parse } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
  parseOrderList,
  parseQuote,
} from '../../src/protocol/index.js';
import { type Sandbox, type SandboxQuirks, startSandbox } from '../../src/sandbox/index.js';
import { apiClient } from './api-client.js';
import { httpClient } from './http-client.js';
import { wallet } from './signed-query.js';

vi.mock('../../src/sandbox/widget-files.js', () => import('./fake-widget-files.js'));

const now = () => 1_986_217_096_000;
const quirkNames = [
  'codeAsText',
  'paymentOptionsAsObject',
  'timesAsText',
  'decimalsAsText',
  'emptyListAsText',
] as const satisfies readonly (keyof SandboxQuirks)[];
const quirky: readonly (true | Partial<SandboxQuirks>)[] = [
  true,
  ...quirkNames.map((name) => ({ [name]: true })),
];

const price = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
const calls = {
  currency: {},
  token: {},
  nftTokens: { buyType: 'nft' },
  price,
  bankPrice: { ...price, payment: 'BANK_CARD_TRANSFER' },
  nftPrice: { ...price, currencyAmount: '0.050', buyType: 'nft' },
  onlyOption: { ...price, fiatCurrency: 'CHF' },
  order: { startTime: '1986217000', endTime: '1986218000' },
  noOrder: { startTime: '0', endTime: '0' },
} as const;
const operations = {
  nftTokens: 'token',
  bankPrice: 'price',
  nftPrice: 'price',
  onlyOption: 'price',
  noOrder: 'order',
};

interface Answers {
  readonly sandbox: Sandbox;
  readonly texts: Record<keyof typeof calls, string>;
}

/** A sandbox with one finished order, and what its API answers to every call. */
async function answersOf(quirks: boolean | Partial<SandboxQuirks>): Promise<Answers> {
  const sandbox = await startSandbox({ now, stepMs: 0, quirks });
  const widget = httpClient(sandbox, now);
  await widget.post('/home/orders', {
    session: await widget.open({ ext: 'ref-1' }),
    fiatCurrency: 'USD',
    currencyAmount: '100',
    cryptoCurrencyCode: 'USDT_ERC20',
    email: 'ann@shop.example',
    walletAddress: wallet,
  });
  const api = apiClient(sandbox, now);
  const texts: Record<string, string> = {};
  for (const [name, params] of Object.entries(calls)) {
    const operation = operations[name as keyof typeof operations] ?? name;
    texts[name] = (await api.get(operation, params)).text;
  }
  return { sandbox, texts: texts as Answers['texts'] };
}

let plain: Answers;
const all: Answers[] = [];
beforeAll(async () => {
  plain = await answersOf(false);
  all.push(plain);
});
afterAll(() => Promise.all(all.map(({ sandbox }) => sandbox.close())));

/** As a partner reads them, without what differs between two runs: keys, hashes and the port. */
function read({ texts, sandbox }: Answers) {
  const data = (name: keyof typeof calls) =>
    parseEnvelope(
      parse(
        texts[name]
          .replaceAll(sandbox.baseUrl, 'http://localhost')
          .replace(/"(orderId|txHash|userId)":"\w+"/g, '"$1":"_"'),
        undefined,
        (number) => number,
      ),
    );
  return {
    currency: parseFiatCurrencies(data('currency')),
    token: parseCryptoCurrencies(data('token')),
    nftTokens: parseCryptoCurrencies(data('nftTokens')),
    price: parseQuote(data('price')),
    bankPrice: parseQuote(data('bankPrice')),
    nftPrice: parseQuote(data('nftPrice')),
    onlyOption: parseQuote(data('onlyOption')),
    order: parseOrderList(data('order')),
    noOrder: parseOrderList(data('noOrder')),
  };
}
const wire = (name: keyof typeof calls, answers = plain) =>
  (parse(answers.texts[name], undefined, (number) => `#${number}`) as { data: never }).data;

describe('what the API answers', () => {
  it('lists currencies with their payment options, one or several', () => {
    const { currency } = read(plain);
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

  it('lists what it sells, and in a shorter list what NFTs are priced in', () => {
    const { token, nftTokens } = read(plain);
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

  it('prices by the payment option, and lists those of the currency', () => {
    const { price, bankPrice } = read(plain);
    expect([price.platformFee, bankPrice.platformFee]).toEqual(['2.50', '1.50']);
    expect(bankPrice.paymentOptions.map(({ name }) => name)).toEqual([
      'CREDIT_DEBIT_CARD',
      'BANK_CARD_TRANSFER',
      'ACH_TRANSFER',
    ]);
  });

  it('prices an NFT as it was given, in fiat with the fees', () => {
    const { nftPrice } = read(plain);
    expect(nftPrice).toMatchObject({ cryptoCurrencyAmount: '0.050', fiatCurrency: 'USD' });
    expect(nftPrice.currencyAmount).toMatch(/^1[56]\d\.\d\d$/);
  });

  it('has every digit of a decimal as a number token, and times and counts as integers', () => {
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

  it('has every field of an order, "" where there is no value', () => {
    const [order] = (wire('order') as { list: object[] }).list;
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

  it('has every field of a price', () => {
    expect(Object.keys(wire('price')).sort()).toEqual([
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

describe('a sandbox with quirks', () => {
  it.each(quirky)('is read to the same values: %j', async (quirks) => {
    const answers = await answersOf(quirks);
    all.push(answers);
    const [odd, even] = [read(answers), read(plain)];
    const single = quirks === true || quirks.paymentOptionsAsObject;
    for (const name of ['price', 'bankPrice', 'nftPrice'] as const) {
      const chosen = name === 'bankPrice' ? 'BANK_CARD_TRANSFER' : 'CREDIT_DEBIT_CARD';
      // One object says less than the list: the option that the price is for.
      const options = even[name].paymentOptions.filter(
        (option) => !single || option.name === chosen,
      );
      even[name] = { ...even[name], paymentOptions: options };
    }
    expect(odd).toEqual(even);
  });

  it('writes them as they were seen', async () => {
    const answers = await answersOf(true);
    all.push(answers);
    expect(answers.texts.price).toMatch(/^\{"code":"10000",/);
    expect(wire('bankPrice', answers)).toMatchObject({
      gasFee: '1.20',
      paymentOptions: { name: 'BANK_CARD_TRANSFER', minAmount: '50.00' },
    });
    expect(wire('currency', answers)).toContainEqual(
      expect.objectContaining({
        fiatCurrency: 'CHF',
        paymentOptions: expect.objectContaining({ name: 'CREDIT_DEBIT_CARD' }),
      }),
    );
    expect(wire('order', answers)).toMatchObject({
      totalCount: '#1',
      list: [{ finishTime: '1986217096', currencyAmount: '100.00', orderStatus: '#3' }],
    });
    expect(wire('noOrder', answers)).toMatchObject({ totalCount: '#0', list: '' });
  });

  it.each([{ codeAsTxt: true }, { codeAsText: 1 }, 'all', '', null])(
    'is refused with quirks that are none: %j',
    async (quirks) => {
      await expect(startSandbox({ quirks: quirks as never })).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
      });
    },
  );
});

describe('the icons that it names', () => {
  it('are all there, as pictures that any page may show and keep', async () => {
    const { currency, token } = read(plain);
    const icons = new Set([
      ...currency.flatMap(({ paymentOptions }) => paymentOptions.map(({ icon }) => icon)),
      ...token.map(({ icon }) => icon),
    ]);
    expect(icons.size).toBe(18);
    for (const icon of icons) {
      const { pathname } = new URL(icon ?? '');
      const response = await fetch(new URL(pathname, plain.sandbox.baseUrl));
      expect([pathname, response.status]).toEqual([pathname, 200]);
      expect(response.headers.get('content-type')).toBe('image/svg+xml');
      expect(response.headers.get('cache-control')).toContain('max-age');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    }
  });

  it.each(['/icons/NONE.svg', '/icons/crypto/DOGE.svg', '/icons/__proto__.svg', '/icons/PIX'])(
    'are no others: %s',
    async (path) => {
      expect((await fetch(new URL(path, plain.sandbox.baseUrl))).status).toBe(404);
    },
  );
});
