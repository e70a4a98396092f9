import type { CryptoCurrency } from '../handler/CheckoutResponse.js';

/**
 * The resources of the partner API (service interface, section 2) as this package returns them:
 * amounts are decimal strings with every digit of the response, times are Unix seconds, and empty fields
 * are absent.
 */

// The handler passes these resources on to pages, so their types are part of its contract.
export type {
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  ProcessingTime,
  Quote,
} from '../handler/CheckoutResponse.js';

/** A listed cryptocurrency, with every field that the service sent. */
export interface ListedCryptoCurrency extends CryptoCurrency {
  /** The record as received, with its numbers as text. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * What `currencyAmount` means in a quote query. `fiat`: the fiat amount to pay. `nft`: the price of an NFT in
 * cryptocurrency.
 */
export type BuyType = 'fiat' | 'nft';

/** The query of a quote (section 4.4). */
export interface QuoteQuery {
  /** ISO code. */
  readonly fiatCurrency: string;
  /**
   * The fiat amount to pay, with at most two decimals. With `buyType: 'nft'`, the NFT's price in cryptocurrency, with
   * at most eighteen decimals.
   */
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
  /** The `name` of a payment method. */
  readonly payment?: string | undefined;
  /** @default 'fiat', by the service */
  readonly buyType?: BuyType | undefined;
}

/** The NFT of an order (section 2.7). */
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

/** An entry of the order list (section 2.6). Empty fields are absent. */
export interface Order {
  readonly orderId: string;
  /**
   * The status in the response (section 3). Use `kind` and `state` instead, because status 3 means FINISHED for an
   * on-ramp order and Settled for an NFT order.
   */
  readonly orderStatus: number;
  /** `nft` when `nftDetails` is not empty. */
  readonly kind: 'on-ramp' | 'nft';
  /** `unknown` when section 3 does not define the status for this kind of order. */
  readonly state: 'finished' | 'settlement' | 'settled' | 'unknown';
  readonly userId?: string | undefined;
  /** When the order was paid, Unix seconds. */
  readonly payTime?: number | undefined;
  /** When the transaction was created on the chain, Unix seconds. */
  readonly deliverTime?: number | undefined;
  /** When the transaction was confirmed, Unix seconds. */
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
  /** The URL of the transaction in a block explorer, without the hash. Append `txHash`. */
  readonly blockchainExplorer?: string | undefined;
  /** The widget parameter `ext`. For a checkout that this package signed, it is the checkout's reference. */
  readonly ext?: string | undefined;
  /** Empty for an on-ramp order. */
  readonly nftDetails: readonly NftDetails[];
  /**
   * The fields that do not match section 2.6, with their values as JSON of at most 200 characters. They are absent from
   * the order itself. Only fields that do not affect delivery can be unreadable; a mistake in any other field makes the
   * order malformed.
   */
  readonly unreadable?: Readonly<Record<string, string>> | undefined;
}

/** One page of orders (section 2.5). */
export interface OrderList {
  readonly page: number;
  readonly size: number;
  readonly totalCount: number;
  readonly list: readonly Order[];
}
