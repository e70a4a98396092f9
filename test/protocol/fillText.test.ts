import { describe, expect, it } from 'vitest';
import { fillText } from '../../src/protocol/fillText.js';
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
