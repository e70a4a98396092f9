import { countFractionDigits, isDecimal } from '../../protocol/decimals.js';
import { createCache } from './createCache.js';

/** The decimal separator and the grouping separator. */
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
  /** The language's separators. Arabic ones are returned as `.` and `,`, which most keyboards type instead. */
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

/**
 * Returns the functions that format amounts in a language. They share their formatters, so calling this in each render
 * costs nothing.
 *
 * @param language - A language tag such as `de-CH`. `de_CH` is understood too. An unknown language means English.
 */
export const createAmountFormats = /* @__PURE__ */ createCache(createFormats);

function createFormats(language: string): AmountFormats {
  const locale = toSupportedLocale(language);
  const getFormat = createCache((minDigits) => createNumberFormat(locale, Number(minDigits)));
  const getFiatDigits = createCache((currency) => findFiatDigits(locale, currency));
  const getSigns = createCache(() => findSigns(locale));
  const getAgeFormat = createCache(() => new Intl.RelativeTimeFormat(locale));
  const formatNumber = (amount: string, digits = 0) => {
    if (!isDecimal(amount) || !formatsStrings) return amount;
    const format = getFormat(`${digits}`);
    // The browser supports fewer decimals than this amount has, so return it unformatted, with every digit.
    const { maximumFractionDigits = 0 } = format.resolvedOptions();
    if (countFractionDigits(amount) > maximumFractionDigits) return amount;
    return format.format(amount as Intl.StringNumericLiteral);
  };
  // A no-break space keeps an amount and its currency on one line.
  const withCode = (figure: string, code: string) => `${figure}\u00a0${code}`;
  const formatFiat = (amount: string, currency: string) =>
    formatNumber(amount, getFiatDigits(currency));
  return {
    number: formatNumber,
    fiat: formatFiat,
    coin: (amount, code) => withCode(formatNumber(amount), code),
    money: (amount, currency) => withCode(formatFiat(amount, currency), currency),
    ungrouped(amount) {
      if (!isDecimal(amount)) return amount;
      const { digits, decimal } = getSigns('');
      return amount
        .replace(/^0+(?=\d)/, '')
        .replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)
        .replace('.', decimal);
    },
    signs() {
      const { decimal, group } = getSigns('');
      const toTyped = (sign: string) => sign.replace('٫', '.').replace('٬', ',');
      return { decimal: toTyped(decimal), group: toTyped(group) };
    },
    sign: getCurrencySign,
    age(seconds) {
      const format = getAgeFormat('');
      return seconds < 60
        ? format.format(-Math.round(seconds), 'second')
        : seconds < 3600
          ? format.format(-Math.round(seconds / 60), 'minute')
          : format.format(-Math.round(seconds / 3600), 'hour');
    },
  };
}

/** Creates a format for amounts with any number of decimals, or with as many as the browser supports. */
function createNumberFormat(locale: string, minimumFractionDigits: number): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 100 });
  } catch {
    return new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 20 });
  }
}

/** Returns the number of decimals that is usual for a currency, or 0 for an invalid code. */
const findFiatDigits = (locale: string, currency: string): number =>
  createCurrencyFormat(locale, currency)?.resolvedOptions().minimumFractionDigits ?? 0;

function findSigns(locale: string): NumberSigns & { readonly digits: readonly string[] } {
  // Spanish groups only numbers with five or more digits.
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const find = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  const plain = new Intl.NumberFormat(locale, { useGrouping: false, minimumIntegerDigits: 10 });
  return { decimal: find('decimal'), group: find('group'), digits: [...plain.format(123_456_789)] };
}

/** Returns a currency's English symbol, because English has the shortest ones, such as $ for every kind of dollar. */
const getCurrencySign = /* @__PURE__ */ createCache(
  (currency) =>
    createCurrencyFormat('en', currency)
      ?.formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency,
);

/**
 * Returns a locale that Intl supports: that of `language` if possible, otherwise `en`. Never throws. Locale names of
 * operating systems, such as `de_DE`, `zh_Hans_CN` and `de_DE.UTF-8`, are understood.
 */
export const toSupportedLocale = (language: string): string => findLocale(language) ?? 'en';

/** Returns whether the browser can format amounts in a language. */
export const hasLocale = (language: unknown): boolean => findLocale(`${language}`) !== undefined;

function findLocale(language: string): string | undefined {
  try {
    const tag = language.replace(/[.@].*/, '').replaceAll('_', '-');
    return Intl.NumberFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
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
