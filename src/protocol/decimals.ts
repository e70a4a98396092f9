import { RampError } from './errors/RampError.js';

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** An exact decimal: `units` divided by ten to the power of `scale`. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Returns whether `value` is a plain decimal without a sign, such as `'99.50'`. */
export const isDecimal = (value: unknown): value is string =>
  typeof value === 'string' && DECIMAL.test(value);

/** Returns the number of digits after the point, or `0` when `value` is not a plain decimal. */
export const countFractionDigits = (value: string): number => DECIMAL.exec(value)?.[2]?.length ?? 0;

/**
 * Parses a plain decimal without rounding.
 *
 * @throws RampError `ERR_PARAMS_INVALID` for any other text, such as `'.5'` or one with a sign, exponent or space.
 */
export function parseDecimal(text: string): Decimal {
  assertDecimal(text);
  return { units: BigInt(text.replace('.', '')), scale: countFractionDigits(text) };
}

function assertDecimal(text: string): void {
  if (isDecimal(text)) return;
  const message = 'must be a plain decimal such as 99.50';
  throw new RampError('ERR_PARAMS_INVALID', `An amount ${message}, not "${text}".`, {
    issues: [{ param: 'amount', message }],
  });
}

/**
 * Compares two plain decimals of any length exactly. `'15'` and `'15.00'` are equal.
 *
 * @returns `-1` when `a` is less than `b`, `0` when they are equal, `1` when `a` is greater.
 * @throws RampError `ERR_PARAMS_INVALID` when `a` or `b` is not a plain decimal without a sign.
 * @example
 * compareDecimals(order.currencyAmount, '99.5') === 0;
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  assertDecimal(a);
  assertDecimal(b);
  return compareAmounts(a, b);
}

/**
 * Compares two amounts like {@link compareDecimals}, but does not check them: callers must have checked both with
 * {@link isDecimal}. A check with its error would add about 90 B to every page that shows a price.
 */
export function compareAmounts(a: string, b: string): -1 | 0 | 1 {
  const difference = toUnits(a, b) - toUnits(b, a);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Removes the point and appends as many zeros as `other` has fraction digits, so that the results for both amounts
 * have the same scale.
 */
const toUnits = (value: string, other: string) =>
  BigInt(value.replace('.', '') + '0'.repeat(countFractionDigits(other)));

/**
 * Multiplies two plain decimals exactly. The product has as many fraction digits as both factors together,
 * so no digit is lost and trailing zeros are kept.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when `a` or `b` is not a plain decimal without a sign.
 * @example
 * multiplyDecimals('0.05', '3'); // '0.15'
 */
export function multiplyDecimals(a: string, b: string): string {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  return formatUnits(x.units * y.units, x.scale + y.scale);
}

/** Rounds a plain decimal down to at most `digits` fraction digits. */
export const truncateDecimals = (amount: string, digits: number): string =>
  // If no digits are left, remove the point too.
  amount.replace(new RegExp(`(\\.\\d{${digits}})\\d+$`), digits ? '$1' : '');

/** How a remainder is rounded. `half` rounds to the nearest unit; a remainder of exactly half a unit is rounded up. */
type Rounding = 'down' | 'up' | 'half';

/**
 * Parses a plain decimal as whole units of 10^-`scale`, rounded down by default: `'1.509'` is 150 units at scale 2.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when `text` is not a plain decimal without a sign.
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

/** Formats units as a decimal string with exactly `scale` digits after the point. */
export function formatUnits(units: bigint, scale: number): string {
  const digits = `${units}`.padStart(scale + 1, '0');
  const point = digits.length - scale;
  return scale ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}

/** Removes trailing zeros of the fraction, so that equal amounts have equal texts: `'100'` for `'100.00'`. */
export const normalizeDecimal = (amount: string): string =>
  amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
