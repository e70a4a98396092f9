import type { SandboxNftDetails } from './SandboxNftDetails.js';

/**
 * A finished order (docs/service-interface.md section 2.6). Amounts are decimal strings, times are Unix
 * seconds. All three fees are in the purchased currency, as the interface defines it since 2022-10-18.
 */
export interface SandboxOrder {
  /** 128 random bits, hexadecimal. */
  readonly orderId: string;
  /** On-ramp: `3` FINISHED. NFT: `1` FINISHED, `2` Settlement, `3` Settled (section 3). */
  readonly orderStatus: 1 | 2 | 3;
  /** Derived from the e-mail address, within one run of the sandbox. */
  readonly userId: string;
  readonly payTime: number;
  readonly deliverTime: number;
  readonly finishTime: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrency: string;
  readonly cryptoCurrencyCode: string;
  /** For an NFT its price, as signed. */
  readonly cryptoCurrencyAmount: string;
  readonly cryptoCurrencyUnitPrice: string;
  /** The wallet that received the cryptocurrency; for an NFT the wallet that receives its price. */
  readonly walletAddress: string;
  /** The tag of the settlement wallet, `''` without one; absent unless an NFT was bought. */
  readonly walletAddressTag?: string | undefined;
  readonly gasFee: string;
  readonly gasFeeUnit: string;
  readonly platformFee: string;
  readonly platformFeeUnit: string;
  readonly totalFee: string;
  readonly totalFeeUnit: string;
  readonly payment: string;
  /** The hash of the delivering transaction; for an NFT on the NFT's chain. */
  readonly txHash: string;
  /** The network of the cryptocurrency. */
  readonly network: string;
  /** The prefix of the transaction's URL. The site does not exist. */
  readonly blockchainExplorer: string;
  /** The value in the widget URL, `''` without one. */
  readonly ext: string;
  /** The NFT of an NFT order (section 2.7). */
  readonly nftDetails?: readonly [SandboxNftDetails] | undefined;
}
