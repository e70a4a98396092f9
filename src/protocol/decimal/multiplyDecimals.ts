import { formatUnits } from './formatUnits.js';
import { parseDecimal } from './parseDecimal.js';

/**
 * Multiplies two plain decimals exactly. The product has as many fraction digits as both factors together,
 * so no digit is lost and trailing zeros are kept.
 *
 * @throws SyntaxError when `a` or `b` is not a plain decimal without a sign.
 * @example
 * multiplyDecimals('0.05', '3'); // '0.15'
 */
export function multiplyDecimals(a: string, b: string): string {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  return formatUnits(x.units * y.units, x.scale + y.scale);
}
