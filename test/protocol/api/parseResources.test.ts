import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
  parseQuote,
} from '../../../src/protocol/api/parseResources.js';
import {
  decimal,
  icon,
  option,
  optional,
  options,
  parseWireJson,
  processingTime,
  required,
  testWireForms,
  text,
} from './testWireForms.js';

describe('parseEnvelope (section 2.1)', () => {
  it.each(['10000', '"10000"'])('returns the data for the code %s', (code) => {
    expect(parseEnvelope(parseWireJson(`{"code":${code},"msg":"success","data":[1]}`))).toEqual([
      '1',
    ]);
  });

  it.each(['10003', '"10003"', '10000.0', '1e4', '"success"', '0', '"010000"'])(
    'throws ERR_API_RESPONSE for the code %s',
    (code) => {
      const envelope = parseWireJson(`{"code":${code},"msg":"Signature error","data":null}`);
      expect(() => parseEnvelope(envelope)).toThrow(
        expect.objectContaining({
          code: 'ERR_API_RESPONSE',
          apiCode: code.replaceAll('"', ''),
          message: expect.stringContaining('Signature error'),
        }),
      );
    },
  );

  it.each(['[]', '"10000"', '10000', 'null', '{}', '{"code":""}', '{"code":{}}', '{"code":null}'])(
    'throws ERR_RESPONSE_INVALID for %s',
    (json) => {
      expect(() => parseEnvelope(parseWireJson(json))).toThrow(
        expect.objectContaining({ code: 'ERR_RESPONSE_INVALID' }),
      );
    },
  );

  it('quotes the message of the service on one line of limited length', () => {
    const envelope = { code: '1', msg: `a\u2028b\u202e${'c'.repeat(5000)}`, data: null };
    expect(() => parseEnvelope(envelope)).toThrow(
      /^The service returned code 1 \(“a b c{996}”\)\.$/u,
    );
  });

  it.each([
    ['10002', 'parameters'],
    ['10003', 'clock'],
  ])('describes the code %s', (code, word) => {
    expect(() => parseEnvelope({ code, msg: 'x', data: null })).toThrow(word);
  });
});

describe('parseFiatCurrencies (section 2.2)', () => {
  testWireForms(
    { fiatCurrency: required(text), name: optional(text), paymentOptions: options },
    { fiatCurrency: 'USD', name: 'US dollar', paymentOptions: [option] },
    (json) => parseFiatCurrencies(parseWireJson(`[${json}]`))[0],
  );
});

describe('parseFiatCurrencies with payment options (section 2.3)', () => {
  testWireForms(
    {
      name: required(text),
      processingTime: optional(processingTime),
      icon: optional(icon),
      maxAmount: optional(decimal),
      minAmount: optional(decimal),
    },
    { name: 'CARD_PAYMENT', processingTime: '3 - 7Min', icon: '', maxAmount: '9', minAmount: '1' },
    (json) =>
      parseFiatCurrencies(parseWireJson(`[{"fiatCurrency":"USD","paymentOptions":[${json}]}]`))[0]
        ?.paymentOptions[0],
  );
});

describe('parseQuote (section 2.4)', () => {
  testWireForms(
    {
      fiatCurrency: required(text),
      currencyAmount: required(decimal),
      cryptoCurrency: optional(text),
      network: optional(text),
      cryptoCurrencyCode: required(text),
      cryptoCurrencyAmount: required(decimal),
      cryptoCurrencyUnitPrice: optional(decimal),
      gasFee: optional(decimal),
      platformFee: optional(decimal),
      totalFee: optional(decimal),
      paymentOptions: options,
    },
    {
      fiatCurrency: 'USD',
      currencyAmount: '100',
      cryptoCurrencyCode: 'USDT_ERC20',
      cryptoCurrencyAmount: '97.09',
    },
    (json) => parseQuote(parseWireJson(json)),
  );
});

