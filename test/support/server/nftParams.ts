import type { NftParams } from '../../../src/protocol/index.js';

const shared = {
  contractAddress: '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
  nftNetwork: 'arbitrum',
  transferWalletAddress: '0xc2226CE70DbbDe4CfC4c5E497D765EB6FcfD2d13',
  cryptoCurrency: 'USDT_ERC20',
  amount: '39.00003',
  walletAddress: '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF',
  walletAddressTag: '',
};

/** A whole set for an NFT that is minted. */
export const mintParams: NftParams = { ...shared, type: 'MINT', mintQuantity: '2' };

/** A whole set for an NFT that somebody holds. */
export const marketParams: NftParams = {
  ...shared,
  type: 'MARKET',
  tokenId: '580120249614040749',
  ownerWalletAddress: '0x0Dc0B1AcBC3f252Bedc87ff4adfAa36dD0840164',
};
