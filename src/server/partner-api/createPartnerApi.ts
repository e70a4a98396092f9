import type { KeyObject } from 'node:crypto';
import { parseBuyType, parseQuoteQuery } from '../../protocol/api/parseQuoteQuery.js';
import {
  type OrderPage,
  parseCryptoCurrencies,
  parseFiatCurrencies,
  parseOrderList,
  parseOrderPage,
  parseQuote,
} from '../../protocol/api/parseResources.js';
import type {
  BuyType,
  FiatCurrency,
  ListedCryptoCurrency,
  Order,
  OrderList,
  Quote,
  QuoteQuery,
} from '../../protocol/api/resources.js';
import { createParamsError, RampError } from '../../protocol/errors/RampError.js';
import { parseServiceUrl } from '../../protocol/parseServiceUrl.js';
import {
  createConcurrencyLimit,
  createKeyedConcurrencyLimit,
} from '../internal/concurrencyLimit.js';
import { logError } from '../internal/errorReports.js';
import {
  count,
  func,
  matching,
  milliseconds,
  type OptionReader,
  partnerId,
  readOptions,
  setting,
  TIMER_MS,
} from '../internal/options.js';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import { isAbortSignal, withOwnSignal } from '../internal/withTimeLimit.js';
import type { SignMessage } from '../signing/externalKey.js';
import { parseRsaPrivateKey } from '../signing/rsa.js';
import { createCircuitBreaker } from './circuitBreaker.js';
import {
  type EachOrderOptions,
  eachOrder,
  findUnknownNames,
  type OrderRange,
  type OrdersQuery,
  parseOnMalformed,
  parseOrderRange,
  parseOrdersQuery,
  parseReadOptions,
  type ReadOrdersOptions,
  readOrders,
} from './orders.js';
import {
  createClockWatch,
  type RequestOptions,
  retry,
  sendRequest,
  TransientError,
} from './request.js';

