import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals } from '../../../src/protocol/decimal/compareDecimals.js';
import {
  arbitraryDecimals,
  compareFractions,
  notDecimals,
  toFraction,
} from '../../support/protocol/arbitraryDecimals.js';

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

  it.each(notDecimals)('throws a SyntaxError for %j on either side', (text) => {
    expect(() => compareDecimals(text, '1')).toThrow(SyntaxError);
    expect(() => compareDecimals('1', text)).toThrow(SyntaxError);
  });
});
