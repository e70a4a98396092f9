import fc from 'fast-check';
import { parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import {
  parseCryptoCurrencies,
  parseEnvelope,
  parseFiatCurrencies,
  parseOrder,
  parseOrderList,
  parseQuote,
} from '../../src/protocol/index.js';

/** Reads JSON as the client does: numbers as text, to the last digit. */
const read = (json: string): unknown => parse(json, null, (digits) => digits);

/** One form of one field: what stands on the wire, and what it becomes (an issue if a string says so). */
type Form = readonly [wire: string, value: unknown];
type Fields = Readonly<Record<string, readonly Form[]>>;

const refused = (message: string) => ({ refused: message });
const missing: readonly Form[] = [
  ['""', refused('is missing')],
  ['null', refused('is missing')],
];
const absent: readonly Form[] = [
  ['""', undefined],
  ['null', undefined],
];
const text: readonly Form[] = [
  ['"a b"', 'a b'],
  ['12345678901234567890', '12345678901234567890'],
  ['{}', refused('must be text')],
  ['true', refused('must be text')],
];
const decimal: readonly Form[] = [
  ['93.09000000', '93.09000000'],
  ['"93.09000000"', '93.09000000'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
  ['"999999999999999999"', '999999999999999999'],
  ['0', '0'],
  ['-0.5', '-0.5'],
  ['1.5e-7', '0.00000015'],
  ['12E+3', '12000'],
  ['"1,000"', refused('must be a decimal number')],
  ['"NaN"', refused('must be a decimal number')],
  ['1e999', refused('must be a decimal number')],
  ['[]', refused('must be a decimal number')],
];
const seconds: readonly Form[] = [
  ['1666000000', 1_666_000_000],
  ['"1666000000"', 1_666_000_000],
  ['1666000000000', refused('must be a Unix time in seconds')],
  ['"2022-10-18"', refused('must be a Unix time in seconds')],
  ['1.5', refused('must be a Unix time in seconds')],
];
const count: readonly Form[] = [
  ['7', 7],
  ['"7"', 7],
  ['"7.5"', refused('must be a whole number')],
  ['-1', refused('must be a whole number')],
];
const icon: readonly Form[] = [
  ['"https://cdn.example/card.svg"', 'https://cdn.example/card.svg'],
  ['"http://127.0.0.1:4010/card.svg"', 'http://127.0.0.1:4010/card.svg'],
  ['"http://cdn.example/card.svg"', undefined],
  ['"javascript:alert(1)"', undefined],
  ['"card.svg"', undefined],
];
const processingTime: readonly Form[] = [
  ['"3 - 7Min"', { text: '3 - 7Min', minMinutes: 3, maxMinutes: 7 }],
  ['"10-15 min"', { text: '10-15 min', minMinutes: 10, maxMinutes: 15 }],
  ['"1 day"', { text: '1 day' }],
];
const option = { name: 'CARD_PAYMENT' };
const options: readonly Form[] = [
  ['[{"name":"CARD_PAYMENT"}]', [option]],
  ['{"name":"CARD_PAYMENT"}', [option]],
  ['[]', []],
  ['""', []],
  ['null', []],
  ['"CARD_PAYMENT"', refused('must be an object')],
];
const required = (forms: readonly Form[]) => [...forms, ...missing];
const optional = (forms: readonly Form[]) => [...forms, ...absent];

/** Every field of one resource in every form, within an object that is right otherwise. */
function table(
  fields: Fields,
  rest: Readonly<Record<string, unknown>>,
  parseOne: (json: string) => unknown,
) {
  const rows = Object.entries(fields).flatMap(([field, forms]) =>
    forms.map(([wire, value]) => ({ field, wire, value })),
  );
  it.each(rows)('$field as $wire', ({ field, wire, value }) => {
    const others = Object.entries(rest).filter(([name]) => name !== field);
    const items = [...others.map(([name, v]) => `"${name}":${JSON.stringify(v)}`)];
    const json = `{${[...items, `"${field}":${wire}`].join(',')}}`;
    if (typeof value === 'object' && value !== null && 'refused' in value) {
      expect(() => parseOne(json)).toThrow(
        expect.objectContaining({
          code: 'ERR_RESPONSE_INVALID',
          issues: expect.arrayContaining([
            { param: expect.stringContaining(field), message: value.refused },
          ]),
        }),
      );
      return;
    }
    expect((parseOne(json) as Record<string, unknown>)[field]).toEqual(value);
  });

  it('answers the fields of the interface and no others', () => {
    const answered = parseOne(JSON.stringify({ ...rest, unknownField: 'x' }));
    expect(answered).not.toHaveProperty('unknownField');
  });
}

describe('the envelope (2.1)', () => {
  it.each(['10000', '"10000"'])('is success with the code %s', (code) => {
    expect(parseEnvelope(read(`{"code":${code},"msg":"success","data":[1]}`))).toEqual(['1']);
  });

  it.each(['10003', '"10003"', '10000.0', '1e4', '"success"', '0', '"010000"'])(
    'is an error with the code %s',
    (code) => {
      const envelope = read(`{"code":${code},"msg":"Signature error","data":null}`);
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
      expect(() => parseEnvelope(read(json))).toThrow(
        expect.objectContaining({ code: 'ERR_RESPONSE_INVALID' }),
      );
    },
  );

  it('quotes what the service says on one line and not at length', () => {
    const envelope = { code: '1', msg: `a\u2028b\u202e${'c'.repeat(5000)}`, data: null };
    expect(() => parseEnvelope(envelope)).toThrow(/^The service answered 1 \(“a b c{996}”\)\.$/u);
  });

  it.each([
    ['10002', 'parameters'],
    ['10003', 'clock'],
  ])('says what %s means', (code, word) => {
    expect(() => parseEnvelope({ code, msg: 'x', data: null })).toThrow(word);
  });
});

describe('a fiat currency (2.2)', () => {
  table(
    { fiatCurrency: required(text), name: optional(text), paymentOptions: options },
    { fiatCurrency: 'USD', name: 'US dollar', paymentOptions: [option] },
    (json) => parseFiatCurrencies(read(`[${json}]`))[0],
  );
});

describe('a payment option (2.3)', () => {
  table(
    {
      name: required(text),
      processingTime: optional(processingTime),
      icon: optional(icon),
      maxAmount: optional(decimal),
      minAmount: optional(decimal),
    },
    { name: 'CARD_PAYMENT', processingTime: '3 - 7Min', icon: '', maxAmount: '9', minAmount: '1' },
    (json) =>
      parseFiatCurrencies(read(`[{"fiatCurrency":"USD","paymentOptions":[${json}]}]`))[0]
        ?.paymentOptions[0],
  );
});

describe('a quote (2.4)', () => {
  table(
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
    (json) => parseQuote(read(json)),
  );
});

describe('an order list (2.5)', () => {
  table(
    {
      page: required(count),
      size: required(count),
      totalCount: required(count),
      list: [
        ['[]', []],
        ['""', []],
        ['["x"]', refused('must be an object')],
      ],
    },
    { page: 1, size: 20, totalCount: 0, list: [] },
    (json) => parseOrderList(read(json)),
  );
});

describe('an order (2.6)', () => {
  const texts = [
    'userId',
    'fiatCurrency',
    'cryptoCurrency',
    'cryptoCurrencyCode',
    'walletAddress',
    'walletAddressTag',
    'gasFeeUnit',
    'platformFeeUnit',
    'totalFeeUnit',
    'payment',
    'txHash',
    'network',
    'blockchainExplorer',
    'ext',
  ];
  const decimals = [
    'currencyAmount',
    'cryptoCurrencyAmount',
    'cryptoCurrencyUnitPrice',
    'gasFee',
    'platformFee',
    'totalFee',
  ];
  const all = (names: readonly string[], forms: readonly Form[]) =>
    Object.fromEntries(names.map((name) => [name, optional(forms)]));
  table(
    {
      orderId: required(text),
      orderStatus: required(count),
      ...all(texts, text),
      ...all(decimals, decimal),
      ...all(['payTime', 'deliverTime', 'finishTime'], seconds),
      nftDetails: [
        ['""', []],
        ['[]', []],
        ['[{"tokenId":7}]', [{ tokenId: '7' }]],
        ['{"tokenId":"7"}', [{ tokenId: '7' }]],
        ['[{"tokenId":"","mintQuantity":""}]', []],
        ['{}', []],
      ],
    },
    { orderId: 'o1', orderStatus: 3 },
    (json) => parseOrder(read(json)),
  );

  it.each([
    ['on-ramp', 3, 'finished'],
    ['on-ramp', 1, 'unknown'],
    ['on-ramp', 2, 'unknown'],
    ['on-ramp', 9, 'unknown'],
    ['nft', 1, 'finished'],
    ['nft', 2, 'settlement'],
    ['nft', 3, 'settled'],
    ['nft', 0, 'unknown'],
  ])('of the kind %s with the status %i is %s (3)', (kind, orderStatus, state) => {
    const nftDetails = kind === 'nft' ? [{ type: 'MINT' }] : '';
    expect(parseOrder({ orderId: 'o1', orderStatus, nftDetails })).toMatchObject({
      kind,
      state,
      orderStatus,
    });
  });
});

describe('NFT details (2.7)', () => {
  const texts = [
    'contractAddress',
    'nftNetwork',
    'tokenId',
    'merchantUniqueId',
    'type',
    'ownerWalletAddress',
    'transferWalletAddress',
    'merchantOrderNo',
    'externalCustomerId',
  ];
  table(
    {
      ...Object.fromEntries(texts.map((name) => [name, optional(text)])),
      mintQuantity: optional(count),
    },
    { contractAddress: '0x1', merchantOrderNo: 'A-1' },
    (json) =>
      parseOrder(read(`{"orderId":"1","orderStatus":1,"nftDetails":[${json}]}`)).nftDetails[0],
  );
});

describe('a cryptocurrency, whose record is not shown', () => {
  table(
    {
      cryptoCurrencyCode: required(text),
      cryptoCurrency: optional(text),
      network: optional(text),
      icon: optional(icon),
    },
    { cryptoCurrencyCode: 'ETH' },
    (json) => parseCryptoCurrencies(read(`[${json}]`))[0],
  );

  it('keeps the whole record as it came', () => {
    const [only] = parseCryptoCurrencies(read('[{"cryptoCurrencyCode":"ETH","rank":1.50}]'));
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
      read(
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