/** Options of {@link createPartnerApi}. */
export interface PartnerApiOptions {
  /** The service's API address: `https:`, or `http:` on loopback. */
  readonly baseUrl: string;
  /** The partner ID issued at onboarding. */
  readonly partnerId: string;
  /**
   * The `APIPrivateKey`, RSA of 2048 bits or more: PEM text (PKCS#8 or PKCS#1) or a `KeyObject`. Or a function that
   * signs with it by RSASSA-PKCS1-v1_5 and SHA-256, such as a call to a key management service.
   */
  readonly privateKey: string | KeyObject | SignMessage | undefined;
  /** The value of the header `X-Fp-Version`. @default 'v1.0' */
  readonly version?: string | undefined;
  /** The path of the list of cryptocurrencies. @default '/open/api/onramp/token' */
  readonly cryptoCurrenciesPath?: string | undefined;
  /** The time limit of one attempt in milliseconds, from connecting to the last byte. @default 3000 */
  readonly timeoutMs?: number | undefined;
  /**
   * The maximum number of attempts, the first included, when a request fails on the network, with 429 or with 5xx.
   * @default 3
   */
  readonly maxTries?: number | undefined;
  /**
   * Orders per request of `eachOrder` and `readOrders`, 1 to 1000. Every service accepts the documented 20. A
   * larger page needs fewer requests, but a service may refuse it (`apiCode` 10002). @default 20
   */
  readonly pageSize?: number | undefined;
  /**
   * Called with `ERR_CLOCK_SKEW`, at most once an hour, when the clocks of this server and the service differ by more
   * than 30 seconds. Every other error rejects the call. @default console.error
   */
  readonly onError?: ((error: RampError) => void) | undefined;
  /** Sends the requests. @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
}

/** Options that every call except `readOrders` accepts. */
export interface CallOptions {
  /** Aborts the call, which then rejects immediately with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's `maxTries`, for example with a higher number for background work. */
  readonly maxTries?: number | undefined;
}

/**
 * A client of the partner API (service interface, section 4). Amounts are exact decimal strings, times are Unix
 * seconds, empty fields are absent.
 *
 * Every call may throw `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_API_RESPONSE` (with the service's `apiCode`),
 * `ERR_RESPONSE_INVALID`, and `ERR_INTERNAL` if a function passed as `privateKey` fails. If its arguments are invalid,
 * it throws `ERR_PARAMS_INVALID` before it sends a request.
 */
export interface PartnerApi {
  /** The partner ID of the client. */
  readonly partnerId: string;
  /** The address of the service. A store belongs to one partner ID and one service, and refuses another. */
  readonly baseUrl: string;
  /**
   * By how much this server's clock was ahead of the service's at the last response, in seconds, negative if it was
   * behind. Undefined before the first response, and if the service sends no `Date`.
   */
  readonly clockSkewSeconds?: number | undefined;
  /** Lists the fiat currencies with their payment methods (section 4.3). */
  fiatCurrencies(options?: CallOptions): Promise<readonly FiatCurrency[]>;
  /** Lists the cryptocurrencies for on-ramp, or for NFT checkout if `buyType` is `nft` (section 4.2). */
  cryptoCurrencies(
    query?: { readonly buyType?: BuyType | undefined },
    options?: CallOptions,
  ): Promise<readonly ListedCryptoCurrency[]>;
  /** Quotes a price (section 4.4). If the service refuses the query, the error has the `apiCode` 10002. */
  quote(query: QuoteQuery, options?: CallOptions): Promise<Quote>;
  /** Lists one page of orders (section 4.5). One malformed order makes it throw `ERR_RESPONSE_INVALID`. */
  orders(query: OrdersQuery, options?: CallOptions): Promise<OrderList>;
  /**
   * Yields every order that the service lists for a range. It reads the range in windows of at most a day, oldest
   * first. It keeps one page of orders in memory, and the ids of the orders in the current and the previous window. A
   * window with more than 10,000 orders is halved.
   *
   * It yields each order once, and again if its status changes during the reading. An order that the service adds
   * during the reading may be missing. So if you read several ranges, let consecutive ones overlap, and skip an
   * `orderId` that you have seen. Even ranges that only touch can share an order, because requests reach one second
   * beyond both ends, in case the service excludes the ends.
   *
   * It also throws `ERR_RESPONSE_INVALID` in three cases: a window was read ten times, and each time the number of
   * orders shrank or was wrong; the service returned the same page twice; or an order is malformed and `onMalformed` is
   * not set.
   */
  eachOrder(range: OrderRange, options?: EachOrderOptions): AsyncIterable<Order>;
  /**
   * Reads a short range of the order list, for a request that waits for the result. It reads up to four pages at a
   * time, sends at most `maxRequests` requests, and resolves only if it has read the whole range. It may pass an order
   * to `onPage` several times.
   *
   * It also throws `ERR_API_RESPONSE` when `maxRequests` requests are not enough. For a malformed order it throws
   * `ERR_RESPONSE_INVALID`, after it has passed the other orders of the same window to `onPage`.
   */
  readOrders(range: OrderRange, options: ReadOrdersOptions): Promise<void>;
}

/**
 * Creates a client of the partner API. The client lists currencies, quotes prices and lists orders, and signs each
 * request with a new timestamp and nonce (service interface, section 5.1). Requests that fail on the network, with 429
 * or with 5xx are retried with exponential backoff and jitter.
 *
 * If five calls in a row to one operation find the service down or overloaded, a circuit breaker stops the operation
 * for 5 seconds. Quotes have a separate circuit for each pair of currencies, payment method and `buyType`.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed, or the key is public, encrypted, not
 * RSA or too short.
 * @example
 * const api = createPartnerApi({ baseUrl: 'https://api.example', partnerId, privateKey });
 * const { cryptoCurrencyAmount } = await api.quote({
 *   fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20',
 * });
 */
export function createPartnerApi(options: PartnerApiOptions): PartnerApi;
/** @internal */
export function createPartnerApi(options: PartnerApiOptions, runtime: Runtime): PartnerApi;
export function createPartnerApi(
  options: PartnerApiOptions,
  runtime: Runtime = processRuntime,
): PartnerApi {
  const { pageSize, ...settings } = parseOptions(options, runtime);
  const parseRange = (range: OrderRange) => {
    const { size = pageSize, ...times } = parseOrderRange(range);
    return { ...times, size };
  };
  const clock = createClockWatch(settings.onError);
  const calls = createPartnerCalls({ ...settings, watchClock: clock.watch });
  return {
    partnerId: settings.partnerId,
    baseUrl: settings.baseUrl,
    get clockSkewSeconds() {
      return clock.skewSeconds;
    },
    fiatCurrencies: calls.fiatCurrencies,
    cryptoCurrencies: calls.cryptoCurrencies,
    quote: calls.quote,
    orders: calls.orders,
    eachOrder: (range, call) =>
      eachOrder(
        (query) => calls.orderPage(query, call),
        parseRange(range),
        WINDOW_SECONDS,
        parseOnMalformed(call),
      ),
    readOrders: async (range, options) => {
      const reading = parseReadOptions(options);
      const { signal } = reading;
      return readOrders(
        (query, beforeTry) => calls.orderPage(query, { signal }, beforeTry),
        parseRange(range),
        WINDOW_SECONDS,
        reading,
      );
    },
  };
}

const MAX_PAGE_SIZE = 1000;
/** The longest range of one request for orders. How long a range the service accepts is not documented. */
const WINDOW_SECONDS = 86_400;

function parseOptions(options: PartnerApiOptions, runtime: Runtime) {
  const { fetch, ...settings } = readOptions('createPartnerApi', options, {
    baseUrl: setting(parseBaseUrl),
    partnerId,
    privateKey: parseApiKey,
    version: matching(/^v\d{1,3}\.\d{1,3}$/, 'a version such as v1.0', 'v1.0'),
    cryptoCurrenciesPath: parseCurrenciesPath,
    timeoutMs: milliseconds(3000),
    maxTries: count({ byDefault: 3, most: TIMER_MS }),
    pageSize: count({ byDefault: 20, most: MAX_PAGE_SIZE }),
    onError: func<(error: RampError) => void>(logError),
    fetch: func<Runtime['fetch']>(),
  });
  return { ...settings, runtime: fetch ? { ...runtime, fetch } : runtime };
}

export const parseCurrenciesPath = matching(
  /^\/[A-Za-z0-9/._-]*$/,
  "a cryptoCurrenciesPath that begins with '/', without query and fragment",
  '/open/api/onramp/token',
);

/** @throws RampError `ERR_CONFIG_INVALID` unless the value is a private RSA key or a function that signs. */
export const parseApiKey: OptionReader<KeyObject | SignMessage> = (key, { subject }) =>
  typeof key === 'function' ? (key as SignMessage) : parseRsaPrivateKey(key, subject);

export const parseBaseUrl: OptionReader<string> = (value, { name, subject, refuse }) => {
  const address = parseServiceUrl(value as string, subject);
  return /\/open\/api(\/|$)/.test(address)
    ? refuse(`expects as ${name} the address without /open/api, which is added to it.`)
    : address;
};

/** The maximum number of concurrent requests of an operation, unless `maxRunning` sets another limit. */
const MAX_CONCURRENT = 32;
const MAX_WAITING = 1000;
/**
 * Prices have a lower limit than `MAX_CONCURRENT`, because anonymous visitors can request them. Excess requests wait
 * for at most `timeoutMs`.
 */
const MAX_PRICES_AT_ONCE = 8;
const BREAK_AFTER = 5;
const BREAK_MS = 5000;

interface OperationOptions<Query> {
  readonly maxRunning?: number;
  /** Returns the circuit that a query belongs to. @default one circuit for all queries */
  readonly toSubject?: (query: Query) => string;
  /** Returns the currency of a query. Queries for one currency may use at most half of `maxRunning`. */
  readonly toCode?: (query: Query) => string;
}

/** The validated options of `createPartnerApi` that its calls use. */
interface PartnerCallOptions extends RequestOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly cryptoCurrenciesPath: string;
  readonly maxTries: number;
}

