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
} from '../../support/server/testWireForms.js';

describe('the envelope (2.1)', () => {
  it.each(['10000', '"10000"'])('is success with the code %s', (code) => {
    expect(parseEnvelope(parseWireJson(`{"code":${code},"msg":"success","data":[1]}`))).toEqual([
      '1',
    ]);
  });

  it.each(['10003', '"10003"', '10000.0', '1e4', '"success"', '0', '"010000"'])(
    'is an error with the code %s',
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
    'is none: %s',
    (json) => {
      expect(() => parseEnvelope(parseWireJson(json))).toThrow(
        expect.objectContaining({ code: 'ERR_RESPONSE_INVALID' }),
      );
    },
  );

  it('quotes what the service says on one line and not at length', () => {
    const envelope = { code: '1', msg: `a\u2028b\u202e${'c'.repeat(5000)}`, data: null };
    expect(() => parseEnvelope(envelope)).toThrow(
      /^The service returned code 1 \(“a b c{996}”\)\.$/u,
    );
  });

  it.each([
    ['10002', 'parameters'],
    ['10003', 'clock'],
  ])('says what %s means', (code, word) => {
    expect(() => parseEnvelope({ code, msg: 'x', data: null })).toThrow(word);
  });
});

describe('a fiat currency (2.2)', () => {
  testWireForms(
    { fiatCurrency: required(text), name: optional(text), paymentOptions: options },
    { fiatCurrency: 'USD', name: 'US dollar', paymentOptions: [option] },
    (json) => parseFiatCurrencies(parseWireJson(`[${json}]`))[0],
  );
});

describe('a payment option (2.3)', () => {
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

describe('a quote (2.4)', () => {
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

describe('a cryptocurrency, whose record is not shown', () => {
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

  it('keeps the whole record as it came', () => {
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
  ])('of %s may be an empty string, but not nothing', (_, parseList) => {
    expect(parseList('')).toEqual([]);
    expect(parseList([])).toEqual([]);
    for (const none of [null, undefined, {}, 'x'])
      expect(() => parseList(none)).toThrow('must be a list');
  });

  it('of a length that no service has are refused, whatever they hold', () => {
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

  it('keep every digit that stands on the wire, as a number or as text', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,29})(\.\d{1,30})?$/);
    fc.assert(
      fc.property(digits, (amount) => {
        expect(amountOf(amount)).toBe(amount);
        expect(amountOf(`"${amount}"`)).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });

  it('with an exponent are the same number without one', () => {
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

  it('are refused where digits are lost already', () => {
    const quote = {
      fiatCurrency: 'USD',
      currencyAmount: 93.09,
      cryptoCurrencyCode: 'ETH',
      cryptoCurrencyAmount: 2 ** 53,
    };
    expect(() => parseQuote(quote)).toThrow(/currencyAmount .* without loss.*cryptoCurrencyAmount/);
  });
});
