import {
  type CatalogCryptoCurrency,
  cryptoCurrencies,
  nftCryptoCurrencies,
} from '../catalog/cryptoCurrencies.js';
import { type CatalogFiatCurrency, fiatCurrencies } from '../catalog/fiatCurrencies.js';
import { isEmail } from '../catalog/purchaseRules.js';
import { parseNftDetails, type SandboxNftDetails } from '../orders.js';

/** What both widgets offer, from the parameters that they share (service interface, section 4.7). */
interface FiatOffer {
  readonly language: string;
  /** The fiat currencies, in the order of the URL. Empty when the sandbox offers none of them. */
  readonly fiats: readonly CatalogFiatCurrency[];
  /** Code of the initial selection. */
  readonly fiat: string | undefined;
  readonly email: string | undefined;
  /** The URL's `ext`, which the order returns unchanged. */
  readonly ext: string;
  /** The codes in the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
}

const fiatCodes = fiatCurrencies.map(({ code }) => code);

function createFiatOffer(params: Readonly<Record<string, string>>): FiatOffer {
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

/**
 * Returns the items that a comma-separated list in the URL names, in the order of the list. Returns all items if the
 * URL has no list. Unknown codes are ignored.
 */
function filterByCodes<T extends Coded>(
  all: readonly T[],
  codes: string | undefined,
): readonly T[] {
  if (!codes) return all;
  return [...new Set(codes.split(','))].flatMap((code) => all.filter((item) => item.code === code));
}

/** Returns the code of the initial selection: `code` if it is offered, otherwise the first offered one. */
function findInitialCode(offered: readonly Coded[], code: string | undefined): string | undefined {
  return (offered.find((item) => item.code === code) ?? offered[0])?.code;
}

/** The offer of a verified on-ramp URL (service interface, section 4.7). */
export interface OnRampOffer extends FiatOffer {
  /** The cryptocurrencies, in the order of the URL. Empty when the sandbox offers none of them. */
  readonly cryptos: readonly CatalogCryptoCurrency[];
  /** Code of the initial selection. */
  readonly crypto: string | undefined;
  readonly amount: string | undefined;
  readonly amountFixed: boolean;
  readonly walletAddress: string | undefined;
  readonly walletLocked: boolean;
  readonly walletHidden: boolean;
}

const codes = cryptoCurrencies.map(({ code }) => code);
const catalog = {
  cryptoCurrency: codes,
  defaultCurrency: codes,
  cryptoNetwork: cryptoCurrencies.map(({ network }) => network),
};

/** Creates the offer of an on-ramp URL from the catalog. Unknown codes are ignored and listed in `notices`. */
export function createOnRampOffer(params: Readonly<Record<string, string>>): OnRampOffer {
  const networks = params.cryptoNetwork?.split(',');
  const cryptos = filterByCodes(cryptoCurrencies, params.cryptoCurrency).filter(
    ({ network }) => !networks || networks.includes(network),
  );
  const { notices, ...fiat } = createFiatOffer(params);
  return {
    ...fiat,
    notices: [...findCodeNotices(params, catalog), ...notices],
    cryptos,
    crypto: findInitialCode(
      cryptos,
      params.defaultCurrency ?? (params.cryptoCurrency ? undefined : 'USDT_ERC20'),
    ),
    amount: params.amountFixed ?? params.amount,
    amountFixed: params.amountFixed !== undefined,
    walletAddress: params.walletAddress,
    walletLocked: params.walletAddressLocked === '1',
    walletHidden: params.walletAddressHidden === '1',
  };
}

/** The offer of a verified NFT URL (service interface, section 4.7). */
export interface NftOffer extends FiatOffer {
  readonly nft: SandboxNftDetails;
  /** The cryptocurrency in which the NFT is priced. */
  readonly crypto: CatalogCryptoCurrency;
  /** The total price of all items: the URL's decimal string, unchanged. */
  readonly price: string;
  /** The partner's wallet that receives the price. The page does not show it. */
  readonly settlement: {
    readonly walletAddress: string;
    /** `''` for a chain without tags. */
    readonly walletAddressTag: string;
  };
}

/** Creates the offer of an NFT URL, or returns `undefined` when NFTs cannot be priced in the URL's currency. */
export function createNftOffer(params: Readonly<Record<string, string>>): NftOffer | undefined {
  const crypto = nftCryptoCurrencies.find(({ code }) => code === params.cryptoCurrency);
  return (
    crypto && {
      ...createFiatOffer(params),
      nft: parseNftDetails(params),
      crypto,
      price: params.amount ?? '',
      settlement: {
        walletAddress: params.walletAddress ?? '',
        walletAddressTag: params.walletAddressTag ?? '',
      },
    }
  );
}

/** A code in the URL that was ignored, because the catalog does not contain it in this spelling. */
export interface CodeNotice {
  readonly param: string;
  readonly code: string;
  /** The catalog's code that differs only in case. */
  readonly meant?: string;
}

/** The maximum number of notices that {@link findCodeNotices} returns. Many more would make the page unreadable. */
const MAX_NOTICES = 5;

/**
 * Returns one notice for each unknown code, at most {@link MAX_NOTICES}. Codes are case-sensitive, and services ignore
 * unknown codes. Without a notice, a developer would not learn why the widget offers other currencies.
 *
 * @param catalog - The valid codes of each parameter, by parameter name.
 */
function findCodeNotices(
  params: Readonly<Record<string, string>>,
  catalog: Readonly<Record<string, readonly string[]>>,
): readonly CodeNotice[] {
  const notices = Object.entries(catalog).flatMap(([param, codes]) =>
    [...new Set(params[param]?.split(',') ?? [])]
      .filter((code) => !codes.includes(code))
      .map((code): CodeNotice => {
        const meant = findIgnoringCase(codes, code);
        return { param, code, ...(meant && { meant }) };
      }),
  );
  return notices.slice(0, MAX_NOTICES);
}

export function findIgnoringCase(codes: readonly string[], code: string): string | undefined {
  return codes.find((known) => known.toLowerCase() === code.toLowerCase());
}
