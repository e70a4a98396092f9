import { createContext, useContext } from 'react';
import { countFractionDigits } from '../../protocol/decimals.js';
import { fillText } from '../../protocol/fillText.js';
import { ar } from './messages/ar.js';
import { de } from './messages/de.js';
import { en, type WidgetMessages } from './messages/en.js';
import { es } from './messages/es.js';
import { fr } from './messages/fr.js';
import { ja } from './messages/ja.js';
import { zh } from './messages/zh.js';

const all: Readonly<Record<string, WidgetMessages>> = { ar, de, en, es, fr, ja, zh };

/** The languages that are written right to left. `Intl.Locale` returns the direction in some browsers only. */
const rightToLeft: readonly string[] = ['ar'];

/** The texts, direction and formats of one language. */
export interface Locale {
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly formats: Formats;
  /** Returns a text with its values inserted. */
  t(key: keyof WidgetMessages, values?: Readonly<Record<string, string>>): string;
}

/** Creates the locale of a language tag, or the English one. A region (`de-AT`) affects the formats of numbers. */
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

/** Wraps each value in bidi isolates, because the surrounding letters would reorder "100.00 USD". */
const isolate = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`]));

/** Formats with Latin digits, because typed text and the card have them. */
function withLatinDigits(tag: string, fallback: string): string {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
  } catch {
    return new Intl.Locale(fallback, { numberingSystem: 'latn' }).toString();
  }
}

const LocaleContext = createContext<Locale>(createLocale('en'));
export const LocaleProvider = LocaleContext.Provider;

/** Returns the locale of the page. */
export const useLocale = (): Locale => useContext(LocaleContext);

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

/** Shortens a long address or hash to its two ends. */
export const shortenMiddle = (text: string): string =>
  text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
