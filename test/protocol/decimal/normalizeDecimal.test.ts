import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeDecimal } from '../../../src/protocol/decimal/normalizeDecimal.js';
import {
  arbitraryDecimals,
  compareFractions,
  toFraction,
} from '../../support/protocol/arbitraryDecimals.js';

describe('normalizeDecimal', () => {
  it('keeps the value and removes trailing zeros of the fraction', () => {
    fc.assert(
      fc.property(arbitraryDecimals, (text) => {
        const normalized = normalizeDecimal(text);
        expect(compareFractions(toFraction(normalized), toFraction(text))).toBe(0);
        expect(normalized).not.toMatch(/\.\d*0$|\.$/);
      }),
    );
  });

  it.each([
    ['100.00', '100'],
    ['100', '100'],
    ['0.10', '0.1'],
  ])('returns %s as %s', (text, normalized) => {
    expect(normalizeDecimal(text)).toBe(normalized);
  });
});
