import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiplyDecimals } from '../../../src/protocol/decimal/multiplyDecimals.js';
import {
  arbitraryDecimals,
  compareFractions,
  notDecimals,
  toFraction,
} from '../../support/protocol/arbitraryDecimals.js';

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

  it.each(notDecimals)('throws a SyntaxError for %j on either side', (text) => {
    expect(() => multiplyDecimals(text, '1')).toThrow(SyntaxError);
    expect(() => multiplyDecimals('1', text)).toThrow(SyntaxError);
  });
});
