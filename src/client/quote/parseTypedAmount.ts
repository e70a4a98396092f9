import type { NumberSigns } from '../format/createAmountFormats.js';

/**
 * Parses a typed amount into a plain decimal: `'99,5'` becomes `'99.5'`, `''` stays `''`. It accepts a comma or a
 * point as the decimal sign, the digits of any script, grouped digits (`1,234.50`, `1.234,50`, `1 234,50`,
 * `12,34,567`), and a currency at either end.
 *
 * A text that could mean two amounts is read in the page's language. If that gives no amount with the allowed decimals,
 * the text is refused, because a shopper who types `1.500` into an English page may mean 1.50 or 1,500. If three
 * decimals are allowed, such a text is refused unless its sign is the language's decimal sign.
 *
 * @param digits - The maximum number of decimals.
 * @param pasted - Whether the text was pasted, perhaps from a page in another language. If three decimals are not
 * allowed, a pasted `1.234` means 1234.
 * @returns `undefined` for text that is not exactly one amount, or has too many digits.
 */
export function parseTypedAmount(
  text: string,
  digits: number,
  signs: NumberSigns,
  pasted = false,
): string | undefined {
  const plain = text
    // Normalize bold and full-width digits, and every kind of space that groups digits.
    .normalize('NFKC')
    .trim()
    .replace(CURRENCY, '')
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .replace(/\s/g, ' ')
    .replace(/’/g, "'")
    .replaceAll('،', ',');
  const [, lone] = LONE_GROUP.exec(plain) ?? [];
  // The number of digits that an amount in a quote may have (service interface, section 4.4).
  const maxWhole = digits > 2 ? 30 : 15;
  const decimals = lone ? findDecimalSigns(lone, digits, signs, pasted) : DECIMAL_SIGNS;
  for (const sign of decimals) {
    const parts = plain.split(sign);
    const [grouped = '', fraction = ''] = parts;
    if (parts.length > 2 || !/^\d*$/.test(fraction) || fraction.length > digits) continue;
    const whole = grouped.replace(/\D/g, '');
    if (!GROUPED.test(grouped) || whole.length > maxWhole) continue;
    if (!whole && !fraction) return '';
    return (whole.replace(/^0+(?=\d)/, '') || '0') + (fraction && `.${fraction}`);
  }
  return undefined;
}

const CURRENCY = /^(?:[A-Z]{3}|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})$/gu;

/** The decimal signs: the Arabic one, a point or a comma. */
const DECIMAL_SIGNS = ['٫', '.', ','];

/** A number whose only sign may separate three decimals or a group of three digits. */
const LONE_GROUP = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** Digits without groups, or in groups of three, or as in India: the last group has three digits, the others two. */
const GROUPED =
  /^(?:\d*|[1-9]\d{0,2}([.,'٬ ])\d{3}(?:\1\d{3})*|[1-9]\d?([,٬ ])\d{2}(?:\2\d{2})*\2\d{3})$/;

/**
 * Returns the decimal signs that are possible in a number whose only sign precedes its last three digits. If none is
 * possible, the number is ambiguous and is refused.
 */
function findDecimalSigns(
  sign: string,
  digits: number,
  signs: NumberSigns,
  pasted: boolean,
): readonly string[] {
  const isFiat = digits < 3;
  if (isFiat && (pasted || sign === signs.group))
    return DECIMAL_SIGNS.filter((other) => other !== sign);
  return sign === signs.decimal ? [sign] : [];
}

/**
 * Converts a digit of any script to ASCII. Unicode lists the ten digits of a script in a row, from zero, so the value
 * of a digit is the number of digits directly before it.
 */
function toAsciiDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return digit > '9' ? `${value}` : digit;
}
