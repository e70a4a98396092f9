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

/** The options of `createPartnerApi`. */
export interface PartnerApiOptions {
  /** The service's API address: `https:`, or `http:` on loopback. */
  readonly baseUrl: string;
  /** The partner ID issued at onboarding. */
  readonly partnerId: string;
  /** The `APIPrivateKey`, RSA of 2048 bits or more: PEM text (PKCS#8 or PKCS#1) or a `KeyObject`. */
  readonly privateKey: string | KeyObject | undefined;
  /** The value of the header `X-Fp-Version`. @default 'v1.0' */
  readonly version?: string | undefined;
  /** The path of the list of cryptocurrencies. @default '/open/api/onramp/token' */
  readonly cryptoCurrenciesPath?: string | undefined;
  /** The time limit of one attempt, from connecting to the last byte. @default 3000 */
  readonly timeoutMs?: number | undefined;
  /** The number of attempts if a request fails on the network, with 429 or with 5xx. @default 3 */
  readonly maxTries?: number | undefined;
  /**
   * Orders per request of `eachOrder` and `readOrders`, 1 to 1000. Every service accepts the documented 20. A
   * larger page needs fewer requests, but a service may refuse it (`apiCode` 10002). @default 20
   */
  readonly pageSize?: number | undefined;
  /**
   * The longest time range of one request of `eachOrder`, at least 2 seconds. Set it if the service refuses or
   * truncates longer ranges. @default 86400
   */
  readonly windowSeconds?: number | undefined;
  /**
   * Is called with `ERR_CONFIG_INVALID`, at most once an hour, when the clocks of this server and the service
   * differ by more than 30 seconds. @default console.error
   */
  readonly onClockSkew?: ((error: RampError) => void) | undefined;
  /** Sends the requests. @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects immediately with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the `maxTries` of the client, for example with a higher number for background work. */
  readonly maxTries?: number | undefined;
}

/** The options of `eachOrder`. */
export interface EachOrderOptions extends CallOptions {
  /**
   * Is called once for each malformed order (docs/service-interface.md section 2.6) with an
   * `ERR_RESPONSE_INVALID`. Its message has the order ID, if that can be read, and its `issues` have the
   * malformed fields. The other orders are still yielded.
   *
   * @default none: the first malformed order ends the iteration with an error
   */
  readonly onMalformed?: ((error: RampError) => void) | undefined;
}

/** The options of `readOrders`. */
export interface ReadOrdersOptions {
  /** The largest number of requests, retries included. */
  readonly maxRequests: number;
  /** Is called with the orders of each page, also if the reading fails later. */
  readonly onPage: (orders: readonly Order[]) => void;
  /** Aborts the reading, which rejects immediately with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A client of the partner API (section 4). Amounts are exact decimal strings, times are Unix seconds, empty
 * fields are absent. Every call may throw `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_API_RESPONSE` (with the service's
 * `apiCode`) and `ERR_RESPONSE_INVALID`, and `ERR_PARAMS_INVALID` before it sends a request.
 */
export interface PartnerApi {
  /** The partner ID of the client, by which `createRampHandler` refuses a signer of another partner. */
  readonly partnerId: string;
  /** Lists the fiat currencies (section 4.3). */
  fiatCurrencies(options?: CallOptions): Promise<readonly FiatCurrency[]>;
  /** Lists the cryptocurrencies (section 4.2) of on-ramp, or of NFT checkout if `buyType` is `nft`. */
  cryptoCurrencies(
    query?: { readonly buyType?: BuyType | undefined },
    options?: CallOptions,
  ): Promise<readonly ListedCryptoCurrency[]>;
  /** Quotes a price (section 4.4). */
  quote(query: QuoteQuery, options?: CallOptions): Promise<Quote>;
  /** Lists one page of orders (section 4.5). One malformed order makes it throw `ERR_RESPONSE_INVALID`. */
  orders(query: OrdersQuery, options?: CallOptions): Promise<OrderList>;
  /**
   * Yields every order that the service lists for a range, oldest window first. It keeps one page in memory,
   * and the ids of at most 10,000 earlier orders. Each order is yielded once, and again if its status changes
   * meanwhile. Let consecutive ranges overlap, and count each `orderId` once: an order that the service adds
   * while a range is read may be missing, and an order may belong to two ranges, because requests reach one
   * second beyond both ends in case the service excludes the ends.
   *
   * It also throws `ERR_RESPONSE_INVALID` when orders disappear from the list during each of ten readings, and
   * for a malformed order unless `onMalformed` is set.
   */
  eachOrder(range: OrderRange, options?: EachOrderOptions): AsyncIterable<Order>;
  /**
   * Reads a short range of the order list completely or not at all, for a request that waits for it: it reads up
   * to four pages at a time, and sends at most `maxRequests` requests. An order may be passed to `onPage` twice.
   *
   * It also throws `ERR_API_RESPONSE` when that many requests are not enough, and `ERR_RESPONSE_INVALID` for a
   * malformed order after all others were passed to `onPage`.
   */
  readOrders(range: OrderRange, options: ReadOrdersOptions): Promise<void>;
}
