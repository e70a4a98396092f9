import { type CatalogCryptoCurrency, nftCryptoCurrencies } from '../../catalog/cryptoCurrencies.js';
import { parseNftDetails, type SandboxNftDetails } from '../../orders/SandboxNftDetails.js';
import { createFiatOffer, type FiatOffer } from './createFiatOffer.js';

/** The offer of a verified NFT URL (docs/service-interface.md section 4.7). */
export interface NftOffer extends FiatOffer {
  readonly nft: SandboxNftDetails;
  /** The currency of the price. */
  readonly crypto: CatalogCryptoCurrency;
  /** The total price of all items: a decimal string, unchanged. */
  readonly price: string;
  /** The partner's wallet that receives the price. The page does not show it. */
  readonly settlement: {
    readonly walletAddress: string;
    /** `''` for a chain without tags. */
    readonly walletAddressTag: string;
  };
}

/** Creates the offer of an NFT URL, or returns `undefined` when NFTs are not priced in its currency. */
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
