import { countFractionDigits, isDecimal } from './parseDecimal.js';

/**
 * Compares two plain decimals of any length exactly. `'15'` and `'15.00'` are equal.
 *
 * @returns `-1` when `a` is less than `b`, `0` when they are equal, `1` when `a` is greater.
 * @throws SyntaxError when `a` or `b` is not a plain decimal without a sign.
 * @example
 * compareDecimals(order.currencyAmount, '99.5') === 0;
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const difference = toUnits(a, b) - toUnits(b, a);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Removes the point and appends as many zeros as `other` has fraction digits, so that both have the same
 * scale. `BigInt()` throws for a quoted text and names it; a check with its own message would add about
 * 50 B to every page that shows a price.
 */
const toUnits = (value: string, other: string) =>
  BigInt(
    (isDecimal(value) ? value.replace('.', '') : `"${value}"`) +
      '0'.repeat(countFractionDigits(other)),
  );
