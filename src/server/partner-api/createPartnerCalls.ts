import { parseBuyType, parseQuoteQuery } from '../../protocol/api/parseQuoteQuery.js';
import {
  type OrderPage,
  parseCryptoCurrencies,
  parseFiatCurrencies,
  parseOrderList,
  parseOrderPage,
  parseQuote,
} from '../../protocol/api/parseResources.js';
import type { QuoteQuery } from '../../protocol/api/resources.js';
import { RampError } from '../../protocol/errors/RampError.js';
import {
  createConcurrencyLimit,
  createKeyedConcurrencyLimit,
} from '../internal/createConcurrencyLimit.js';
import { withOwnSignal } from '../internal/withTimeLimit.js';
import { createClockSkewWarning } from './clockSkew.js';
import { createCircuitBreaker } from './createCircuitBreaker.js';
import type { OrdersQuery } from './eachOrder.js';
import type { CallOptions, PartnerApi } from './PartnerApi.js';
import { parseCallOptions, parseOrdersQuery } from './parseCallOptions.js';
import { retry } from './retry.js';
import { type RequestOptions, sendRequest } from './sendRequest.js';
import { TransientError } from './TransientError.js';

/** The validated options of `createPartnerApi` that its calls use. */
export interface PartnerCallOptions extends Omit<RequestOptions, 'watchClock'> {
  readonly onClockSkew: (error: RampError) => void;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly cryptoCurrenciesPath: string;
  readonly maxTries: number;
}

/** Concurrent requests of one operation. */
const MAX_CONCURRENT = 32;
const MAX_WAITING = 1000;
/** Anonymous visitors can request prices, so a low limit refuses excess requests early. */
const MAX_PRICES_AT_ONCE = 8;
const BREAK_AFTER = 5;
const BREAK_MS = 5000;

interface OperationOptions<Query> {
  readonly maxRunning?: number;
  /** Returns the subject of a query for the circuit breaker. @default one subject for all queries */
  readonly toSubject?: (query: Query) => string;
  /** Returns the currency of a query, which may take half of the places. */
  readonly toCode?: (query: Query) => string;
}

/** The calls of the client, and the page of orders that `eachOrder` reads. */
export interface PartnerCalls extends Omit<PartnerApi, 'partnerId' | 'eachOrder' | 'readOrders'> {
  /**
   * Lists one page as `orders` does, but separates the malformed orders and returns their errors.
   *
   * @param beforeTry - Is called before each attempt, and may throw to prevent it.
   */
  orderPage(query: OrdersQuery, call?: CallOptions, beforeTry?: () => void): Promise<OrderPage>;
}

/** Creates the four operations. This module is loaded with the first client. */
export function createPartnerCalls(given: PartnerCallOptions): PartnerCalls {
  const settings = { ...given, watchClock: createClockSkewWarning(given.onClockSkew) };
  const { baseUrl, runtime, timeoutMs } = settings;

  /**
   * Creates one operation. Each has a separate circuit breaker and concurrency limit, because a failure of one
   * operation does not imply a failure of the others, and requests for prices must not delay the order list.
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
    // A currency on which the service hangs must not take the places of all others.
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
      // A space becomes %20, which every service decodes: some take a + literally.
      url.search = Object.entries(query)
        .flatMap(([name, value]) =>
          value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
        )
        .join('&');
      const tries = { ...settings, maxTries, maxPauseMs: timeoutMs };
      // A new signal for each call: Node.js warns about a shared signal that has many listeners.
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
    // Without the amount: visitors choose any.
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
      const asked = parseQuoteQuery(query);
      return parseQuote(await price(asked, call), asked);
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
