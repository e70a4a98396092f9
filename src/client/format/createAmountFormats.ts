import { countFractionDigits, isDecimal } from '../../protocol/decimals.js';

/** The signs that separate decimals, and groups of digits. */
export interface NumberSigns {
  readonly decimal: string;
  readonly group: string;
}

/** Functions that format amounts in one language. Amounts are decimal strings, so no digit is lost. */
export interface AmountFormats {
  /** `1,234.5`: trailing zeros are dropped, but at least `digits` decimals (by default 0) are kept. */
  number(amount: string, digits?: number): string;
  /** `97.09 USDT` */
  coin(amount: string, code: string): string;
  /** `97.00`, with at least as many decimals as is usual for the currency. */
  fiat(amount: string, currency: string): string;
  /** `97.00 USD`, with at least as many decimals as is usual for the currency. */
  money(amount: string, currency: string): string;
  /** `1234.50`, as a shopper would type it: without grouping, and with all trailing zeros. */
  ungrouped(amount: string): string;
  /** The signs of the language, as `.` or `,`: the Arabic signs are written so on most keyboards. */
  signs(): NumberSigns;
  /** The symbol of a fiat currency, or its code. */
  sign(currency: string): string;
  /** `2 minutes ago` */
  age(seconds: number): string;
}

/**
 * Whether `Intl.NumberFormat` formats strings exactly. Browsers without `formatRange` convert them to floating-point
 * numbers first, which would lose digits.
 */
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
      // The browser supports fewer decimals than this amount has, so return it unformatted, with every digit.
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
    signs() {
      // Spanish groups only numbers of five digits and more.
      const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
      const find = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
      const plain = (sign: string) => sign.replace('٫', '.').replace('٬', ',');
      return { decimal: plain(find('decimal')), group: plain(find('group')) };
    },
    sign: (currency) =>
      // English has the shortest symbols, such as $ for every kind of dollar.
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

/** Returns a locale that Intl supports: that of `language` if possible, otherwise `en`. Never throws. */
export function toSupportedLocale(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Returns `undefined` for an invalid currency code, for which Intl would throw. */
function createCurrencyFormat(locale: string, currency: string): Intl.NumberFormat | undefined {
  try {
    const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    return new Intl.NumberFormat(locale, options);
  } catch {
    return undefined;
  }
}
