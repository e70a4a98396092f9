// Written by `npm run docs` from src/contract/schemas.ts: change the schemas, not this file. The types are written out
// because types that TypeScript infers from a schema would lose their fields' comments, and depend on zod's types.

import type { Widget } from '../widget/widgetParameters.js';

/** The age of a response that the backend may have cached. */
export interface CacheInfo {
  /** How many seconds ago the backend received the data from the service. */
  readonly ageSeconds: number;
  /** Whether the service is down and this is an earlier response. */
  readonly stale: boolean;
}

/** The estimated duration of a payment. */
export interface ProcessingTime {
  /** The service's own text. Show it if the minutes are absent, which means that the text could not be parsed. */
  readonly text: string;
  /** The shortest duration, in minutes. */
  readonly minMinutes?: number | undefined;
  /** The longest duration, in minutes. */
  readonly maxMinutes?: number | undefined;
}

/** A payment method of one fiat currency. */
export interface PaymentOption {
  /** The name to pass as `payment` in a quote query, such as `CREDIT_DEBIT_CARD`. */
  readonly name: string;
  readonly processingTime?: ProcessingTime | undefined;
  /** URL of an image, `https:` (or `http:` on loopback). */
  readonly icon?: string | undefined;
  /** The lowest amount of a payment, in the fiat currency. A decimal string. */
  readonly minAmount?: string | undefined;
  /** The highest amount of a payment, in the fiat currency. A decimal string. */
  readonly maxAmount?: string | undefined;
}

/** A fiat currency to pay in. */
export interface FiatCurrency {
  /** ISO code, such as `USD`. */
  readonly fiatCurrency: string;
  /** The name of the currency, in English. */
  readonly name?: string | undefined;
  /** The payment methods, with their limits. */
  readonly paymentOptions: readonly PaymentOption[];
}

/** A cryptocurrency on one network. */
export interface CryptoCurrency {
  /** The code of the currency on its network, such as `USDT_ERC20`. */
  readonly cryptoCurrencyCode: string;
  /** The symbol without the network, such as `USDT`. */
  readonly cryptoCurrency?: string | undefined;
  /** `<chain>_<net>`, such as `ethereum_mainnet`. */
  readonly network?: string | undefined;
  /** URL of an image, `https:` (or `http:` on loopback). */
  readonly icon?: string | undefined;
}

/** A price. The service does not document the currency of the fees; treat them as fiat amounts. */
export interface Quote {
  /** ISO code, the same as in the query. */
  readonly fiatCurrency: string;
  /** The fiat amount to pay, including fees. A decimal string. */
  readonly currencyAmount: string;
  /** The code of the currency, the same as in the query. */
  readonly cryptoCurrencyCode: string;
  /** The symbol without the network, such as `USDT`. */
  readonly cryptoCurrency?: string | undefined;
  /** `<chain>_<net>`, such as `ethereum_mainnet`. */
  readonly network?: string | undefined;
  /**
   * The amount of cryptocurrency that is delivered. For an NFT, it equals the `currencyAmount` in the query. A decimal
   * string.
   */
  readonly cryptoCurrencyAmount: string;
  /** The fiat price of one unit. A decimal string. */
  readonly cryptoCurrencyUnitPrice?: string | undefined;
  /** The network fee. A decimal string. */
  readonly gasFee?: string | undefined;
  /** The service fee. A decimal string. */
  readonly platformFee?: string | undefined;
  /** All fees together. A decimal string. */
  readonly totalFee?: string | undefined;
  /** The payment methods, with their limits. */
  readonly paymentOptions: readonly PaymentOption[];
}

/** The response of `GET /currencies`: the fiat currencies of the service. */
export interface FiatCurrenciesResponse extends CacheInfo {
  /** The currencies to pay in. */
  readonly currencies: readonly FiatCurrency[];
}

/** The response of `GET /cryptocurrencies`: the cryptocurrencies of the service. */
export interface CryptoCurrenciesResponse extends CacheInfo {
  /** The currencies to buy. */
  readonly cryptoCurrencies: readonly CryptoCurrency[];
}

/** The response of `GET /quote`: the price for a query. */
export interface QuoteResponse extends CacheInfo {
  readonly quote: Quote;
}

