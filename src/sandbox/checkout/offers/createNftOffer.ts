import { type CatalogCryptoCurrency, nftCryptoCurrencies } from '../../catalog/cryptoCurrencies.js';
import { parseNftDetails, type SandboxNftDetails } from '../../orders/SandboxNftDetails.js';
import { createFiatOffer, type FiatOffer } from './createFiatOffer.js';

/** What one verified NFT URL offers the shopper (section 4.7). */
export interface NftOffer extends FiatOffer {
  readonly nft: SandboxNftDetails;
  /** The price is in this one. */
  readonly crypto: CatalogCryptoCurrency;
  /** The whole price, whatever the quantity: a decimal string as it came. */
  readonly price: string;
  /** Where the price is settled to: the partner's own matter, and not the shopper's. */
  readonly settlement: {
    readonly walletAddress: string;
    /** `''` for a chain without tags. */
    readonly walletAddressTag: string;
  };
}

/** Applies the parameters of an NFT URL; nothing when NFTs are not priced in its currency here. */
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
