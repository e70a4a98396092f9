import { type CatalogFiatCurrency, fiatCurrencies } from '../../catalog/fiatCurrencies.js';
import { isEmail } from '../../internal/isEmail.js';
import { type CodeNotice, findCodeNotices } from './findCodeNotices.js';

/** What both widgets take from their URL (section 4.7): who pays, in what, and in which language. */
export interface FiatOffer {
  readonly language: string;
  /** In the order of the URL. Empty when nothing the URL names is on offer. */
  readonly fiats: readonly CatalogFiatCurrency[];
  /** Code chosen at the start. */
  readonly fiat: string | undefined;
  readonly email: string | undefined;
  /** Kept for the order as it came. */
  readonly ext: string;
  /** The codes of the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
}

const fiatCodes = fiatCurrencies.map(({ code }) => code);

export function createFiatOffer(params: Readonly<Record<string, string>>): FiatOffer {
  const fiats = filterByCodes(fiatCurrencies, params.fiatCurrency);
  return {
    language: params.language ?? 'en',
    fiats,
    fiat: findInitialCode(
      fiats,
      params.defaultFiatCurrency ?? (params.fiatCurrency ? undefined : 'USD'),
    ),
    email: params.email && isEmail(params.email) ? params.email : undefined,
    ext: params.ext ?? '',
    notices: findCodeNotices(params, { fiatCurrency: fiatCodes, defaultFiatCurrency: fiatCodes }),
  };
}

type Coded = { readonly code: string };

/** What a list of the URL names, in its order; everything without one. Unknown codes are ignored. */
export function filterByCodes<T extends Coded>(
  all: readonly T[],
  codes: string | undefined,
): readonly T[] {
  if (!codes) return all;
  return [...new Set(codes.split(','))].flatMap((code) => all.filter((item) => item.code === code));
}

/** The code to start with: the one named where it is on offer, else the first. */
export function findInitialCode(
  offered: readonly Coded[],
  code: string | undefined,
): string | undefined {
  return (offered.find((item) => item.code === code) ?? offered[0])?.code;
}