/**
 * The progress of a checkout, as its shopper may see it. `waiting`: no order yet. `unconfirmed`: a webhook announced an
 * order that the order list does not contain yet, or an order is in an unknown state. `finished`: an on-ramp order is
 * delivered, or an NFT is paid. `settlement`: the settlement of an NFT has begun. `settled`: the settlement is
 * complete. `expired`: no order arrived in time; it may still arrive. `review`: every order is quarantined;
 * `resolution` says whether the shop has resolved them.
 */
export type CheckoutProgress =
  | 'waiting'
  | 'unconfirmed'
  | 'finished'
  | 'settlement'
  | 'settled'
  | 'expired'
  | 'review';

/** How the shop resolved an order by hand: it refunded the shopper, delivered, or has nothing left to do (`closed`). */
export type OrderResolution = 'refunded' | 'delivered' | 'closed';

/** The part of an order that a shopper may see. */
export interface OrderSummary {
  /**
   * `finished`: an on-ramp order is delivered, or an NFT is paid. `settlement`: the settlement of an NFT has begun.
   * `settled`: the settlement is complete. `unknown`: the service reports a state that the backend does not know.
   */
  readonly state: 'finished' | 'settlement' | 'settled' | 'unknown';
  /** The number of the order, for a receipt. Absent if the backend cannot tell users apart. */
  readonly orderId?: string | undefined;
  /** ISO code of the currency that was paid. */
  readonly fiatCurrency?: string | undefined;
  /** The fiat amount that was paid. A decimal string. */
  readonly currencyAmount?: string | undefined;
  /** The symbol of the cryptocurrency, such as `USDT`. */
  readonly cryptoCurrency?: string | undefined;
  /** The amount of cryptocurrency. A decimal string. */
  readonly cryptoCurrencyAmount?: string | undefined;
  /** The network of the delivery, as the service names it. */
  readonly network?: string | undefined;
  /** The hash of the transaction: only letters, digits, `-` and `_`. */
  readonly transactionHash?: string | undefined;
  /** URL of the transaction in a block explorer, always `https:`. */
  readonly transactionUrl?: string | undefined;
  /** When the order was paid. Unix seconds. */
  readonly payTime?: number | undefined;
  /** When the transaction was created. Unix seconds. */
  readonly deliverTime?: number | undefined;
  /** When the transaction was confirmed. Unix seconds. */
  readonly finishTime?: number | undefined;
  /** When the backend recorded `state`. Present if it is `settlement` or `settled`. Unix seconds. */
  readonly changedAt?: number | undefined;
}

/** The state of a checkout, as its shopper may see it. */
export interface CheckoutResponse {
  /** The name of the checkout: 22 characters of base64url. It is part of the widget's URL, so it identifies no user. */
  readonly reference: string;
  readonly widget: Widget;
  readonly progress: CheckoutProgress;
  /** The matched orders, oldest first. */
  readonly orders: readonly OrderSummary[];
  /**
   * How many other orders are quarantined and unresolved, such as a second payment for one NFT. Absent if there are
   * none, or if `progress` is `review`.
   */
  readonly underReview?: number | undefined;
  /**
   * The resolution of the newest order, once the shop has resolved every order of the checkout. Show it in place of
   * `progress`.
   */
  readonly resolution?: OrderResolution | undefined;
}

/** A checkout of `GET /checkouts`: its state, and when it was created. */
export interface ListedCheckout extends CheckoutResponse {
  /** When the checkout was created. Unix seconds. */
  readonly createdAt: number;
}

/**
 * The response of `GET /checkouts`: the caller's newest checkouts, and the states of the checkouts that the request
 * named.
 */
export interface CheckoutsResponse {
  /** The caller's newest opened checkouts, newest first. Empty if `limit` is 0. */
  readonly checkouts: readonly ListedCheckout[];
  /** The states of the checkouts in `references` that belong to the caller. Absent without `references`. */
  readonly named?: readonly CheckoutResponse[] | undefined;
  /** The `cursor` of the next page. Absent on the last page. */
  readonly nextCursor?: string | undefined;
  /**
   * How many whole seconds the client must wait before it polls again, at least 3. The more polls the instance serves,
   * the longer the wait.
   */
  readonly pollAfterSeconds: number;
}

/** The response of `GET /checkouts/{reference}`: the state of a checkout, and when to ask for it again. */
export interface PolledCheckout extends CheckoutResponse {
  /**
   * How many whole seconds the client must wait before it polls again, at least 3. The more polls the instance serves,
   * the longer the wait.
   */
  readonly pollAfterSeconds: number;
}
