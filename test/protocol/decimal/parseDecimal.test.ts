import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../../src/protocol/decimal/formatUnits.js';
import {
  countFractionDigits,
  isDecimal,
  parseDecimal,
} from '../../../src/protocol/decimal/parseDecimal.js';
import {
  arbitraryDecimals,
  notDecimals,
  toFraction,
} from '../../support/protocol/arbitraryDecimals.js';

describe('isDecimal', () => {
  it.each(['0', '99.50', '007', '0.000000000000000001'])('accepts %s', (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  it.each([...notDecimals, 1.5, null, undefined])('rejects %j', (value) => {
    expect(isDecimal(value)).toBe(false);
  });
});

describe('parseDecimal', () => {
  it('returns the exact fraction', () => {
    fc.assert(
      fc.property(arbitraryDecimals, (text) => {
        const { units, scale } = parseDecimal(text);
        const { numerator, denominator } = toFraction(text);
        expect([units, 10n ** BigInt(scale)]).toEqual([numerator, denominator]);
        expect(countFractionDigits(text)).toBe(scale);
      }),
    );
  });

  it('is the inverse of formatUnits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 18 }), (units, scale) => {
        expect(parseDecimal(formatUnits(units, scale))).toEqual({ units, scale });
      }),
    );
  });

  it.each(notDecimals)('throws a SyntaxError for %j', (text) => {
    expect(() => parseDecimal(text)).toThrow(SyntaxError);
  });
});
