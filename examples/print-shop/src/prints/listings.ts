import { multiplyDecimals } from '@partner-ramp/react/protocol';

/** The terms of a sale. A real shop stores them in its database. */
interface ListingTerms {
  /** The shop's ID of the print: `merchantUniqueId` in the checkout. */
  readonly id: string;
  /** The number of the print, from which its picture was drawn. */
  readonly number: string;
  readonly title: string;
  readonly contractAddress: string;
  readonly nftNetwork: string;
  /** The cryptocurrency of the price. It must be in the service's list for NFTs. */
  readonly cryptoCurrency: string;
  /** The price of one print, a decimal string. */
  readonly price: string;
  readonly settlement: {
    readonly walletAddress: string;
    /** `''` on a chain without tags. */
    readonly walletAddressTag: string;
  };
}

/** An existing print that its owner sells. */
interface MarketListing extends ListingTerms {
  readonly type: 'MARKET';
  readonly tokenId: string;
  readonly ownerWalletAddress: string;
}

/** A print that is minted for the shopper. */
interface MintListing extends ListingTerms {
  readonly type: 'MINT';
  /** The maximum quantity of one order. */
  readonly maxQuantity: number;
}

export type Listing = MarketListing | MintListing;

/** The shop's wallet. The address is public, and the wallet's private key is not on this server. */
const settlement = {
  walletAddress: '0x4f1E1d0A7E5b3C92D86A40f7Be21C9350D7a6e18',
  walletAddressTag: '',
};

/** The chain and the contract of the prints that exist once. */
const onEthereum = {
  nftNetwork: 'ethereum',
  contractAddress: '0x8c5a2F94be07d1636F0e9b3aD4752C81E09F6D35',
  settlement,
};
const onPolygon = {
  nftNetwork: 'polygon',
  contractAddress: '0x2b9D60c4f7318eA59fd4127B86c0E53Aa1F8d94E',
  settlement,
};
/**
 * The chain and the contract of each open edition. Each edition has its own contract, which creates a new print at
 * each mint.
 */
const ethereumEdition = {
  ...onEthereum,
  contractAddress: '0xd17e3B58a90C46F2e7215BD80c9fA4631E5D7082',
};
const polygonEdition = {
  ...onPolygon,
  contractAddress: '0x6e04f9C1d25b87A3309Ce8F41ab5d7260F93C87B',
};
const arbitrumEdition = {
  nftNetwork: 'arbitrum',
  contractAddress: '0xA3907df25ec84b1186d5F0C27E9b34Ad50168FCE',
  settlement,
};

export const listings: readonly Listing[] = [
  {
    id: 'print-0175',
    number: '0175',
    title: 'Survey of a Quiet Hill',
    type: 'MARKET',
    tokenId: '175',
    ownerWalletAddress: '0x93C7e0B4A1F2586d7ce9403b1F86d25ae07B4c91',
    ...onEthereum,
    cryptoCurrency: 'ETH',
    price: '0.05',
  },
  {
    id: 'print-0386',
    number: '0386',
    title: 'West Wind, Four O’Clock',
    type: 'MINT',
    maxQuantity: 5,
    ...ethereumEdition,
    cryptoCurrency: 'ETH',
    price: '0.02',
  },
  {
    id: 'print-0597',
    number: '0597',
    title: 'Seed Head, Late August',
    type: 'MARKET',
    tokenId: '597',
    ownerWalletAddress: '0x51B8F6d2c09E47A3b86f1D507AE3294CC8D6F01a',
    ...onEthereum,
    cryptoCurrency: 'USDC_ERC20',
    price: '160',
  },
  {
    id: 'print-0919',
    number: '0919',
    title: 'Ridges Before Rain',
    type: 'MARKET',
    tokenId: '919',
    ownerWalletAddress: '0xE8406A9b3D7f12C5904eb8d16F37a2C05d9eB374',
    ...onPolygon,
    cryptoCurrency: 'USDC_Polygon',
    price: '210',
  },
  {
    id: 'print-1093',
    number: '1093',
    title: 'First Rain on the Pond',
    type: 'MINT',
    maxQuantity: 10,
    ...polygonEdition,
    cryptoCurrency: 'USDC_Polygon',
    price: '36',
  },
  {
    id: 'print-1378',
    number: '1378',
    title: 'Allotments from Above',
    type: 'MINT',
    maxQuantity: 8,
    ...arbitrumEdition,
    cryptoCurrency: 'ETH_Arbitrum',
    price: '0.015',
  },
];

/** Returns the price of `quantity` prints without trailing zeros: `'0.1'` for five at `'0.02'`. */
export const getPrice = ({ price }: Pick<Listing, 'price'>, quantity: number): string => {
  const total = multiplyDecimals(price, `${quantity}`);
  return total.includes('.') ? total.replace(/\.?0+$/, '') : total;
};

export const getMaxQuantity = (listing: Listing): number =>
  listing.type === 'MINT' ? listing.maxQuantity : 1;

/** The part of the listings that pages receive. The values that are signed always come from `listings`. */
export const publicListings = listings.map((listing) => ({
  id: listing.id,
  number: listing.number,
  title: listing.title,
  type: listing.type,
  network: listing.nftNetwork,
  cryptoCurrency: listing.cryptoCurrency,
  /** The currency to display, without the chain: `USDC` for `USDC_Polygon`. */
  currency: listing.cryptoCurrency.replace(/_.*/, ''),
  /** The price of one print, of two and so on, up to the maximum quantity. */
  prices: Array.from({ length: getMaxQuantity(listing) }, (_, index) =>
    getPrice(listing, index + 1),
  ),
}));
