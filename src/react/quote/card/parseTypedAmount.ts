/**
 * Reads a typed amount as a plain decimal: `'99,5'` is `'99.5'`, `''` stays `''`. Takes comma or point
 * as the decimal sign, the digits of any script, and the grouping of pasted figures (`1,234.50`,
 * `1.234,50`, `1 234,50`), and a currency at either end.
 *
 * @param digits - How many may stand after the point.
 * @param pasted - Of what was pasted, `1,234` is grouped where it cannot be a fraction. Somebody who
 * types it has typed one digit too many.
 * @returns `undefined` for what is no amount, or would lose digits: then the field stays as it was.
 */
export function parseTypedAmount(text: string, digits: number, pasted = false): string | undefined {
  const plain = text
    // Figures in bold or in full width are figures.
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

// As much as may be asked for (section 4.4).
const FIAT = /^(\d{0,15})(?:\.(\d*))?$/;
const COIN = /^(\d{0,30})(?:\.(\d*))?$/;
const CURRENCY = /^(?:[A-Z]{3}|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})$/gu;

const removeGrouping = (text: string, digits: number, pasted: boolean) =>
  pasted && digits < 3 && /^\d{1,3}[.,]\d{3}$/.test(text) ? text.replace(/[.,]/, '') : text;

/** One sign alone is the decimal sign. Of several, the last is, unless it is there more than once. */
function normalizeDecimalSign(text: string): string {
  const signs = [...text].filter((sign) => sign === '.' || sign === ',');
  const last = signs.at(-1) ?? '.';
  const grouping = last === '.' ? ',' : '.';
  const isGrouping = signs.length > 1 && signs.filter((sign) => sign === last).length > 1;
  if (isGrouping) return signs.includes(grouping) ? text : text.replaceAll(last, '');
  return text.replaceAll(grouping, '').replace(last, '.');
}

/** Unicode keeps the ten digits of a script together, the zero first. */
function toAsciiDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return digit > '9' ? `${value}` : digit;
}
