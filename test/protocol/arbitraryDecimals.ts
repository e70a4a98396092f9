import fc from 'fast-check';

const digits = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength: 30 });

/** Plain decimals of up to thirty digits on each side of the point. They may have leading and trailing zeros. */
export const arbitraryDecimals = fc
  .tuple(digits(1), digits(0))
  .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : whole));

/** An exact fraction, with which tests compare the results for decimals. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Converts a decimal to a fraction digit by digit, without the code under test. */
export function toFraction(decimal: string): Fraction {
  let [numerator, denominator, isFraction] = [0n, 1n, false];
  for (const digit of decimal) {
    if (digit === '.') isFraction = true;
    else {
      numerator = numerator * 10n + BigInt(digit);
      if (isFraction) denominator *= 10n;
    }
  }
  return { numerator, denominator };
}

export function compareFractions(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const [x, y] = [a.numerator * b.denominator, b.numerator * a.denominator];
  return x < y ? -1 : x > y ? 1 : 0;
}

export const notDecimals = [
  '',
  '-1',
  '+1',
  '1.',
  '.5',
  '1e3',
  '1,5',
  ' 1',
  '1 ',
  'NaN',
  '0x1',
  '1.2.3',
];
