/**
 * Reads a typed amount as a plain decimal: `'99,5'` is `'99.5'`, `''` stays `''`. Takes comma or point
 * as the decimal sign, the digits of any script, and the grouping of pasted figures (`1,234.50`,
 * `1.234,50`, `1 234,50`).
 *
 * @param digits - How many may stand after the point.
 * @returns `undefined` for what is no amount, or would lose digits: then the field stays as it was.
 */
export function readAmount(text: string, digits: number): string | undefined {
  const plain = text
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[\s'’٬]/g, '')
    .replace(/[٫．]/g, '.')
    .replace(/[،，]/g, ',');
  const [, whole, fraction = ''] = /^(\d{0,18})(?:\.(\d*))?$/.exec(withPoint(plain)) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  if (!whole && !fraction) return '';
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (fraction && `.${fraction}`);
}

/** One sign alone is the decimal sign. Of several, the last is, unless it is there more than once. */
function withPoint(text: string): string {
  const signs = [...text].filter((sign) => sign === '.' || sign === ',');
  const last = signs.at(-1) ?? '.';
  const grouping = last === '.' ? ',' : '.';
  const isGrouping = signs.length > 1 && signs.filter((sign) => sign === last).length > 1;
  if (isGrouping) return signs.includes(grouping) ? text : text.replaceAll(last, '');
  return text.replaceAll(grouping, '').replace(last, '.');
}

/** Unicode keeps the ten digits of a script together, the zero first. */
function asciiDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return digit > '9' ? `${value}` : digit;
}
