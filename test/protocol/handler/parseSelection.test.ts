import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRampError } from '../../../src/protocol/errors/isRampError.js';
import { parseSelection } from '../../../src/protocol/handler/parseSelection.js';
import type { CheckoutSelection } from '../../../src/protocol/handler/selection.js';

/** A value of each name in the format of its parameter. */
const whole = {
  cryptoCurrency: 'USDT_ERC20,ETH',
  defaultCurrency: 'ETH',
  cryptoNetwork: 'ethereum_mainnet',
  fiatCurrency: 'EUR,USD',
  defaultFiatCurrency: 'EUR',
  amountFixed: '99.50',
  amount: '100',
} satisfies Record<keyof CheckoutSelection, string>;

/** Returns the issues as sentences, such as `selection.amount must be a string`. */
const refusal = (input: unknown): string[] => {
  try {
    parseSelection('on-ramp', input);
  } catch (error) {
    if (!isRampError(error)) throw error;
    expect(error.code).toBe('ERR_PARAMS_INVALID');
    return (error.issues ?? []).map(({ param, message }) => `${param} ${message}`);
  }
  return [];
};

describe('parseSelection', () => {
  it('returns every name of the on-ramp widget', () => {
    expect({ ...parseSelection('on-ramp', whole) }).toEqual(whole);
  });

  it('returns only the fiat currencies for the NFT widget, whose amount and coin are signed', () => {
    expect({ ...parseSelection('nft', whole) }).toEqual({
      fiatCurrency: 'EUR,USD',
      defaultFiatCurrency: 'EUR',
    });
    expect({ ...parseSelection('nft', { amount: 5, cryptoCurrency: [] }) }).toEqual({});
  });

  it.each([
    ['nothing', {}],
    ['absent values', { amount: undefined, cryptoCurrency: null, fiatCurrency: '' }],
    ['names of a later release', { amount: undefined, paymentMethod: { id: 1 }, locale: 5 }],
  ])('returns an empty selection for %s', (_, input) => {
    expect(Object.keys(parseSelection('on-ramp', input))).toEqual([]);
  });

  it('returns an object in which only the names of the page are found', () => {
    const parsed: object = parseSelection('on-ramp', { amount: '5' });
    for (const name of ['constructor', 'toString', '__proto__']) expect(name in parsed).toBe(false);
  });

  const notText = 'must be a string';
  it.each([
    ['a number', { amount: 100 }, `selection.amount ${notText}`],
    ['a flag', { amountFixed: true }, `selection.amountFixed ${notText}`],
    ['an array', { cryptoCurrency: ['ETH', 'BTC'] }, `selection.cryptoCurrency ${notText}`],
    ['a nested object', { cryptoNetwork: { in: ['x'] } }, `selection.cryptoNetwork ${notText}`],
    [
      '10,000 characters in a code',
      { defaultCurrency: 'A'.repeat(10_000) },
      'selection.defaultCurrency is longer than 64 characters',
    ],
    [
      '10,000 characters in a list',
      { cryptoCurrency: `${'ETH,'.repeat(2499)}BTC_` },
      'selection.cryptoCurrency is longer than 4096 characters',
    ],
    [
      'the name of an inherited property as a code',
      { defaultCurrency: 'constructor' },
      'selection.defaultCurrency has a name that every JavaScript object has, such as constructor',
    ],
    [
      'such a name in a list',
      { cryptoNetwork: 'ethereum,__proto__' },
      'selection.cryptoNetwork has a name that every JavaScript object has, such as constructor',
    ],
    [
      'an own property __proto__',
      JSON.parse('{"__proto__":{"amount":"5"}}'),
      'selection.__proto__ is a name that every JavaScript object has',
    ],
    [
      'an own property constructor',
      { constructor: 'x' },
      'selection.constructor is a name that every JavaScript object has',
    ],
    [
      'half of a surrogate pair',
      { cryptoCurrency: 'ETH\ud83d' },
      'selection.cryptoCurrency must be codes separated by commas, without spaces',
    ],
    [
      'a currency in lower case',
      { defaultFiatCurrency: 'eur' },
      'selection.defaultFiatCurrency must be an ISO currency code such as USD',
    ],
    [
      'an exponent',
      { amount: '1e3' },
      'selection.amount must be a decimal number with at most two decimals, such as 100 or 99.50',
    ],
    [
      'a second parameter in a value',
      { cryptoCurrency: 'ETH&walletAddress=0x0' },
      'selection.cryptoCurrency must be codes separated by commas, without spaces',
    ],
    ['a list', ['amount'], 'selection must be an object of strings'],
    ['text', 'amount', 'selection must be an object of strings'],
    ['null', null, 'selection must be an object of strings'],
  ])('refuses %s', (_, input, issue) => {
    expect(refusal(input)).toEqual([issue]);
  });

  it('accepts a list of 4,096 characters, because a service may sell hundreds of coins', () => {
    const cryptoCurrency = 'A'.repeat(4096);
    expect(refusal({ cryptoCurrency })).toEqual([]);
    expect(refusal({ cryptoCurrency: `${cryptoCurrency}A` })).toHaveLength(1);
  });

  it('lists each malformed value, and repeats none of them', () => {
    const issues = refusal({ amount: 'secret', fiatCurrency: 'secret', cryptoCurrency: 'se cret' });
    expect(issues).toHaveLength(3);
    expect(issues.join()).not.toContain('cret');
  });

  it('returns text in the format of its parameter, or refuses with words, for any JSON', () => {
    const names = fc.constantFrom(...Object.keys(whole));
    const forged = fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue()));
    fc.assert(
      fc.property(forged, (input) => {
        try {
          const parsed = parseSelection('on-ramp', input);
          for (const [name, value] of Object.entries(parsed)) {
            expect(Object.keys(whole)).toContain(name);
            expect(value).toBe((input as Record<string, unknown>)[name]);
            expect(value).toMatch(/^[\w.,-]{1,4096}$/);
          }
        } catch (error) {
          if (!isRampError(error)) throw error;
          expect(error.message).toMatch(/^Widget parameters refused: selection/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
