import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../../src/protocol/decimal/formatUnits.js';
import { divideUnits, parseUnits } from '../../../src/protocol/decimal/parseUnits.js';
import {
  arbitraryDecimals,
  compareFractions,
  notDecimals,
  toFraction,
} from '../../support/protocol/arbitraryDecimals.js';

const scales = fc.nat({ max: 40 });

describe('parseUnits', () => {
  it('rounds down and up to the neighbours of the exact fraction', () => {
    fc.assert(
      fc.property(arbitraryDecimals, scales, (text, scale) => {
        const exact = toFraction(text);
        const denominator = 10n ** BigInt(scale);
        const down = parseUnits(text, scale);
        const up = parseUnits(text, scale, 'up');
        expect(compareFractions({ numerator: down, denominator }, exact)).toBeLessThanOrEqual(0);
        expect(compareFractions({ numerator: up, denominator }, exact)).toBeGreaterThanOrEqual(0);
        const isExact = (exact.numerator * denominator) % exact.denominator === 0n;
        expect(up - down).toBe(isExact ? 0n : 1n);
      }),
    );
  });

  it('rounds to the nearest unit, and a half up', () => {
    fc.assert(
      fc.property(arbitraryDecimals, scales, (text, scale) => {
        const { numerator, denominator } = toFraction(text);
        const doubled = 2n * numerator * 10n ** BigInt(scale);
        const half = 2n * denominator * parseUnits(text, scale, 'half');
        expect(half - doubled <= denominator && doubled - half < denominator).toBe(true);
      }),
    );
  });

  it('is the inverse of formatUnits if no digit is dropped', () => {
    fc.assert(
      fc.property(arbitraryDecimals, (text) => {
        const written = toFraction(formatUnits(parseUnits(text, 30), 30));
        expect(compareFractions(written, toFraction(text))).toBe(0);
      }),
    );
  });

  it.each(notDecimals)('throws a SyntaxError for %j', (text) => {
    expect(() => parseUnits(text, 2)).toThrow(SyntaxError);
  });
});

describe('divideUnits', () => {
  it.each([
    ['down', 3n],
    ['up', 4n],
    ['half', 4n],
  ] as const)('rounds 7 by 2 %s to %i', (rounding, quotient) => {
    expect(divideUnits(7n, 2n, rounding)).toBe(quotient);
  });
});
