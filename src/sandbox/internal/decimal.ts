const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** An exact decimal: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Reads a decimal string such as `'99.50'` without rounding; anything else is a `SyntaxError`. */
export function parseDecimal(text: string): Decimal {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new SyntaxError('not a plain decimal number');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** The exact product: digits after the point add up, nothing is rounded. */
export const multiplyDecimals = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
});

/** `a` less than `b` is negative, equal is `0`, more is positive. `'100'` equals `'100.00'`. */
export function compareDecimals(a: string, b: string): number {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  const scale = Math.max(x.scale, y.scale);
  const difference = toUnits(x, scale) - toUnits(y, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whole units of `value` with `scale` digits after the point; `rounding` says where a rest goes. */
export function toUnits(
  value: Decimal,
  scale: number,
  rounding: 'down' | 'up' | 'half' = 'down',
): bigint {
  if (scale >= value.scale) return value.units * 10n ** BigInt(scale - value.scale);
  return divideUnits(value.units, 10n ** BigInt(value.scale - scale), rounding);
}

/** A whole number divided by another, both positive. */
export function divideUnits(
  a: bigint,
  b: bigint,
  rounding: 'down' | 'up' | 'half' = 'down',
): bigint {
  const added = rounding === 'up' ? b - 1n : rounding === 'half' ? b / 2n : 0n;
  return (a + added) / b;
}

/** Writes units back as a decimal string with exactly `scale` digits after the point. */
export function formatUnits(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0');
  const at = digits.length - scale;
  return scale === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
}
