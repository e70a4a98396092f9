import { parseDecimal } from './parseDecimal.js';

/** The direction in which a remainder is rounded. `half`: to the nearest unit, and a half up. */
export type Rounding = 'down' | 'up' | 'half';

/**
 * Parses a plain decimal as whole units of 10^-`scale`, rounded down by default.
 *
 * @throws SyntaxError when `text` is not a plain decimal without a sign.
 */
export function parseUnits(text: string, scale: number, rounding: Rounding = 'down'): bigint {
  const value = parseDecimal(text);
  if (scale >= value.scale) return value.units * 10n ** BigInt(scale - value.scale);
  return divideUnits(value.units, 10n ** BigInt(value.scale - scale), rounding);
}

/** Divides one positive whole number by another, rounded down by default. */
export function divideUnits(a: bigint, b: bigint, rounding: Rounding = 'down'): bigint {
  const added = rounding === 'up' ? b - 1n : rounding === 'half' ? b / 2n : 0n;
  return (a + added) / b;
}
