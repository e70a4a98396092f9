import type { CryptoCurrency, FiatCurrency, Quote } from '../api/resources.js';
import type { Widget } from '../widget/widgetParameters.js';

/** The age of a response that the backend may have cached. */
export interface CacheInfo {
  /** The time since the backend received the response from the service. */
  readonly ageSeconds: number;
  /** Whether the data may be out of date: the service is unavailable, and the backend returned an earlier response. */
  readonly stale: boolean;
}

/** The response of `GET {basePath}/currencies`. */
export interface FiatCurrenciesResponse extends CacheInfo {
  readonly currencies: readonly FiatCurrency[];
}

/** The response of `GET {basePath}/cryptocurrencies?buyType=…`. */
export interface CryptoCurrenciesResponse extends CacheInfo {
  readonly cryptoCurrencies: readonly CryptoCurrency[];
}

/** The response of `GET {basePath}/quote?fiatCurrency=…&currencyAmount=…&cryptoCurrencyCode=…&payment=…&buyType=…`. */
export interface QuoteResponse extends CacheInfo {
  readonly quote: Quote;
}

/**
 * The progress of a checkout as shown to the shopper. `waiting`: the checkout has no order yet. `unconfirmed`: a
 * webhook announced an order that the order list does not have yet, or the order is in a state that this package does
 * not know. `review`: every order is quarantined; `resolution` tells whether the shop has resolved them. `expired`: no
 * order arrived in time, but a late order is still possible. Any other value is the most advanced state of the matched
 * orders.
 */
export type CheckoutProgress =
  | 'waiting'
  | 'unconfirmed'
  | 'finished'
  | 'settlement'
  | 'settled'
  | 'expired'
  | 'review';

/**
 * How the shop resolved an order by hand: the shopper was refunded, the shop delivered it, or nothing is left to do
 * (`closed`).
 */
export type OrderResolution = 'refunded' | 'delivered' | 'closed';

/** The part of an order that a shopper may see. Amounts are decimal strings. */
export interface OrderSummary {
  readonly state: 'finished' | 'settlement' | 'settled' | 'unconfirmed';
  /** The service's number of the order, for a receipt. Absent if the backend cannot tell users apart. */
  readonly orderId?: string | undefined;
  readonly fiatCurrency?: string | undefined;
  readonly currencyAmount?: string | undefined;
  readonly cryptoCurrency?: string | undefined;
  readonly cryptoCurrencyAmount?: string | undefined;
  readonly network?: string | undefined;
  /** The transaction's hash. It contains only letters, digits, `-` and `_`. */
  readonly transactionHash?: string | undefined;
  /** URL of the transaction in a block explorer, always `https:`. */
  readonly transactionUrl?: string | undefined;
  /** When the order was paid, Unix seconds. */
  readonly payTime?: number | undefined;
  /** When the transaction was created, Unix seconds. */
  readonly deliverTime?: number | undefined;
  /** When the transaction was confirmed, Unix seconds. */
  readonly finishTime?: number | undefined;
  /** When the backend recorded `state`, Unix seconds. Present if `state` is `settlement` or `settled`. */
  readonly changedAt?: number | undefined;
}

/** The state of a checkout. */
export interface CheckoutResponse {
  readonly reference: string;
  readonly widget: Widget;
  readonly progress: CheckoutProgress;
  /** The matched orders, oldest first. */
  readonly orders: readonly OrderSummary[];
  /**
   * The number of quarantined orders without a resolution. For example, a second payment for one NFT is quarantined.
   * Set only if the number is above 0 and another order of the checkout is not quarantined. If every order is
   * quarantined, `progress` is `review` instead.
   */
  readonly underReview?: number | undefined;
  /**
   * How the shop resolved the newest order by hand. Set once every order of the checkout is resolved; show it in place
   * of `progress`.
   */
  readonly resolution?: OrderResolution | undefined;
}

/** A checkout of `GET {basePath}/checkouts`: its state, and when it was created. */
export interface ListedCheckout extends CheckoutResponse {
  /** Unix seconds. */
  readonly createdAt: number;
}

/** The response of `GET {basePath}/checkouts?references=…&limit=…&cursor=…`. */
export interface CheckoutsResponse {
  /** The newest opened checkouts of the caller, newest first. Empty if `limit` is 0. */
  readonly checkouts: readonly ListedCheckout[];
  /** The states of the checkouts in `references` that belong to the caller. Absent without `references`. */
  readonly named?: readonly CheckoutResponse[] | undefined;
  /** The `cursor` of the next page. Absent on the last page. */
  readonly nextCursor?: string | undefined;
  /** When the page may poll again: whole seconds, at least 3. It grows with the polls that the instance serves. */
  readonly pollAfterSeconds: number;
}

/** The response of `GET {basePath}/checkouts/:reference`. */
export interface PolledCheckout extends CheckoutResponse {
  /** When the client may poll again: whole seconds, at least 3. It grows with the polls that the instance serves. */
  readonly pollAfterSeconds: number;
}
