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
  walletAddress: '0x4f1e1d0a7e5b3c92d86a40f7be21c9350d7a6e18',
  walletAddressTag: '',
};

/** The chain and the contract of the prints that exist once. */
const onEthereum = {
  nftNetwork: 'ethereum',
  contractAddress: '0x8c5a2f94be07d1636f0e9b3ad4752c81e09f6d35',
  settlement,
};
const onPolygon = {
  nftNetwork: 'polygon',
  contractAddress: '0x2b9d60c4f7318ea59fd4127b86c0e53aa1f8d94e',
  settlement,
};
/**
 * The chain and the contract of each open edition. Each edition has its own contract, which creates a new print at
 * each mint.
 */
const ethereumEdition = {
  ...onEthereum,
  contractAddress: '0xd17e3b58a90c46f2e7215bd80c9fa4631e5d7082',
};
const polygonEdition = {
  ...onPolygon,
  contractAddress: '0x6e04f9c1d25b87a3309ce8f41ab5d7260f93c87b',
};
const arbitrumEdition = {
  nftNetwork: 'arbitrum',
  contractAddress: '0xa3907df25ec84b1186d5f0c27e9b34ad50168fce',
  settlement,
};

export const listings: readonly Listing[] = [
  {
    id: 'print-0175',
    number: '0175',
    title: 'Survey of a Quiet Hill',
    type: 'MARKET',
    tokenId: '175',
    ownerWalletAddress: '0x93c7e0b4a1f2586d7ce9403b1f86d25ae07b4c91',
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
    ownerWalletAddress: '0x51b8f6d2c09e47a3b86f1d507ae3294cc8d6f01a',
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
    ownerWalletAddress: '0xe8406a9b3d7f12c5904eb8d16f37a2c05d9eb374',
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
