import type { NftParams } from '../../../src/protocol/index.js';

const shared = {
  contractAddress: '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
  transferWalletAddress: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e',
  cryptoCurrency: 'ETH',
  amount: '0.050',
  walletAddress: '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF',
  walletAddressTag: '',
};

/** A listing in an NFT currency of the sandbox, at about 160 US dollars. */
export const marketListing = {
  ...shared,
  nftNetwork: 'polygon',
  type: 'MARKET',
  tokenId: '17',
  ownerWalletAddress: '0x0Dc0B1AcBC3f252Bedc87ff4adfAa36dD0840164',
} satisfies NftParams;

export const mintListing = {
  ...shared,
  nftNetwork: 'arbitrum',
  type: 'MINT',
  mintQuantity: '3',
} satisfies NftParams;

/** Parameters for the partner's own use, which the widget does not show to shoppers. */
export const partnerFields = {
  walletAddressTag: 'memo-5519',
  merchantUniqueId: 'print-0017',
  merchantOrderNo: 'order-2041',
  externalCustomerId: 'customer-88',
  ext: 'reference-q1Jz8sUj',
};
