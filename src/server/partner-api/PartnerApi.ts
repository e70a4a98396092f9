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

/** What every call takes beside its question. */
export interface CallOptions {
  /** Gives the call up: it rejects at once with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's own: more for what nobody waits for. */
  readonly maxTries?: number | undefined;
}

export interface EachOrderOptions extends CallOptions {
  /**
   * Hears of each order that is not as section 2.6 describes it, once: an `ERR_RESPONSE_INVALID` with its
   * number, if that can be read, and what is wrong in `issues`. The others are handed out all the same.
   *
   * @default none: the first such order ends the list, as an error
   */
  readonly onMalformed?: ((error: RampError) => void) | undefined;
}

/**
 * The partner API (section 4). Amounts are exact decimal strings, times Unix seconds, empty fields
 * are absent. Every call may throw `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_API_RESPONSE` (with the
 * service's `apiCode`) and `ERR_RESPONSE_INVALID`, and `ERR_PARAMS_INVALID` before anything is sent.
 */
export interface PartnerApi {
  /** Section 4.3. */
  fiatCurrencies(options?: CallOptions): Promise<readonly FiatCurrency[]>;
  /** Section 4.2; `nft` asks for the list of NFT checkout. */
  cryptoCurrencies(
    query?: { readonly buyType?: BuyType | undefined },
    options?: CallOptions,
  ): Promise<readonly ListedCryptoCurrency[]>;
  /** Section 4.4. */
  quote(query: QuoteQuery, options?: CallOptions): Promise<Quote>;
  /** Section 4.5: one page. One order that cannot be read makes all of it `ERR_RESPONSE_INVALID`. */
  orders(query: OrdersQuery, options?: CallOptions): Promise<OrderList>;
  /**
   * Every order that finished in a range, oldest day first, however many there are: one page is in
   * memory at a time, and the ids of the 10,000 before it. Each comes once, and again only when its
   * status has moved on meanwhile. An order that the service adds while the range is read may be missing,
   * so let consecutive ranges overlap. Ranges are requested with a second more on both sides, because the
   * service may exclude the ends.
   *
   * Beside the errors of every call, throws `ERR_RESPONSE_INVALID` when orders disappear from the list at
   * each of ten readings, and for a malformed order unless `onMalformed` is given.
   */
  eachOrder(range: OrderRange, options?: EachOrderOptions): AsyncIterable<Order>;
}
