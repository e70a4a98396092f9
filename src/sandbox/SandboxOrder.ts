/**
 * A finished order (section 2.6). Amounts are decimal strings, times are Unix seconds. All three
 * fees are in the purchased currency, as the interface has had it since 2022-10-18.
 */
export interface SandboxOrder {
  /** 128 random bits, hexadecimal. */
  readonly orderId: string;
  /** `3`, FINISHED (section 3). */
  readonly orderStatus: 3;
  /** The same for the same e-mail address, within one run of the sandbox. */
  readonly userId: string;
  readonly payTime: number;
  readonly deliverTime: number;
  readonly finishTime: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrency: string;
  readonly cryptoCurrencyCode: string;
  readonly cryptoCurrencyAmount: string;
  readonly cryptoCurrencyUnitPrice: string;
  readonly walletAddress: string;
  readonly gasFee: string;
  readonly gasFeeUnit: string;
  readonly platformFee: string;
  readonly platformFeeUnit: string;
  readonly totalFee: string;
  readonly totalFeeUnit: string;
  readonly payment: string;
  readonly txHash: string;
  readonly network: string;
  /** Prefix of a transaction's address; it leads nowhere. */
  readonly blockchainExplorer: string;
  /** As it came in the widget URL, `''` when there was none. */
  readonly ext: string;
}
