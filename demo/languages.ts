import type { Globals } from 'storybook/internal/csf';
import { messages as ar } from '../src/messages/ar.js';
import { messages as de } from '../src/messages/de.js';
import { messages as en } from '../src/messages/en.js';
import { messages as es } from '../src/messages/es.js';
import { messages as fr } from '../src/messages/fr.js';
import { messages as ja } from '../src/messages/ja.js';
import type { RampMessages } from '../src/messages/RampMessages.js';
import { messages as zh } from '../src/messages/zh.js';

interface Language {
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  readonly messages: RampMessages;
}

/** Every language for which the package has messages. */
export const languages = {
  en: { name: 'English', dir: 'ltr', messages: en },
  ar: { name: 'العربية', dir: 'rtl', messages: ar },
  de: { name: 'Deutsch', dir: 'ltr', messages: de },
  es: { name: 'Español', dir: 'ltr', messages: es },
  fr: { name: 'Français', dir: 'ltr', messages: fr },
  ja: { name: '日本語', dir: 'ltr', messages: ja },
  zh: { name: '中文', dir: 'ltr', messages: zh },
} as const satisfies Record<string, Language>;

/** Returns the language that the Storybook toolbar or the story sets. English by default. */
export function findLanguage({ language }: Globals): Language & { readonly code: string } {
  const code = isLanguage(language) ? language : 'en';
  return { code, ...languages[code] };
}

const isLanguage = (code: unknown): code is keyof typeof languages =>
  typeof code === 'string' && Object.hasOwn(languages, code);
