/**
 * What the partner API answers (section 2), as this package hands it on: amounts are decimal strings
 * with every digit of the wire, times are Unix seconds, and what the service leaves empty is absent.
 */

/** How long a payment takes, `<min> - <max>Min` on the wire (section 2.3). */
export interface ProcessingTime {
  /** As the service wrote it; shown where it could not be read. */
  readonly text: string;
  readonly minMinutes?: number | undefined;
  readonly maxMinutes?: number | undefined;
}

/** A payment method of one fiat currency (section 2.3). */
export interface PaymentOption {
  /** Such as `CREDIT_DEBIT_CARD`. */
  readonly name: string;
  readonly processingTime?: ProcessingTime | undefined;
  /** Address of a picture, `https:` (or `http:` on loopback). */
  readonly icon?: string | undefined;
  /** Least and most that may be charged, in the fiat currency. */
  readonly minAmount?: string | undefined;
  readonly maxAmount?: string | undefined;
}

/** A currency one can pay in (section 2.2). */
export interface FiatCurrency {
  /** ISO code. */
  readonly fiatCurrency: string;
  readonly name?: string | undefined;
  readonly paymentOptions: readonly PaymentOption[];
}

/** A cryptocurrency on one network. The interface does not show this record. */
export interface CryptoCurrency {
  /** Such as `USDT_ERC20`. */
  readonly cryptoCurrencyCode: string;
  /** Such as `USDT`. */
  readonly cryptoCurrency?: string | undefined;
  /** `<chain>_<net>`. */
  readonly network?: string | undefined;
  /** Address of a picture, `https:` (or `http:` on loopback). */
  readonly icon?: string | undefined;
}

/** What the service lists, with what it says beyond our fields. */
export interface ListedCryptoCurrency extends CryptoCurrency {
  /** The whole record as it came, its numbers as text. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** `fiat`: the amount of a question is fiat. `nft`: it is the NFT's price in the cryptocurrency. */
export type BuyType = 'fiat' | 'nft';

/** What is asked of the price call (section 4.4). */
export interface QuoteQuery {
  /** ISO code. */
  readonly fiatCurrency: string;
  /** Fiat with at most two decimals; with `buyType: 'nft'` cryptocurrency with at most eighteen. */
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
  /** The `name` of a payment method. */
  readonly payment?: string | undefined;
  /** @default 'fiat', by the service */
  readonly buyType?: BuyType | undefined;
}

/** A price (section 2.4). Fees are in the fiat currency. */
export interface Quote {
  readonly fiatCurrency: string;
  /** Fiat, fees included. */
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
  readonly cryptoCurrency?: string | undefined;
  readonly network?: string | undefined;
  /** What arrives. */
  readonly cryptoCurrencyAmount: string;
  /** Fiat for one. */
  readonly cryptoCurrencyUnitPrice?: string | undefined;
  readonly gasFee?: string | undefined;
  readonly platformFee?: string | undefined;
  readonly totalFee?: string | undefined;
  readonly paymentOptions: readonly PaymentOption[];
}

/** What was bought at an NFT checkout (section 2.7). */
export interface NftDetails {
  readonly contractAddress?: string | undefined;
  readonly nftNetwork?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly merchantUniqueId?: string | undefined;
  /** `MARKET` or `MINT`. */
  readonly type?: string | undefined;
  readonly mintQuantity?: number | undefined;
  readonly ownerWalletAddress?: string | undefined;
  readonly transferWalletAddress?: string | undefined;
  readonly merchantOrderNo?: string | undefined;
  readonly externalCustomerId?: string | undefined;
}

/** An order (section 2.6). */
export interface Order {
  readonly orderId: string;
  /** As the service counts (section 3): 3 means two things, so read `kind` and `state`. */
  readonly orderStatus: number;
  /** `nft` when there are `nftDetails`. */
  readonly kind: 'on-ramp' | 'nft';
  /** `unknown`: a status that section 3 does not name. */
  readonly state: 'finished' | 'settlement' | 'settled' | 'unknown';
  readonly userId?: string | undefined;
  readonly payTime?: number | undefined;
  /** When the transaction was created on the chain. */
  readonly deliverTime?: number | undefined;
  /** When it was confirmed. */
  readonly finishTime?: number | undefined;
  readonly fiatCurrency?: string | undefined;
  readonly currencyAmount?: string | undefined;
  readonly cryptoCurrency?: string | undefined;
  readonly cryptoCurrencyCode?: string | undefined;
  readonly cryptoCurrencyAmount?: string | undefined;
  readonly cryptoCurrencyUnitPrice?: string | undefined;
  readonly walletAddress?: string | undefined;
  readonly walletAddressTag?: string | undefined;
  readonly gasFee?: string | undefined;
  readonly gasFeeUnit?: string | undefined;
  readonly platformFee?: string | undefined;
  readonly platformFeeUnit?: string | undefined;
  readonly totalFee?: string | undefined;
  readonly totalFeeUnit?: string | undefined;
  /** The name of the payment method. */
  readonly payment?: string | undefined;
  readonly txHash?: string | undefined;
  readonly network?: string | undefined;
  /** What stands before the hash in the transaction's address. */
  readonly blockchainExplorer?: string | undefined;
  readonly ext?: string | undefined;
  /** Empty for an on-ramp order. */
  readonly nftDetails: readonly NftDetails[];
}

/** One page of orders (section 2.5). */
export interface OrderList {
  readonly page: number;
  readonly size: number;
  readonly totalCount: number;
  readonly list: readonly Order[];
}
