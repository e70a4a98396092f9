import type { CatalogCryptoCurrency } from '../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency } from '../catalog/fiatCurrencies.js';
import { type AddressFamily, findAddressFamilies } from '../catalog/purchaseRules.js';
import type { OrderProgress, SandboxNftDetails } from '../orders.js';
import type { CodeNotice, NftOffer, OnRampOffer } from './offers.js';

/** The data of an on-ramp checkout page, embedded in the page as JSON. */
export interface OnRampPageData {
  readonly widget: 'on-ramp';
  readonly session: string;
  readonly language: string;
  readonly fiats: readonly CatalogFiatCurrency[];
  readonly cryptos: readonly CatalogCryptoCurrency[];
  readonly fiat?: string | undefined;
  readonly crypto?: string | undefined;
  readonly amount?: string | undefined;
  readonly amountFixed: boolean;
  readonly email?: string | undefined;
  /** The codes in the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
  readonly wallet: {
    /** Absent when the URL hides the wallet, because the page then does not need the address. */
    readonly address?: string | undefined;
    /** The chains on which the address can exist, judging by its format. `undefined` when the URL has no wallet. */
    readonly families?: readonly AddressFamily[] | undefined;
    readonly locked: boolean;
    readonly hidden: boolean;
  };
}

export type PageData = (OnRampPageData | NftPageData) & {
  /** Whether the widget works only if the service can read its own cookie. */
  readonly needsCookie?: true;
};

export const PAGE_DATA_ELEMENT = 'page-data';

/** Returns the page data of an on-ramp session, without `ext` and without a hidden wallet. */
export function toOnRampPageData(session: string, offer: OnRampOffer): OnRampPageData {
  const { walletAddress, walletLocked: locked, walletHidden: hidden, ext: _, ...shown } = offer;
  return {
    widget: 'on-ramp',
    session,
    ...shown,
    wallet: {
      ...(!hidden && { address: walletAddress }),
      families: walletAddress === undefined ? undefined : findAddressFamilies(walletAddress),
      locked,
      hidden,
    },
  };
}

/** The marketplace's identifiers, which are part of the order and not shown to the shopper. */
type Merchant = 'merchantUniqueId' | 'merchantOrderNo' | 'externalCustomerId';

/** The data of an NFT checkout page, embedded in the page as JSON. */
export interface NftPageData {
  readonly widget: 'nft';
  readonly session: string;
  readonly language: string;
  readonly fiats: readonly CatalogFiatCurrency[];
  readonly fiat?: string | undefined;
  readonly email?: string | undefined;
  /** The codes in the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
  readonly nft: Omit<SandboxNftDetails, Merchant>;
  readonly crypto: CatalogCryptoCurrency;
  /** The signed price in `crypto`. */
  readonly price: string;
  /** The order, if this URL was already paid. A reopened page shows the progress of that order. */
  readonly order?: OrderProgress | undefined;
}

/** Returns the page data of an NFT session, without `ext`, the settlement wallet and the merchant's identifiers. */
export function toNftPageData(
  session: string,
  offer: NftOffer,
  order?: OrderProgress,
): NftPageData {
  const { settlement: _, ext: __, nft, ...shown } = offer;
  const { merchantUniqueId: _a, merchantOrderNo: _b, externalCustomerId: _c, ...shownNft } = nft;
  return { widget: 'nft', session, ...shown, nft: shownNft, order };
}
