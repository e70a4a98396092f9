import { createContext, useContext } from 'react';
import { fillText } from '../../../protocol/fillText.js';
import { ar } from '../messages/ar.js';
import { de } from '../messages/de.js';
import { en } from '../messages/en.js';
import { es } from '../messages/es.js';
import { fr } from '../messages/fr.js';
import { ja } from '../messages/ja.js';
import type { WidgetMessages } from '../messages/WidgetMessages.js';
import { zh } from '../messages/zh.js';
import { createFormats, type Formats } from './createFormats.js';

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
