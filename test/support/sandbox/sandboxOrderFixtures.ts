import type { SandboxOrder } from '../../../src/sandbox/index.js';
import { marketListing } from './nftListings.js';

/** Creates a finished on-ramp order of the sandbox. */
export const sandboxOnRampOrder = (orderId = 'o1'): SandboxOrder => ({
  orderId,
  orderStatus: 3,
  userId: 'u1',
  payTime: 1_986_217_096,
  deliverTime: 1_986_217_097,
  finishTime: 1_986_217_098,
  fiatCurrency: 'USD',
  currencyAmount: '100.00',
  cryptoCurrency: 'ETH',
  cryptoCurrencyCode: 'ETH',
  cryptoCurrencyAmount: '0.03110000',
  cryptoCurrencyUnitPrice: '3120.50000000',
  walletAddress: marketListing.walletAddress,
  gasFee: '0.00038455',
  gasFeeUnit: 'ETH',
  platformFee: '0.00048069',
  platformFeeUnit: 'ETH',
  totalFee: '0.00086524',
  totalFeeUnit: 'ETH',
  payment: 'CREDIT_DEBIT_CARD',
  txHash: '0xab',
  network: 'ethereum_mainnet',
  blockchainExplorer: 'https://explorer.example/ethereum/tx/',
  ext: '',
});

export const sandboxNftOrder = (orderStatus: 1 | 2 | 3): SandboxOrder => ({
  ...sandboxOnRampOrder('nft'),
  orderStatus,
  nftDetails: [{ ...marketListing, type: 'MARKET' }],
});
