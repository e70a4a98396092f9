import { countFractionDigits } from '../../../protocol/decimal/parseDecimal.js';

/** The formats of amounts and times in one language. Amounts are decimal strings, never floats. */
export interface Formats {
  /** `100.00 USD` */
  money(amount: string, code: string, digits: number): string;
  /** `0.05 ETH`, with all digits of the amount. */
  exact(amount: string, code: string): string;
  /** Price of one unit. Small prices have more decimals. */
  price(amount: string, code: string): string;
  /** Without a code. Rounded down, so that at least the shown amount arrives. */
  number(amount: string, digits: number): string;
  /** Time of day of a Unix time in seconds. */
  time(seconds: number): string;
  /** A decimal as a user would type it: with the decimal separator of the language, without grouping. */
  typed(amount: string): string;
}

export function createFormats(locale: string): Formats {
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const sign = new Intl.NumberFormat(locale).formatToParts(1.5)[1]?.value ?? '.';
  const formatNumber = (amount: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: Math.min(digits, 2),
      maximumFractionDigits: digits,
      ...({ roundingMode: 'trunc' } as object),
    }).format(amount as Intl.StringNumericLiteral);
  return {
    number: formatNumber,
    money: (amount, code, digits) => `${formatNumber(amount, digits)} ${code}`,
    exact: (amount, code) => `${formatNumber(amount, countFractionDigits(amount))} ${code}`,
    price: (amount, code) => `${formatNumber(amount, amount.indexOf('.') > 2 ? 2 : 6)} ${code}`,
    time: (seconds) => clock.format(seconds * 1000),
    typed: (amount) => amount.replace('.', sign),
  };
}

/** Parses a typed amount into a decimal, or returns `undefined`. Accepts both decimal separators and any digits. */

export function parseAmountInput(text: string, digits: number): string | undefined {
  const plain = text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(/\s/g, '')
    .replace(/[,٫．]/, '.');
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d*))?$/.exec(plain) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction && `.${fraction}`}`;
}
