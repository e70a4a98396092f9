import type { SandboxQuote } from '../catalog/pricing/createOnRampQuote.js';
import { createRandomHex } from '../internal/createRandomHex.js';
import type { OrderTerms } from './OrderTerms.js';
import type { SandboxOrder } from './SandboxOrder.js';

/** The fields of an order beside its terms and its price. */
interface OrderContext {
  readonly userId: string;
  readonly ext: string;
  /** Milliseconds since 1970. */
  readonly paidAtMs: number;
  /** The time from the payment to the delivery, and from there to the confirmation. */
  readonly stepMs: number;
}

/** Creates the order in its finished form. Until it finishes, responses omit the later fields. */
export function createOrder(
  terms: OrderTerms,
  { cryptoFees, network, ...price }: SandboxQuote,
  { userId, ext, paidAtMs, stepMs }: OrderContext,
): SandboxOrder {
  const { crypto, option, nft, walletAddress, walletAddressTag } = terms;
  const toSeconds = (step: number) => Math.floor((paidAtMs + step * stepMs) / 1000);
  const hash = createRandomHex(32);
  const chain = nft?.nftNetwork ?? network.replace(/_.*/, '');
  return {
    orderId: createRandomHex(16),
    orderStatus: nft ? 1 : 3,
    userId,
    payTime: toSeconds(0),
    deliverTime: toSeconds(1),
    finishTime: toSeconds(2),
    ...price,
    walletAddress,
    ...(walletAddressTag !== undefined && { walletAddressTag }),
    ...cryptoFees,
    gasFeeUnit: crypto.symbol,
    platformFeeUnit: crypto.symbol,
    totalFeeUnit: crypto.symbol,
    payment: option.name,
    txHash: nft || crypto.family === 'evm' ? `0x${hash}` : hash,
    network,
    blockchainExplorer: `https://explorer.example/${chain}/tx/`,
    ext,
    ...(nft && { nftDetails: [nft] as const }),
  };
}
