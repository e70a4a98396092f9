const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Whether it is a plain decimal without a sign, such as `'99.50'`. */
export const isDecimal = (value: unknown): value is string =>
  typeof value === 'string' && DECIMAL.test(value);

/** How many digits stand after the point. */
export const countFractionDigits = (value: string): number => DECIMAL.exec(value)?.[2]?.length ?? 0;

/**
 * Compares two plain decimals exactly, however many digits they have: less than zero when `a` is
 * less than `b`, zero when they are worth the same (`'15'` and `'15.00'`), more when `a` is more.
 */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(countFractionDigits(a), countFractionDigits(b));
  const difference = toScaledUnits(a, scale) - toScaledUnits(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const toScaledUnits = (value: string, scale: number): bigint =>
  BigInt(value.replace('.', '') + '0'.repeat(scale - countFractionDigits(value)));
