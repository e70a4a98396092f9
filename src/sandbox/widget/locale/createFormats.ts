import { countFractionDigits } from '../../../protocol/decimal/parseDecimal.js';

/** Amounts and times in one language. Amounts are decimal strings, never floats. */
export interface Formats {
  /** `100.00 USD` */
  money(amount: string, code: string, digits: number): string;
  /** `0.05 ETH`, with every digit that it has. */
  exact(amount: string, code: string): string;
  /** The price of one: more digits the less there is before the point. */
  price(amount: string, code: string): string;
  /** Without a code; rounded down, as what is shown should arrive. */
  number(amount: string, digits: number): string;
  /** Time of day of a Unix time in seconds. */
  time(seconds: number): string;
  /** A plain decimal as one would type it: with this language's decimal sign, ungrouped. */
  typed(amount: string): string;
}

export function createFormats(locale: string): Formats {
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const sign = new Intl.NumberFormat(locale).formatToParts(1.5)[1]?.value ?? '.';
  const number = (amount: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: Math.min(digits, 2),
      maximumFractionDigits: digits,
      ...({ roundingMode: 'trunc' } as object),
    }).format(amount as Intl.StringNumericLiteral);
  return {
    number,
    money: (amount, code, digits) => `${number(amount, digits)} ${code}`,
    exact: (amount, code) => `${number(amount, countFractionDigits(amount))} ${code}`,
    price: (amount, code) => `${number(amount, amount.indexOf('.') > 2 ? 2 : 6)} ${code}`,
    time: (seconds) => clock.format(seconds * 1000),
    typed: (amount) => amount.replace('.', sign),
  };
}

/** A typed amount as a plain decimal, or undefined. Takes either decimal sign and any digits. */
export function parseAmountInput(text: string, digits: number): string | undefined {
  const plain = text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(/\s/g, '')
    .replace(/[,٫．]/, '.');
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d*))?$/.exec(plain) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction && `.${fraction}`}`;
}
