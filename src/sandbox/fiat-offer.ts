import { type CodeNotice, codeNotices } from './code-notices.js';
import { type FiatCurrency, fiatCurrencies } from './fiat-currencies.js';
import { isEmail } from './is-email.js';

/** What both widgets take from their URL (section 4.7): who pays, in what, and in which language. */
export interface FiatOffer {
  readonly language: string;
  /** In the order of the URL. Empty when nothing the URL names is on offer. */
  readonly fiats: readonly FiatCurrency[];
  /** Code chosen at the start. */
  readonly fiat: string | undefined;
  readonly email: string | undefined;
  /** Kept for the order as it came. */
  readonly ext: string;
  /** The codes of the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
}

const fiatCodes = fiatCurrencies.map(({ code }) => code);

export function fiatOffer(params: Readonly<Record<string, string>>): FiatOffer {
  const fiats = listed(fiatCurrencies, params.fiatCurrency);
  return {
    language: params.language ?? 'en',
    fiats,
    fiat: chosen(fiats, params.defaultFiatCurrency ?? (params.fiatCurrency ? undefined : 'USD')),
    email: params.email && isEmail(params.email) ? params.email : undefined,
    ext: params.ext ?? '',
    notices: codeNotices(params, { fiatCurrency: fiatCodes, defaultFiatCurrency: fiatCodes }),
  };
}

type Coded = { readonly code: string };

/** What a list of the URL names, in its order; everything without one. Unknown codes are ignored. */
export function listed<T extends Coded>(
  all: readonly T[],
  codes: string | undefined,
): readonly T[] {
  if (!codes) return all;
  return [...new Set(codes.split(','))].flatMap((code) => all.filter((item) => item.code === code));
}

/** The code to start with: the one named where it is on offer, else the first. */
export function chosen(offered: readonly Coded[], code: string | undefined): string | undefined {
  return (offered.find((item) => item.code === code) ?? offered[0])?.code;
}
