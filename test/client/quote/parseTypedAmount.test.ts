import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAmountFormats } from '../../../src/client/format/createAmountFormats.js';
import { parseTypedAmount } from '../../../src/client/quote/parseTypedAmount.js';
import { compareDecimals } from '../../../src/protocol/decimals.js';

const signsOf = (language: string) => createAmountFormats(language).signs();
const english = signsOf('en');

/** The languages, each with its signs, in which shoppers type amounts. */
const languages = ['en', 'de', 'fr', 'de-CH', 'es', 'ar-EG', 'fa', 'hi', 'ja'];

describe('parseTypedAmount', () => {
  it.each([
    ['', ''],
    ['99.50', '99.50'],
    ['99,5', '99.5'],
    ['99.', '99'],
    [',5', '0.5'],
    ['.', ''],
    ['007', '7'],
    ['0', '0'],
    ['٩٩٫٥', '99.5'],
    ['۹۹٫۵', '99.5'],
    ['९९.५', '99.5'],
    ['９９．５', '99.5'],
    ['1 234,50', '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ['1’234.50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1,234,567', '1234567'],
    ['1.234.567,89', '1234567.89'],
    ['𝟭𝟬𝟬', '100'],
    [' 12 ', '12'],
    ['5 USD', '5'],
    ['EUR 5', '5'],
    ['$1,234.50', '1234.50'],
    ['5€', '5'],
  ])('parses %j as %j', (typed, amount) => {
    for (const language of languages)
      expect(parseTypedAmount(typed, 2, signsOf(language)), language).toBe(amount);
  });

  it.each([
    ...['x', '-5', '5 XY', '1e3', '1.2,3.4', '1234567890123456789'],
    ...[
      '1,50.00',
      '1,50.',
      '1,5000',
      '12,34,56',
      '1 50',
      '1 5',
      "1'50",
      '0,500',
      '1.234.56',
      '1,234,',
    ],
  ])('refuses %j in every language', (typed) => {
    for (const language of languages)
      expect(parseTypedAmount(typed, 2, signsOf(language)), language).toBeUndefined();
  });

  it.each([
    ['en', '1,500', '1500'],
    ['en', '1.500', undefined],
    ['de', '1.500', '1500'],
    ['de', '1,500', undefined],
    ['es', '1.500', '1500'],
    ['es', '1,500', undefined],
    ['hi', '1,500', '1500'],
    ['ar-EG', '1,500', '1500'],
    ['ar-EG', '١٬٥٠٠', '1500'],
    ['ar-EG', '1.500', undefined],
    // French groups with a space, Swiss German with an apostrophe, so they have no use for the other sign.
    ['fr', '1.500', undefined],
    ['fr', '1,500', undefined],
    ['de-CH', '1,500', undefined],
    ['de-CH', '1.500', undefined],
  ])('in %s, reads %j as %j, and never as another amount', (language, typed, amount) => {
    expect(parseTypedAmount(typed, 2, signsOf(language))).toBe(amount);
  });

  it.each([
    ['en', '1.500', '1.500'],
    ['en', '1,500', undefined],
    ['de', '1,500', '1.500'],
    ['de', '1.500', undefined],
  ])('in %s, reads the price %j of a coin as %j', (language, typed, amount) => {
    expect(parseTypedAmount(typed, 18, signsOf(language))).toBe(amount);
  });

  const grouped = [
    ...['1,500.00', '1.500,00', '1 500.00', '1 500,00', '1\u00a0500,00', '1\u202f500,00'],
    ...['1\u2009500,00', "1'500.00", '1’500.00', '1’500,00', '١٬٥٠٠٫٠٠', '१,५००.००'],
  ];

  it.each(grouped)('reads every start of %j as it stands, or not at all', (whole) => {
    // What the same digits mean without the grouping signs.
    const plain = '1500.00';
    for (const language of languages)
      for (let length = 1; length <= whole.length; length++) {
        const start = whole.slice(0, length);
        const amount = parseTypedAmount(start, 2, signsOf(language));
        // At first, a sign may still be the decimal sign: `1,5`. After three more digits it groups them.
        const meanings = [undefined, plain.slice(0, start.match(/\p{Nd}/gu)?.length)];
        if (length > 5) meanings.push(plain.slice(0, 4), plain.slice(0, length - 1));
        else meanings.push(`1.${'50'.slice(0, length - 2)}`.replace(/\.$/, ''));
        expect(meanings, `${language}: ${start}`).toContain(amount);
        if (length === whole.length) expect(amount, language).toBe(plain);
      }
  });

  it('parses three digits after a sign as a group in pasted text', () => {
    expect(parseTypedAmount('1,234', 2, english, true)).toBe('1234');
    expect(parseTypedAmount('1.234', 2, english, true)).toBe('1234');
    expect(parseTypedAmount('1.234', 18, english, true)).toBe('1.234');
  });

  it('accepts no amount above the maximum of a quote', () => {
    expect(parseTypedAmount('9'.repeat(15), 2, english)).toBe('9'.repeat(15));
    expect(parseTypedAmount('9'.repeat(16), 2, english)).toBeUndefined();
    expect(parseTypedAmount('9'.repeat(30), 18, english)).toBe('9'.repeat(30));
  });

  it('accepts up to eighteen decimals where they are allowed', () => {
    expect(parseTypedAmount('0,000000000000000001', 18, english)).toBe('0.000000000000000001');
    expect(parseTypedAmount('0,0000000000000000001', 18, english)).toBeUndefined();
  });
});

describe('createAmountFormats', () => {
  const amounts = fc
    .tuple(
      fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
      fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
    )
    .map(([whole, fraction]) => `${whole}.${`${fraction}`.padStart(18, '0')}`);
  const anyLanguage = fc.constantFrom(...languages);

  it('formats an amount so that parsing it returns the same amount, in every language', () => {
    fc.assert(
      fc.property(amounts, anyLanguage, (amount, language) => {
        const shown = createAmountFormats(language).ungrouped(amount);
        expect(parseTypedAmount(shown, 18, signsOf(language))).toBe(amount);
      }),
    );
  });

  it('keeps every digit', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const plain = createAmountFormats('en').number(amount).replaceAll(',', '');
        expect(plain).toBe(amount.replace(/\.?0+$/, ''));
      }),
    );
  });

  it('loses no digit between the API and the price breakdown', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const { money, coin } = createAmountFormats('en');
        for (const shown of [money(amount, 'USD'), coin(amount, 'ETH')]) {
          const plain = shown.replaceAll(',', '').replace(/\u00a0.*/, '');
          expect(compareDecimals(plain, amount)).toBe(0);
        }
      }),
    );
  });

  it('drops trailing zeros, except the decimals of a currency', () => {
    const { number, money, coin } = createAmountFormats('en');
    expect(number('93.09000000')).toBe('93.09');
    expect(coin('15.00', 'USD')).toBe('15\u00a0USD');
    expect(money('0.1', 'USD')).toBe('0.10\u00a0USD');
    expect(money('0.12345', 'USD')).toBe('0.12345\u00a0USD');
    expect(money('1500.00', 'JPY')).toBe('1,500\u00a0JPY');
  });

  it.each(['no language', '', 'xx-invalid-tag-!'])('falls back to English for %j', (language) => {
    expect(createAmountFormats(language).number('1234.5')).toBe('1,234.5');
  });

  it('returns an amount with more digits than Intl supports unformatted', () => {
    const tiny = `0.${'0'.repeat(150)}1`;
    expect(createAmountFormats('en').number(tiny)).toBe(tiny);
  });

  it('returns text that is not an amount unchanged', () => {
    expect(createAmountFormats('en').money('about 5', 'not a code')).toBe(
      'about 5\u00a0not a code',
    );
  });
});
