import type { CryptoCurrency, FiatCurrency, Quote } from '../api/resources.js';
import type { Widget } from '../widget/WidgetParameter.js';

/** How old an answer is that the backend may have kept for a while. */
export interface CacheInfo {
  /** Time since the service said it, by the backend's clock. */
  readonly ageSeconds: number;
  /** The service is down, and this is the last that it said. */
  readonly stale: boolean;
}

/** `GET {basePath}/currencies` */
export interface FiatCurrenciesResponse extends CacheInfo {
  readonly currencies: readonly FiatCurrency[];
}

/** `GET {basePath}/cryptocurrencies?buyType=…` */
export interface CryptoCurrenciesResponse extends CacheInfo {
  readonly cryptoCurrencies: readonly CryptoCurrency[];
}

/** `GET {basePath}/quote?fiatCurrency=…&currencyAmount=…&cryptoCurrencyCode=…&payment=…&buyType=…` */
export interface QuoteResponse extends CacheInfo {
  readonly quote: Quote;
}

/**
 * How far a checkout is, as a shopper is shown it. `waiting`: no order yet. `unconfirmed`: an order was
 * announced that the list does not have yet. `review`: an order came that is not as agreed; somebody
 * looks at it. `expired`: nothing came in time; it may still finish late.
 */
export type CheckoutProgress =
  | 'waiting'
  | 'unconfirmed'
  | 'finished'
  | 'settlement'
  | 'settled'
  | 'expired'
  | 'review';

/** What a shopper is shown of an order. Amounts are decimal strings. */
export interface OrderSummary {
  readonly state: 'finished' | 'settlement' | 'settled' | 'unconfirmed';
  readonly fiatCurrency?: string | undefined;
  readonly currencyAmount?: string | undefined;
  readonly cryptoCurrency?: string | undefined;
  readonly cryptoCurrencyAmount?: string | undefined;
  readonly network?: string | undefined;
  /** The transaction's hash: letters, digits, `-` and `_`. */
  readonly transactionHash?: string | undefined;
  /** Where the transaction can be seen; `https:` alone. */
  readonly transactionUrl?: string | undefined;
  /** When it was paid, Unix seconds. */
  readonly payTime?: number | undefined;
  /** When the transaction was made, Unix seconds. */
  readonly deliverTime?: number | undefined;
  /** When it was confirmed, Unix seconds. */
  readonly finishTime?: number | undefined;
  /** With `settlement` and `settled`: when the backend learned of it, Unix seconds. */
  readonly changedAt?: number | undefined;
}

/** The answer to `GET {api}/checkouts/:reference`, and what its events carry. */
export interface CheckoutResponse {
  readonly reference: string;
  readonly widget: Widget;
  readonly progress: CheckoutProgress;
  /** Those that are as agreed, oldest first. */
  readonly orders: readonly OrderSummary[];
  /**
   * How many more orders of this checkout are quarantined and under review, such as a second payment for
   * one NFT. Absent when there are none, and where `progress` is `review` because there are no others.
   */
  readonly underReview?: number | undefined;
}
