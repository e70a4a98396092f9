import type { Order } from '../../../src/protocol/index.js';
import type { Checkout } from '../../../src/server/index.js';

/** The default time of tests and of their orders, in Unix seconds. */
export const baseTime = 1_790_000_000;

/** Creates a finished on-ramp order, as an API client lists it. */
export const onRampOrder = (given: Partial<Order> = {}): Order => ({
  orderId: 'o1',
  orderStatus: 3,
  kind: 'on-ramp',
  state: 'finished',
  finishTime: baseTime,
  fiatCurrency: 'USD',
  currencyAmount: '100.00',
  cryptoCurrencyAmount: '97.09000000',
  walletAddress: '0xAbC0000000000000000000000000000000000001',
  txHash: '0xf00d',
  ext: 'r1',
  nftDetails: [],
  ...given,
});

const states = { finished: 1, settlement: 2, settled: 3, unknown: 9 };

/** The parameters of an NFT checkout. Its order repeats them. */
export const nftParams = {
  contractAddress: '0x8c5a2f94be07d1636f0e9b3ad4752c81e09f6d35',
  nftNetwork: 'polygon',
  type: 'MINT',
  mintQuantity: '2',
  transferWalletAddress: '0x4f1e1d0a7e5b3c92d86a40f7be21c9350d7a6e18',
  merchantOrderNo: 'n-1',
};

export const nftOrder = (
  state: Order['state'] = 'finished',
  { details = {}, ...given }: Partial<Order> & { details?: object } = {},
): Order => ({
  ...onRampOrder(),
  orderStatus: states[state],
  kind: 'nft',
  state,
  nftDetails: [{ ...nftParams, mintQuantity: 2, ...details }],
  ...given,
});

export const onRampCheckout = (given: Partial<Checkout> = {}): Checkout => ({
  reference: 'r1',
  widget: 'on-ramp',
  subject: 'u1',
  params: {
    walletAddress: '0xabc0000000000000000000000000000000000001',
    walletAddressLocked: '1',
    ext: 'r1',
  },
  createdAt: baseTime - 600,
  expiresAt: baseTime + 86_400,
  ...given,
});

export const nftCheckout = (given: Partial<Checkout> = {}): Checkout =>
  onRampCheckout({ widget: 'nft', params: nftParams, ...given });
