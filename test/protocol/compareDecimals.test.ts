import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, isDecimal } from '../../src/protocol/compareDecimals.js';

const digits = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength: 30 });
const decimals = fc
  .tuple(digits(1), digits(0))
  .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : whole));

/** Both as whole numbers of 10^-30. */
const units = (value: string) => {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(30, '0'));
};

describe('compareDecimals', () => {
  it('orders as exact numbers do, however many digits they have', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const order = units(a) < units(b) ? -1 : units(a) > units(b) ? 1 : 0;
        expect(compareDecimals(a, b)).toBe(order);
        expect(compareDecimals(b, a) + order).toBe(0);
      }),
    );
  });

  it('takes zeros at either end for nothing', () => {
    fc.assert(
      fc.property(decimals, fc.nat(5), (a, zeros) => {
        const more = `${'0'.repeat(zeros)}${a.includes('.') ? a : `${a}.0`}${'0'.repeat(zeros)}`;
        expect(compareDecimals(a, more)).toBe(0);
      }),
    );
  });

  it('sees the last of eighteen digits', () => {
    expect(compareDecimals('0.000000000000000001', '0.000000000000000002')).toBe(-1);
    expect(compareDecimals('123456789012345678.02', '123456789012345678.01')).toBe(1);
  });
});

describe('isDecimal', () => {
  it.each(['0', '99.50', '007', '0.000000000000000001'])('takes %s', (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  it.each(['', '-1', '+1', '1.', '.5', '1e3', '1,5', ' 1', 'NaN', 1.5, null, undefined])(
    'refuses %j',
    (value) => {
      expect(isDecimal(value)).toBe(false);
    },
  );
});
