import type { CatalogCryptoCurrency } from '../../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import type { OrderProgress } from '../../orders/OrderProgress.js';
import type { SandboxNftDetails } from '../../orders/SandboxNftDetails.js';
import type { NftOffer } from '../offers/createNftOffer.js';
import type { CodeNotice } from '../offers/findCodeNotices.js';

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
  /** The codes of the URL that were ignored. */
  readonly notices: readonly CodeNotice[];
  readonly nft: Omit<SandboxNftDetails, Merchant>;
  readonly crypto: CatalogCryptoCurrency;
  /** The signed price in `crypto`. */
  readonly price: string;
  /** The order of this URL if it was paid before. A reopened page shows its progress. */
  readonly order?: OrderProgress | undefined;
}

/** Returns the page data of an NFT session, without `ext`, the settlement wallet and the merchant's identifiers. */
export function toNftPageData(
  session: string,
  offer: NftOffer,
  order?: OrderProgress,
): NftPageData {
  const { settlement: _, ext: __, nft, ...shown } = offer;
  const { merchantUniqueId: _a, merchantOrderNo: _b, externalCustomerId: _c, ...told } = nft;
  return { widget: 'nft', session, ...shown, nft: told, order };
}
