import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareDecimals,
  countFractionDigits,
  divideUnits,
  formatUnits,
  isDecimal,
  multiplyDecimals,
  normalizeDecimal,
  parseDecimal,
  parseUnits,
} from '../../src/protocol/decimals.js';
import {
  arbitraryDecimals,
  compareFractions,
  notDecimals,
  toFraction,
} from './arbitraryDecimals.js';

const invalidAmount = expect.objectContaining({
  name: 'RampError',
  code: 'ERR_PARAMS_INVALID',
  issues: [{ param: 'amount', message: 'must be a plain decimal such as 99.50' }],
});

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

  it.each(notDecimals)('throws a RampError for %j', (text) => {
    expect(() => parseDecimal(text)).toThrow(invalidAmount);
  });
});

describe('compareDecimals', () => {
  it('orders decimals of any length like exact fractions', () => {
    fc.assert(
      fc.property(arbitraryDecimals, arbitraryDecimals, (a, b) => {
        const order = compareFractions(toFraction(a), toFraction(b));
        expect(compareDecimals(a, b)).toBe(order);
        expect(compareDecimals(b, a) + order).toBe(0);
      }),
    );
  });

  it('ignores leading and trailing zeros', () => {
    fc.assert(
      fc.property(arbitraryDecimals, fc.nat(5), (a, zeros) => {
        const more = `${'0'.repeat(zeros)}${a.includes('.') ? a : `${a}.0`}${'0'.repeat(zeros)}`;
        expect(compareDecimals(a, more)).toBe(0);
      }),
    );
  });

  it('compares the last of eighteen digits', () => {
    expect(compareDecimals('0.000000000000000001', '0.000000000000000002')).toBe(-1);
    expect(compareDecimals('123456789012345678.02', '123456789012345678.01')).toBe(1);
  });

  it.each(notDecimals)('throws a RampError for %j on either side', (text) => {
    expect(() => compareDecimals(text, '1')).toThrow(invalidAmount);
    expect(() => compareDecimals('1', text)).toThrow(invalidAmount);
  });
});

describe('multiplyDecimals', () => {
  it('returns the exact product', () => {
    fc.assert(
      fc.property(arbitraryDecimals, arbitraryDecimals, (a, b) => {
        const [x, y] = [toFraction(a), toFraction(b)];
        const product = {
          numerator: x.numerator * y.numerator,
          denominator: x.denominator * y.denominator,
        };
        expect(compareFractions(toFraction(multiplyDecimals(a, b)), product)).toBe(0);
      }),
    );
  });

  it.each([
    ['0.05', '3', '0.15'],
    ['0.02', '5', '0.10'],
    ['1.50', '1.0', '1.500'],
    ['0.00', '5', '0.00'],
    ['007', '3', '21'],
  ])('keeps every digit of %s times %s', (a, b, product) => {
    expect(multiplyDecimals(a, b)).toBe(product);
  });

  it.each(notDecimals)('throws a RampError for %j on either side', (text) => {
    expect(() => multiplyDecimals(text, '1')).toThrow(invalidAmount);
    expect(() => multiplyDecimals('1', text)).toThrow(invalidAmount);
  });
});

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

  it.each(notDecimals)('throws a RampError for %j', (text) => {
    expect(() => parseUnits(text, 2)).toThrow(invalidAmount);
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