describe('parseQuote for the price of an NFT (section 4.4)', () => {
  const query = { fiatCurrency: 'EUR', currencyAmount: '0.05', cryptoCurrencyCode: 'ETH' };
  const quote = (currencyAmount: string, cryptoCurrencyAmount: string) => ({
    ...query,
    currencyAmount,
    cryptoCurrencyAmount,
  });

  it.each(['0.05', '0.050000000000000000'])('accepts the amount %s for 0.05', (amount) => {
    const data = quote('160.12', amount);
    expect(parseQuote(data, { ...query, buyType: 'nft' })).toMatchObject(data);
  });

  it.each([
    ['0.05', '0.0000156'],
    ['0.05', '0.00'],
    ['160.12', '0.050000000000000001'],
    ['160.12', '-0.05'],
  ])(
    'refuses %s EUR for %s ETH: the service may have read 0.05 as a fiat amount',
    (fiat, crypto) => {
      const data = quote(fiat, crypto);
      expect(() => parseQuote(data, { ...query, buyType: 'nft' })).toThrow(
        expect.objectContaining({
          code: 'ERR_RESPONSE_INVALID',
          issues: [{ param: 'cryptoCurrencyAmount', message: expect.stringContaining('NFT') }],
        }),
      );
      expect(parseQuote(data, query)).toMatchObject({ cryptoCurrencyAmount: crypto });
    },
  );
});

describe('parseCryptoCurrencies, whose record is not documented', () => {
  testWireForms(
    {
      cryptoCurrencyCode: required(text),
      cryptoCurrency: optional(text),
      network: optional(text),
      icon: optional(icon),
    },
    { cryptoCurrencyCode: 'ETH' },
    (json) => parseCryptoCurrencies(parseWireJson(`[${json}]`))[0],
  );

  it('keeps the whole record in raw', () => {
    const [only] = parseCryptoCurrencies(
      parseWireJson('[{"cryptoCurrencyCode":"ETH","rank":1.50}]'),
    );
    expect(only?.raw).toEqual({ cryptoCurrencyCode: 'ETH', rank: '1.50' });
  });
});

describe('lists', () => {
  it.each([
    ['fiat currencies', parseFiatCurrencies],
    ['cryptocurrencies', parseCryptoCurrencies],
  ])('accepts an empty string for a list of %s, but not a missing list', (_, parseList) => {
    expect(parseList('')).toEqual([]);
    expect(parseList([])).toEqual([]);
    for (const none of [null, undefined, {}, 'x'])
      expect(() => parseList(none)).toThrow('must be a list');
  });

  it('refuses lists that are longer than any list of a service', () => {
    const zeros = (length: number) => Array<number>(length).fill(0);
    expect(() => parseFiatCurrencies(zeros(10_001))).toThrow('more than 10000 entries');
    const nested = { fiatCurrency: 'USD', paymentOptions: zeros(9_000) };
    for (const list of [zeros(10_000), [{ ...nested, paymentOptions: zeros(150_000) }]])
      expect(() => parseFiatCurrencies(list)).toThrow(
        expect.objectContaining({ code: 'ERR_RESPONSE_INVALID' }),
      );
    expect(() => parseFiatCurrencies(Array(50).fill(nested))).toThrow(
      expect.objectContaining({ code: 'ERR_RESPONSE_INVALID' }),
    );
  });
});

describe('decimals', () => {
  const amountOf = (json: string) =>
    parseQuote(
      parseWireJson(
        `{"fiatCurrency":"USD","currencyAmount":${json},"cryptoCurrencyCode":"ETH","cryptoCurrencyAmount":1}`,
      ),
    ).currencyAmount;

  it('keeps every digit of a number or a text', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,29})(\.\d{1,30})?$/);
    fc.assert(
      fc.property(digits, (amount) => {
        expect(amountOf(amount)).toBe(amount);
        expect(amountOf(`"${amount}"`)).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });

  it('expands an exponent to the same number', () => {
    const scientific = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: -30, max: 30 }));
    fc.assert(
      fc.property(scientific, ([digits, exponent]) => {
        const plain = amountOf(`${digits}e${exponent}`);
        const [whole = '', fraction = ''] = plain.split('.');
        const scale = 40;
        expect(BigInt(whole + fraction.padEnd(scale, '0'))).toBe(
          digits * 10n ** BigInt(scale + exponent),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses JavaScript numbers that may have lost digits', () => {
    const quote = {
      fiatCurrency: 'USD',
      currencyAmount: 93.09,
      cryptoCurrencyCode: 'ETH',
      cryptoCurrencyAmount: 2 ** 53,
    };
    expect(() => parseQuote(quote)).toThrow(/currencyAmount .* without loss.*cryptoCurrencyAmount/);
  });
});
