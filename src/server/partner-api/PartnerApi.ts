import type { KeyObject } from 'node:crypto';
import type {
  BuyType,
  FiatCurrency,
  ListedCryptoCurrency,
  Order,
  OrderList,
  Quote,
  QuoteQuery,
} from '../../protocol/api/resources.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { OrderRange, OrdersQuery } from './eachOrder.js';

/** The options of {@link createPartnerApi}. */
export interface PartnerApiOptions {
  /** The service's API address: `https:`, or `http:` on loopback. */
  readonly baseUrl: string;
  readonly partnerId: string;
  /** `APIPrivateKey`, RSA of 2048 bits or more: PEM text (PKCS#8 or PKCS#1) or a `KeyObject`. */
  readonly privateKey: string | KeyObject | undefined;
  /** `X-Fp-Version`. @default 'v1.0' */
  readonly version?: string | undefined;
  /** Where the cryptocurrencies are listed. @default '/open/api/onramp/token' */
  readonly cryptoCurrenciesPath?: string | undefined;
  /** The time limit of one try, from connecting to the last byte. @default 3000 */
  readonly timeoutMs?: number | undefined;
  /** How often a request is tried that fails on the network, with 429 or with 5xx. @default 3 */
  readonly maxTries?: number | undefined;
  /**
   * The longest time range that `eachOrder` requests at once, at least 2 seconds. Set it when the service
   * refuses or truncates longer ranges. @default 86400
   */
  readonly windowSeconds?: number | undefined;
  /**
   * Is called, once an hour at most, when this server's clock is more than 30 seconds from the service's
   * (`ERR_CONFIG_INVALID`). @default console.error
   */
  readonly onClockSkew?: ((error: RampError) => void) | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects at once with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the `maxTries` of the client, such as a higher number for background work. */
  readonly maxTries?: number | undefined;
}

export interface EachOrderOptions extends CallOptions {
  /**
   * Is called once with each order that is not as section 2.6 describes it: an `ERR_RESPONSE_INVALID` with
   * the number of the order, if that is readable, and what is wrong in `issues`. The other orders are still
   * yielded.
   *
   * @default none: the first malformed order ends the iteration with an error
   */
  readonly onMalformed?: ((error: RampError) => void) | undefined;
}

/**
 * A client of the partner API (section 4). Amounts are exact decimal strings,
 * times are Unix seconds, empty fields are absent. Every call may throw `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_API_RESPONSE` (with the
 * service's `apiCode`) and `ERR_RESPONSE_INVALID`, and `ERR_PARAMS_INVALID` before anything is sent.
 */
export interface PartnerApi {
  /** Lists the fiat currencies (section 4.3). */
  fiatCurrencies(options?: CallOptions): Promise<readonly FiatCurrency[]>;
  /** Lists the cryptocurrencies (section 4.2); with `nft`, those of NFT checkout. */
  cryptoCurrencies(
    query?: { readonly buyType?: BuyType | undefined },
    options?: CallOptions,
  ): Promise<readonly ListedCryptoCurrency[]>;
  /** Quotes a price (section 4.4). */
  quote(query: QuoteQuery, options?: CallOptions): Promise<Quote>;
  /** Lists one page of orders (section 4.5). One malformed order makes it throw `ERR_RESPONSE_INVALID`. */
  orders(query: OrdersQuery, options?: CallOptions): Promise<OrderList>;
  /**
   * Yields every order that finished in a range, oldest window first. It keeps one page in memory, and the
   * ids of at most 10,000 orders before it. Each order is yielded once, and again when its status has
   * changed meanwhile. An order that the service adds while the range is read may be missing, so let
   * consecutive ranges overlap. Requests reach one second beyond both ends of the range, because the service
   * may exclude them.
   *
   * In addition to the errors of every call, it throws `ERR_RESPONSE_INVALID` when orders disappear from the list at
   * each of ten readings, and for a malformed order unless `onMalformed` is given.
   */
  eachOrder(range: OrderRange, options?: EachOrderOptions): AsyncIterable<Order>;
}
