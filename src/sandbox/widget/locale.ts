import { createContext, useContext } from 'react';
import { countFractionDigits, truncateDecimals } from '../../protocol/decimals.js';
import { fillText } from '../../protocol/fillText.js';
import { countReadableDecimals } from '../../protocol/readableAmount.js';
import { ar } from './messages/ar.js';
import { de } from './messages/de.js';
import { en, type WidgetMessages } from './messages/en.js';
import { es } from './messages/es.js';
import { fr } from './messages/fr.js';
import { ja } from './messages/ja.js';
import { zh } from './messages/zh.js';

const all: Readonly<Record<string, WidgetMessages>> = { ar, de, en, es, fr, ja, zh };

/**
 * The languages that are written right to left. They are listed here because not every browser can get the direction
 * from `Intl.Locale`.
 */
const rightToLeft: readonly string[] = ['ar'];

export interface Locale {
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly formats: Formats;
  /** Returns the message `key` with `values` inserted. */
  t(key: keyof WidgetMessages, values?: Readonly<Record<string, string>>): string;
}

/**
 * Creates the locale of a language tag. English is used for a language without messages. A region (`de-AT`) affects
 * the formats of numbers.
 */
export function createLocale(language: string): Locale {
  const tag = language.replaceAll('_', '-');
  const base = tag.replace(/-.*/, '').toLowerCase();
  const messages = all[base] ?? en;
  const lang = all[base] ? base : 'en';
  const dir = rightToLeft.includes(lang) ? 'rtl' : 'ltr';
  return {
    lang,
    dir,
    formats: createFormats(withLatinDigits(all[base] ? tag : 'en', lang)),
    t: (key, values = {}) => fillText(messages[key], dir === 'rtl' ? isolate(values) : values),
  };
}

/** Wraps each value in bidi isolates. Without them, right-to-left letters around "100.00 USD" would swap its parts. */
const isolate = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`]));

/**
 * Makes a language tag use Latin digits, as the typed amounts and the card number do. Returns the tag of `fallback`
 * when `tag` is invalid.
 */
function withLatinDigits(tag: string, fallback: string): string {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
  } catch {
    return new Intl.Locale(fallback, { numberingSystem: 'latn' }).toString();
  }
}

const LocaleContext = createContext<Locale>(createLocale('en'));
export const LocaleProvider = LocaleContext.Provider;

export const useLocale = (): Locale => useContext(LocaleContext);

/** The formats of amounts and times in one language. Amounts are decimal strings, never floats. */
export interface Formats {
  /** An amount such as `100.00 USD`, rounded down to `digits` decimals. */
  money(amount: string, code: string, digits: number): string;
  /** A cryptocurrency amount before the payment, such as `96.17`, in the format of the package's price card. */
  estimate(amount: string, symbol: string): string;
  /** An amount such as `0.05 ETH`, with all its digits. */
  exact(amount: string, code: string): string;
  /** The price of one unit. Prices below 100 have up to six decimals, other prices two. */
  price(amount: string, code: string): string;
  /** An amount without a currency code, rounded down so that the shopper never gets less than is shown. */
  number(amount: string, digits: number): string;
  /** The time of day, from Unix seconds. */
  time(seconds: number): string;
  /** A decimal as the shopper would type it: with the decimal separator of the language, without grouping. */
  typed(amount: string): string;
}

function createFormats(locale: string): Formats {
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
    estimate: (amount, symbol) => {
      const digits = countReadableDecimals(amount, symbol);
      return formatNumber(truncateDecimals(amount, digits), digits);
    },
    exact: (amount, code) => `${formatNumber(amount, countFractionDigits(amount))} ${code}`,
    price: (amount, code) => `${formatNumber(amount, amount.indexOf('.') > 2 ? 2 : 6)} ${code}`,
    time: (seconds) => clock.format(seconds * 1000),
    typed: (amount) => amount.replace('.', sign),
  };
}

/**
 * Parses an amount that the shopper typed into a plain decimal. Accepts point or comma as the decimal separator, and
 * Arabic, Persian and full-width digits. Returns `undefined` for other text.
 */
export function parseAmountInput(text: string, digits: number): string | undefined {
  const plain = text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(/\s/g, '')
    .replace(/[,٫．]/, '.');
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d*))?$/.exec(plain) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction && `.${fraction}`}`;
}
