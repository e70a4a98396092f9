import { countFractionDigits, isDecimal } from '../../protocol/decimals.js';

/** Formats amounts in one language. Amounts are decimal strings, and no digit is lost. */
export interface AmountFormats {
  /** `1,234.5`; trailing zeros are dropped down to `digits` decimals. */
  number(amount: string, digits?: number): string;
  /** `97.09 USDT` */
  coin(amount: string, code: string): string;
  /** `97.00`, with at least as many decimals as the currency has. */
  fiat(amount: string, currency: string): string;
  /** `97.00 USD`, with at least as many decimals as the currency has. */
  money(amount: string, currency: string): string;
  /** As it would be typed: without grouping, with every zero. */
  ungrouped(amount: string): string;
  /** The symbol of a fiat currency, or its code. */
  sign(currency: string): string;
  /** `2 minutes ago` */
  age(seconds: number): string;
}

/** Browsers without `formatRange` convert strings to floating-point numbers. */
const formatsStrings = 'formatRange' in Intl.NumberFormat.prototype;

/** Creates the amount formats of a language. */
export function createAmountFormats(language: string): AmountFormats {
  const locale = toSupportedLocale(language);
  const write = (amount: string, options: Intl.NumberFormatOptions) => {
    if (!isDecimal(amount) || !formatsStrings) return amount;
    const maximumFractionDigits = countFractionDigits(amount);
    try {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits, ...options });
      return format.format(amount as Intl.StringNumericLiteral);
    } catch {
      // This browser supports fewer decimals: return the amount unformatted and complete.
      return amount;
    }
  };
  const formatNumber = (amount: string, digits = 0) =>
    write(amount, {
      minimumFractionDigits: digits,
      maximumFractionDigits: Math.max(digits, countFractionDigits(amount)),
    });
  // A no-break space keeps an amount and its currency on one line.
  const withCode = (figure: string, code: string) => `${figure}\u00a0${code}`;
  const formatFiat = (amount: string, currency: string) =>
    formatNumber(
      amount,
      createCurrencyFormat(locale, currency)?.resolvedOptions().minimumFractionDigits,
    );
  return {
    number: formatNumber,
    fiat: formatFiat,
    coin: (amount, code) => withCode(formatNumber(amount), code),
    money: (amount, currency) => withCode(formatFiat(amount, currency), currency),
    ungrouped: (amount) =>
      write(amount, { useGrouping: false, minimumFractionDigits: countFractionDigits(amount) }),
    sign: (currency) =>
      // English has the shortest symbols: a dollar is always $.
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

/** Returns `language` if Intl supports it, else a default: Intl throws for an invalid language tag. */
export function toSupportedLocale(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Returns `undefined` for an invalid currency code, because Intl throws. */
function createCurrencyFormat(locale: string, currency: string): Intl.NumberFormat | undefined {
  try {
    const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    return new Intl.NumberFormat(locale, options);
  } catch {
    return undefined;
  }
}
