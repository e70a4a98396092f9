import { describe, expect, it } from 'vitest';
import { fillText, getPluralCategory } from '../../src/protocol/fillText.js';
import { createLocale } from '../../src/sandbox/widget/locale.js';

describe('fillText', () => {
  it('replaces each name in braces with its value', () => {
    expect(fillText('{a} of {b}, {a}', { a: '1', b: '2' })).toBe('1 of 2, 1');
  });

  it('keeps a name without a value, and inserts a value literally', () => {
    expect(fillText('{a} {b}', { a: '$& {b}' })).toBe('$& {b} {b}');
  });
});

describe("the text of the sandbox's widget", () => {
  it('has its values filled in', () => {
    expect(createLocale('en').t('pay', { amount: '100.00 USD' })).toBe('Pay 100.00 USD');
  });

  it('isolates each value in a language that reads from right to left', () => {
    expect(createLocale('ar').t('pay', { amount: '100.00 USD' })).toContain(
      '\u2068100.00 USD\u2069',
    );
  });
});

describe('fillText with plural forms', () => {
  const text = { one: '{n} day', few: '{n} few', other: '{n} days' };

  it('uses the form of the category, or else `other`', () => {
    expect(fillText(text, { n: '1' }, 'one')).toBe('1 day');
    expect(fillText(text, { n: '9' }, 'many')).toBe('9 days');
    expect(fillText(text, { n: '9' })).toBe('9 days');
    expect(fillText('{n} in all', { n: '1' }, 'one')).toBe('1 in all');
  });
});

describe('getPluralCategory', () => {
  it('returns the category of the number in the language, which is English by default', () => {
    expect(getPluralCategory(1)).toBe('one');
    expect(getPluralCategory(2)).toBe('other');
    expect(getPluralCategory(2, 'ar')).toBe('two');
  });

  it('returns `other` for a language that no browser knows', () => {
    expect(getPluralCategory(1, 'de_DE')).toBe('other');
  });
});
