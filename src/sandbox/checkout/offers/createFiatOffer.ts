import { type CatalogFiatCurrency, fiatCurrencies } from '../../catalog/fiatCurrencies.js';
import { isEmail } from '../../internal/isEmail.js';
import { type CodeNotice, findCodeNotices } from './findCodeNotices.js';

/** The parameters that both widgets share (docs/service-interface.md section 4.7). */
export interface FiatOffer {
  readonly language: string;
  /** In the order of the URL. Empty when the sandbox offers none of the URL's currencies. */
  readonly fiats: readonly CatalogFiatCurrency[];
  /** Code of the initial selection. */
  readonly fiat: string | undefined;
  readonly email: string | undefined;
  /** Passed on to the order unchanged. */
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

/** Returns the items of a list in the URL, in its order, or all items without a list. Unknown codes are ignored. */
export function filterByCodes<T extends Coded>(
  all: readonly T[],
  codes: string | undefined,
): readonly T[] {
  if (!codes) return all;
  return [...new Set(codes.split(','))].flatMap((code) => all.filter((item) => item.code === code));
}

/** Returns the code of the initial selection: the given code if it is offered, otherwise the first. */
export function findInitialCode(
  offered: readonly Coded[],
  code: string | undefined,
): string | undefined {
  return (offered.find((item) => item.code === code) ?? offered[0])?.code;
}
