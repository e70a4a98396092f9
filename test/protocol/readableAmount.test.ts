import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDecimal, normalizeDecimal, truncateDecimals } from '../../src/protocol/decimals.js';
import { countReadableDecimals } from '../../src/protocol/readableAmount.js';
import { arbitraryDecimals, compareFractions, toFraction } from './arbitraryDecimals.js';

const shorten = (amount: string, symbol?: string) =>
  truncateDecimals(amount, countReadableDecimals(amount, symbol));

describe('countReadableDecimals', () => {
  it.each([
    ['96.17182699', 'USDT', '96.17'],
    ['240.49999999', 'PYUSD', '240.49'],
    ['96.17182699', 'EURC', '96.17'],
    ['1234567.899', 'DAI', '1234567.89'],
    ['0.00420000', 'USDC', '0.00420000'],
    ['0.03072987', 'ETH', '0.0307298'],
    ['1.234567891', 'ETH', '1.23456'],
    ['583.12345678', 'TRX', '583.123'],
    ['1234567.89', 'SHIB', '1234567'],
    ['0.00000012345678', 'BTC', '0.000000123456'],
    ['0.00000000', 'BTC', '0.00000000'],
    ['100', 'ETH', '100'],
  ])('shortens %s %s to %s', (amount, symbol, short) => {
    expect(shorten(amount, symbol)).toBe(short);
  });

  it('keeps the first significant digits of every amount, and rounds down', () => {
    fc.assert(
      fc.property(
        arbitraryDecimals,
        fc.constantFrom('USDT', 'ETH', undefined),
        (amount, symbol) => {
          const short = shorten(amount, symbol);
          expect(isDecimal(short)).toBe(true);
          expect(amount.startsWith(short)).toBe(true);
          expect(compareFractions(toFraction(short), toFraction(amount))).not.toBe(1);
          // An amount above zero must not be shown as zero.
          expect(/[1-9]/.test(short)).toBe(/[1-9]/.test(amount));
          if (!symbol || symbol === 'ETH') {
            const digits = (text: string) => text.replace('.', '').replace(/^0+/, '');
            const known = digits(normalizeDecimal(amount)).length;
            expect(digits(short).length).toBeGreaterThanOrEqual(Math.min(6, known));
          }
        },
      ),
    );
  });
});
