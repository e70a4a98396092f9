import type { SandboxNftDetails } from './SandboxNftDetails.js';

/**
 * A finished order (section 2.6). Amounts are decimal strings, times are Unix seconds. All three
 * fees are in the purchased currency, as the interface has had it since 2022-10-18.
 */
export interface SandboxOrder {
  /** 128 random bits, hexadecimal. */
  readonly orderId: string;
  /** On-ramp: `3` FINISHED. NFT: `1` FINISHED, `2` Settlement, `3` Settled (section 3). */
  readonly orderStatus: 1 | 2 | 3;
  /** The same for the same e-mail address, within one run of the sandbox. */
  readonly userId: string;
  readonly payTime: number;
  readonly deliverTime: number;
  readonly finishTime: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrency: string;
  readonly cryptoCurrencyCode: string;
  /** Of an NFT its price, as it was signed. */
  readonly cryptoCurrencyAmount: string;
  readonly cryptoCurrencyUnitPrice: string;
  /** Where the cryptocurrency went; of an NFT where its price is settled to. */
  readonly walletAddress: string;
  /** Of the settlement wallet, `''` when it has none; absent when no NFT was bought. */
  readonly walletAddressTag?: string | undefined;
  readonly gasFee: string;
  readonly gasFeeUnit: string;
  readonly platformFee: string;
  readonly platformFeeUnit: string;
  readonly totalFee: string;
  readonly totalFeeUnit: string;
  readonly payment: string;
  /** Of the transaction that delivered: of an NFT that on its own chain. */
  readonly txHash: string;
  /** Of the cryptocurrency. */
  readonly network: string;
  /** Prefix of the transaction's address; it leads nowhere. */
  readonly blockchainExplorer: string;
  /** As it came in the widget URL, `''` when there was none. */
  readonly ext: string;
  /** The one NFT of an NFT order (section 2.7); absent otherwise. */
  readonly nftDetails?: readonly [SandboxNftDetails] | undefined;
}