/**
 * The client's methods that send one request each, and `orderPage`, which `eachOrder` and `readOrders` use.
 */
interface PartnerCalls
  extends Omit<
    PartnerApi,
    'partnerId' | 'baseUrl' | 'clockSkewSeconds' | 'eachOrder' | 'readOrders'
  > {
  /**
   * Lists one page of orders like `orders`, but does not throw for malformed orders: the page lists their errors.
   *
   * @param beforeTry - Called before each attempt, and may throw to prevent that attempt.
   */
  orderPage(query: OrdersQuery, call?: CallOptions, beforeTry?: () => void): Promise<OrderPage>;
}

/** Creates the four operations of the API. */
function createPartnerCalls(settings: PartnerCallOptions): PartnerCalls {
  const { baseUrl, runtime, timeoutMs } = settings;

  /**
   * Creates one operation, with its own circuit breaker and concurrency limit: one operation may fail while the others
   * work, and requests for prices must not delay the order list.
   */
  function createOperation<Query extends object>(path: string, more: OperationOptions<Query> = {}) {
    const { maxRunning = MAX_CONCURRENT, toSubject, toCode } = more;
    const limits = {
      runtime,
      maxWaiting: MAX_WAITING,
      maxWaitMs: timeoutMs,
      createError: (reason: 'full' | 'timeout') => createBusyError(reason, timeoutMs),
    };
    const limit = createConcurrencyLimit({ ...limits, maxRunning });
    // If the service hangs for one currency, its requests must not use up the limit for all other currencies.
    const limitCode = createKeyedConcurrencyLimit({
      ...limits,
      maxRunning: Math.ceil(maxRunning / 2),
    });
    const breaker = createCircuitBreaker({
      breakAfter: BREAK_AFTER,
      breakMs: BREAK_MS,
      isOutage: (error) => error instanceof TransientError && error.isOutage,
      runtime,
    });
    return async (
      query: Query,
      call: CallOptions | undefined,
      beforeTry?: () => void,
    ): Promise<unknown> => {
      const { signal: given, maxTries = settings.maxTries } = parseCallOptions(call);
      const url = new URL(baseUrl + path);
      // Encode a space as %20, not as +, because some services take a + literally.
      url.search = Object.entries(query)
        .flatMap(([name, value]) =>
          value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
        )
        .join('&');
      const tries = { ...settings, maxTries, maxPauseMs: timeoutMs };
      // Give each call its own signal, because Node.js warns about a shared signal that has many listeners.
      return breaker(toSubject?.(query) ?? '', () =>
        withOwnSignal(given, (signal) => {
          const send = async () => {
            beforeTry?.();
            return limit(() => sendRequest(url.href, settings, signal), signal);
          };
          const callOnce = () => (toCode ? limitCode(toCode(query), send, signal) : send());
          return retry(callOnce, tries, signal);
        }),
      );
    };
  }

  const currency = createOperation('/open/api/onramp/currency');
  const token = createOperation(settings.cryptoCurrenciesPath);
  const price = createOperation<QuoteQuery>('/open/api/onramp/price', {
    maxRunning: MAX_PRICES_AT_ONCE,
    // Leave out the amount: visitors can choose any amount, and each would have its own circuit.
    toSubject: ({ fiatCurrency, cryptoCurrencyCode, payment, buyType }) =>
      [fiatCurrency, cryptoCurrencyCode, payment, buyType].join('&'),
    toCode: ({ cryptoCurrencyCode }) => cryptoCurrencyCode,
  });
  const order = createOperation('/open/api/onramp/order');
  return {
    fiatCurrencies: async (call) => parseFiatCurrencies(await currency({}, call)),
    cryptoCurrencies: async (query, call) =>
      parseCryptoCurrencies(await token(parseBuyType(query), call)),
    async quote(query, call) {
      const checked = parseQuoteQuery(query);
      return parseQuote(await price(checked, call), checked);
    },
    orders: async (query, call) => parseOrderList(await order(parseOrdersQuery(query), call)),
    orderPage: async (query, call, beforeTry) =>
      parseOrderPage(await order(parseOrdersQuery(query), call, beforeTry)),
  };
}

const createBusyError = (reason: 'full' | 'timeout', maxWaitMs: number) =>
  reason === 'full'
    ? new RampError(
        'ERR_NETWORK',
        `${MAX_WAITING} requests to the service are already waiting. Try again later.`,
      )
    : new RampError(
        'ERR_TIMEOUT',
        `No request to the service could start within ${maxWaitMs} ms. Try again later.`,
      );

/** Validates the options of a call. @throws RampError `ERR_PARAMS_INVALID` */
function parseCallOptions(call: CallOptions | undefined): CallOptions {
  const { signal, maxTries } = call ?? {};
  const isOptions = call == null || (typeof call === 'object' && !isAbortSignal(call));
  const issues = isOptions ? findUnknownNames(call, ['signal', 'maxTries', 'onMalformed']) : [];
  if (!isOptions || !(signal === undefined || isAbortSignal(signal)))
    issues.push({ param: 'signal', message: 'must be an AbortSignal, passed as { signal }' });
  if (!(maxTries === undefined || (Number.isSafeInteger(maxTries) && maxTries > 0)))
    issues.push({ param: 'maxTries', message: 'must be a whole number from 1' });
  if (issues.length > 0) throw createParamsError(issues, 'The options of the call were');
  return { signal, maxTries };
}
