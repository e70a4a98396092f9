/**
 * Parses a typed amount into a plain decimal: `'99,5'` becomes `'99.5'`, `''` stays `''`. It accepts a comma or a
 * point as the decimal sign, the digits of any script, the grouping of pasted amounts (`1,234.50`,
 * `1.234,50`, `1 234,50`), and a currency at either end.
 *
 * @param digits - The maximum number of decimals.
 * @param pasted - Whether the text was pasted. If three decimals are not allowed, a pasted `1,234` means 1234. A typed
 * `1,234` is refused instead, because its last digit is one decimal too many.
 * @returns `undefined` for text that is not an amount, or has too many digits. The field then keeps its value.
 */
export function parseTypedAmount(text: string, digits: number, pasted = false): string | undefined {
  const plain = text
    // Normalizes bold and full-width digits.
    .normalize('NFKC')
    .trim()
    .replace(CURRENCY, '')
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .replace(/[\s'’٬]/g, '')
    .replace(/[٫．]/g, '.')
    .replace(/[،，]/g, ',');
  const [, whole, fraction = ''] =
    (digits > 2 ? COIN : FIAT).exec(normalizeDecimalSign(removeGrouping(plain, digits, pasted))) ??
    [];
  if (whole === undefined || fraction.length > digits) return undefined;
  if (!whole && !fraction) return '';
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (fraction && `.${fraction}`);
}

// The number of digits that an amount in a quote may have (docs/service-interface.md section 4.4).
const FIAT = /^(\d{0,15})(?:\.(\d*))?$/;
const COIN = /^(\d{0,30})(?:\.(\d*))?$/;
const CURRENCY = /^(?:[A-Z]{3}|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})$/gu;

const removeGrouping = (text: string, digits: number, pasted: boolean) =>
  pasted && digits < 3 && /^\d{1,3}[.,]\d{3}$/.test(text) ? text.replace(/[.,]/, '') : text;

/**
 * Replaces the decimal sign with a point, and removes the grouping signs. The last sign is the decimal sign, unless it
 * occurs several times: then it groups digits.
 */
function normalizeDecimalSign(text: string): string {
  const signs = [...text].filter((sign) => sign === '.' || sign === ',');
  const last = signs.at(-1) ?? '.';
  const grouping = last === '.' ? ',' : '.';
  const isGrouping = signs.length > 1 && signs.filter((sign) => sign === last).length > 1;
  if (isGrouping) return signs.includes(grouping) ? text : text.replaceAll(last, '');
  return text.replaceAll(grouping, '').replace(last, '.');
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
