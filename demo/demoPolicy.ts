import type { CheckoutProposal } from '../src/index.js';
import { multiplyDecimals } from '../src/protocol/decimals.js';

/** The wallet of the demo's only shopper. */
const WALLET = '0x53e9f3b2a7c1d4e8f6a0b5c9d2e7f1a4b8c3d6e0';

/** The parameters of the only NFT that the demo sells. */
const listing = {
  contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
  nftNetwork: 'polygon',
  cryptoCurrency: 'ETH',
  walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
  walletAddressTag: '',
  transferWalletAddress: WALLET,
};

const PRICE = '0.05';

/**
 * Adds the missing parameters to a proposal, and keeps every parameter that the page proposes, so that stories can try
 * each one. A real policy must not do this. It takes wallets, price and contract from the shop's data, and leaves `ext`
 * to `createRamp`.
 *
 * @param reference - The reference of the checkout, which becomes the default of `ext`.
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
    ownerWalletAddress: '0x0Dc0B1ACBc3f252BEdC87fF4AdfAa36DD0840164',
  };
  return { ...listing, ...market, amount: PRICE, ext: reference, ...params };
}
