import { formatUnits } from './formatUnits.js';
import { parseDecimal } from './parseDecimal.js';

/**
 * Multiplies two plain decimals exactly. The digits after the point add up, so that no digit is lost
 * and zeros at the end stay.
 *
 * @throws SyntaxError when one of them is not a plain decimal without a sign.
 * @example
 * multiplyDecimals('0.05', '3'); // '0.15'
 */
export function multiplyDecimals(a: string, b: string): string {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  return formatUnits(x.units * y.units, x.scale + y.scale);
}
