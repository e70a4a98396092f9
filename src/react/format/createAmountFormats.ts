import { countFractionDigits, isDecimal } from '../../protocol/decimal/parseDecimal.js';

/** How one reader's language writes amounts. Given decimal strings, it loses no digit of them. */
export interface AmountFormats {
  /** `1,234.5`; zeros at the end are dropped down to `digits`. */
  number(amount: string, digits?: number): string;
  /** `97.09 USDT` */
  coin(amount: string, code: string): string;
  /** `97.00`, with as many digits at least as the currency has. */
  fiat(amount: string, currency: string): string;
  /** `97.00 USD`, with as many digits at least as the currency has. */
  money(amount: string, currency: string): string;
  /** As one would type it: ungrouped, every zero kept. */
  ungrouped(amount: string): string;
  /** The sign of a fiat currency, or its code. */
  sign(currency: string): string;
  /** `2 minutes ago` */
  age(seconds: number): string;
}

/** Before it could format a range, Intl made a floating-point number of what it was given. */
const formatsStrings = 'formatRange' in Intl.NumberFormat.prototype;

export function createAmountFormats(language: string): AmountFormats {
  const locale = toSupportedLocale(language);
  const write = (amount: string, options: Intl.NumberFormatOptions) => {
    if (!isDecimal(amount) || !formatsStrings) return amount;
    const maximumFractionDigits = countFractionDigits(amount);
    try {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits, ...options });
      return format.format(amount as Intl.StringNumericLiteral);
    } catch {
      // More digits than this browser writes: better plain than short of some.
      return amount;
    }
  };
  const number = (amount: string, digits = 0) =>
    write(amount, {
      minimumFractionDigits: digits,
      maximumFractionDigits: Math.max(digits, countFractionDigits(amount)),
    });
  // A no-break space: a figure and its currency stay on one line.
  const withCode = (figure: string, code: string) => `${figure}\u00a0${code}`;
  const fiat = (amount: string, currency: string) =>
    number(amount, createCurrencyFormat(locale, currency)?.resolvedOptions().minimumFractionDigits);
  return {
    number,
    fiat,
    coin: (amount, code) => withCode(number(amount), code),
    money: (amount, currency) => withCode(fiat(amount, currency), currency),
    ungrouped: (amount) =>
      write(amount, { useGrouping: false, minimumFractionDigits: countFractionDigits(amount) }),
    sign: (currency) =>
      // In English the signs are shortest: a dollar is $ to every reader of this card.
      createCurrencyFormat('en', currency)
        ?.formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? currency,
    age(seconds) {
      const format = new Intl.RelativeTimeFormat(locale);
      return seconds < 60
        ? format.format(-Math.round(seconds), 'second')
        : seconds < 3600
          ? format.format(-Math.round(seconds / 60), 'minute')
          : format.format(-Math.round(seconds / 3600), 'hour');
    },
  };
}

/** What comes from a setting or an attribute may be no language tag, which Intl throws at. */
export function toSupportedLocale(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Nothing for what is no currency code, which Intl throws at too. */
function createCurrencyFormat(locale: string, currency: string): Intl.NumberFormat | undefined {
  try {
    const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    return new Intl.NumberFormat(locale, options);
  } catch {
    return undefined;
  }
}
