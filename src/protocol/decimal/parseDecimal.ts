const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** An exact decimal: `units` divided by ten to the power of `scale`. */
export interface Decimal {
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
 * @throws SyntaxError for any other text, such as one with a sign, an exponent or a space, or `'.5'`.
 */
export function parseDecimal(text: string): Decimal {
  if (!isDecimal(text)) throw new SyntaxError(`Expected a plain decimal, received "${text}".`);
  return { units: BigInt(text.replace('.', '')), scale: countFractionDigits(text) };
}
