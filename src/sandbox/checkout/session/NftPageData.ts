import type { CatalogCryptoCurrency } from '../../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import type { OrderProgress } from '../../orders/OrderProgress.js';
import type { SandboxNftDetails } from '../../orders/SandboxNftDetails.js';
import type { NftOffer } from '../offers/createNftOffer.js';
import type { CodeNotice } from '../offers/findCodeNotices.js';

/** The marketplace's own numbers: for the order, not for the shopper. */
type Merchant = 'merchantUniqueId' | 'merchantOrderNo' | 'externalCustomerId';

/** What the server hands to the page of an NFT checkout, as JSON in its document. */
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
  /** In `crypto`, as it was signed. */
  readonly price: string;
  /** What this URL has bought before: a page that is opened again goes on from there. */
  readonly order?: OrderProgress | undefined;
}

/** What the page may know of an NFT session: not `ext`, no settlement wallet, no merchant's number. */
export function toNftPageData(
  session: string,
  offer: NftOffer,
  order?: OrderProgress,
): NftPageData {
  const { settlement: _, ext: __, nft, ...shown } = offer;
  const { merchantUniqueId: _a, merchantOrderNo: _b, externalCustomerId: _c, ...told } = nft;
  return { widget: 'nft', session, ...shown, nft: told, order };
}
