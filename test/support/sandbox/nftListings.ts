import type { NftParams } from '../../../src/protocol/index.js';

const shared = {
  contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
  transferWalletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
  cryptoCurrency: 'ETH',
  amount: '0.050',
  walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
  walletAddressTag: '',
};

/** A listing in an NFT currency of the sandbox, at about 160 US dollars. */
export const marketListing = {
  ...shared,
  nftNetwork: 'polygon',
  type: 'MARKET',
  tokenId: '17',
  ownerWalletAddress: '0x0Dc0B1ACBc3f252BEdC87fF4AdfAa36DD0840164',
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
