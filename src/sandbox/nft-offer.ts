import { type CryptoCurrency, nftCryptoCurrencies } from './crypto-currencies.js';
import { type FiatOffer, fiatOffer } from './fiat-offer.js';
import { type NftDetails, nftDetails } from './nft-details.js';

/** What one verified NFT URL offers the shopper (section 4.7). */
export interface NftOffer extends FiatOffer {
  readonly nft: NftDetails;
  /** The price is in this one. */
  readonly crypto: CryptoCurrency;
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
export function nftOffer(params: Readonly<Record<string, string>>): NftOffer | undefined {
  const crypto = nftCryptoCurrencies.find(({ code }) => code === params.cryptoCurrency);
  return (
    crypto && {
      ...fiatOffer(params),
      nft: nftDetails(params),
      crypto,
      price: params.amount ?? '',
      settlement: {
        walletAddress: params.walletAddress ?? '',
        walletAddressTag: params.walletAddressTag ?? '',
      },
    }
  );
}
