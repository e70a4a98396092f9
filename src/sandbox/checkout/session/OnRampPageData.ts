import { type AddressFamily, findAddressFamilies } from '../../catalog/AddressFamily.js';
import type { CatalogCryptoCurrency } from '../../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import type { OnRampOffer } from '../offers/createOnRampOffer.js';
import type { CodeNotice } from '../offers/findCodeNotices.js';
import type { NftPageData } from './NftPageData.js';

/** What the server hands to the page, as JSON in its document: one verified on-ramp URL, ready to show. */
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
  /** The codes of the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
  readonly wallet: {
    /** Absent when it is hidden: the page has no use for it then. */
    readonly address?: string | undefined;
    /** The chains it could belong to; undefined when the URL names no wallet. */
    readonly families?: readonly AddressFamily[] | undefined;
    readonly locked: boolean;
    readonly hidden: boolean;
  };
}

/** Either widget's. */
export type PageData = (OnRampPageData | NftPageData) & {
  /** The widget works only where the service can read its cookie. */
  readonly needsCookie?: true;
};

/** Where in the document the data stands. */
export const PAGE_DATA_ELEMENT = 'page-data';

/** What the page may know of a session: not `ext`, and no wallet that is to stay hidden. */
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
