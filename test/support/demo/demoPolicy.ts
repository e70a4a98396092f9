import type { CheckoutProposal } from '../../../src/index.js';
import { multiplyDecimals } from '../../../src/protocol/decimals.js';

/** The wallet of the signed-in shopper. */
const WALLET = '0x53e9f3b2a7c1d4e8f6a0b5c9d2e7f1a4b8c3d6e0';

/** The shop's data of its NFT, the same for every request. */
const listing = {
  contractAddress: '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
  nftNetwork: 'polygon',
  cryptoCurrency: 'ETH',
  walletAddress: '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF',
  walletAddressTag: '',
  transferWalletAddress: WALLET,
};

const PRICE = '0.05';

/**
 * Completes the parameters of the page, so that each parameter can be tried. A real policy takes wallets, price and
 * contract from the shop's data regardless of the proposal, and `createRampHandler` reserves `ext` for the reference.
 *
 * @param reference - The checkout's reference, which its order contains.
 */
export function demoPolicy({ widget, params }: CheckoutProposal, reference: string) {
  if (widget === 'on-ramp') return { walletAddress: WALLET, ext: reference, ...params };
  if (params.type === 'MINT') {
    const { mintQuantity = '1' } = params;
    const amount = /^\d{1,9}$/.test(mintQuantity) ? multiplyDecimals(PRICE, mintQuantity) : PRICE;
    return { ...listing, amount, mintQuantity, ext: reference, ...params };
  }
  const market = {
    type: 'MARKET',
    tokenId: '7',
    ownerWalletAddress: '0x0Dc0B1AcBC3f252Bedc87ff4adfAa36dD0840164',
  };
  return { ...listing, ...market, amount: PRICE, ext: reference, ...params };
}
