import type { ParameterFormat } from './widgetParameters.js';

export interface ValueFormat {
  readonly pattern: RegExp;
  /** Completes "must be …". */
  readonly words: string;
}

/** The maximum length of a signed value other than `ext`. Wallet addresses, token IDs and memos are much shorter. */
export const MAX_SIGNED_LENGTH = 512;

/**
 * The formats by name. Each pattern takes time linear in the length of the value, because a value can match it in
 * only one way.
 *
 * `text` allows every character. A *signed* text must not contain {@link AMBIGUOUS_CHARACTERS}, but that is a rule of
 * the signature, not of the format.
 */
export const valueFormats: Readonly<Record<ParameterFormat, ValueFormat>> = {
  token: { pattern: /^[A-Za-z0-9._-]+$/, words: 'letters, digits, dot, dash or underscore' },
  tokens: {
    pattern: /^[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*$/,
    words: 'codes separated by commas, without spaces',
  },
  fiat: { pattern: /^[A-Z]{3}$/, words: 'an ISO currency code such as USD' },
  fiats: {
    pattern: /^[A-Z]{3}(?:,[A-Z]{3})*$/,
    words: 'ISO currency codes separated by commas, without spaces, such as USD,EUR',
  },
  fiatAmount: {
    pattern: /^(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/,
    words: 'a decimal number with at most two decimals, such as 100 or 99.50',
  },
  cryptoAmount: {
    pattern: /^(?:0|[1-9]\d{0,29})(?:\.\d{1,18})?$/,
    words: 'a decimal number with at most eighteen decimals, such as 0.05',
  },
  count: { pattern: /^[1-9]\d{0,8}$/, words: 'a whole number from 1' },
  flag: { pattern: /^[01]$/, words: '0 or 1' },
  seconds: { pattern: /^\d{10}$/, words: 'a Unix time of ten digits' },
  digits: { pattern: /^\d{1,10}$/, words: 'one to ten digits' },
  language: {
    pattern: /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/,
    words: 'a language code such as en or pt-BR',
  },
  nftType: { pattern: /^(?:MARKET|MINT)$/, words: 'MARKET or MINT' },
  chain: {
    pattern: /^[a-z0-9][a-z0-9_-]{0,63}$/,
    words: 'a chain name in lower case such as ethereum',
  },
  text: { pattern: /./s, words: 'text' },
};

/**
 * Characters that a signed value other than `ext` must not contain. The signed text joins values unescaped
 * (service interface, section 5.3), so `&` and `=` could turn one value into several parameters under the same
 * signature. URL encoders differ in how they write `%`, `+`, `#`, `?`, white space and characters outside ASCII, so a
 * signature over these could fail.
 */
export const AMBIGUOUS_CHARACTERS = /[^\x21-\x7e]|[&=%+#?]/;
