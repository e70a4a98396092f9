import {
  type OrderPage,
  parseCryptoCurrencies,
  parseFiatCurrencies,
  parseOrderList,
  parseOrderPage,
  parseQuote,
} from '../protocol/parse-resources.js';
import { parseBuyType, parseQuoteQuery } from '../protocol/quote-query.js';
import type { RampError } from '../protocol/ramp-error.js';
import { checkedCall, checkedOrdersQuery } from './api-arguments.js';
import { createSkewWarning } from './clockSkew.js';
import { createBreaker } from './createBreaker.js';
import { createLimiter } from './createLimiter.js';
import type { OrdersQuery } from './eachOrder.js';
import type { CallOptions, PartnerApi } from './PartnerApi.js';
import { PassingFailure } from './PassingFailure.js';
import { tryAgain } from './tryAgain.js';
import { type TrySettings, tryOnce } from './tryOnce.js';

export interface PartnerCallSettings extends Omit<TrySettings, 'watchClock'> {
  readonly onClockSkew: (error: RampError) => void;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly cryptoCurrenciesPath: string;
  readonly maxTries: number;
  readonly maxConcurrent: number;
  readonly breakMs: number;
  readonly random: () => number;
}

const MAX_WAITING = 1000;
/** Anonymous visitors request prices: a low limit refuses a crowd early. */
const MAX_PRICES_AT_ONCE = 8;
const BREAK_AFTER = 5;

export interface PartnerCalls extends Omit<PartnerApi, 'eachOrder'> {
  /** As `orders`, but with what cannot be read of it beside it. */
  orderPage(query: OrdersQuery, call?: CallOptions): Promise<OrderPage>;
}

/** The four operations. Apart from {@link createPartnerApi}, so that they are loaded when first needed. */
export function partnerCalls(given: PartnerCallSettings): PartnerCalls {
  const settings = { ...given, watchClock: createSkewWarning(given.onClockSkew) };
  const { baseUrl, breakMs, maxConcurrent, timeoutMs } = settings;

  /**
   * Each operation has its own circuit breaker and its own concurrency limit, because a failure of one
   * does not mean a failure of the others, and requests for prices must not delay the order list.
   */
  function operation(path: string, mostAtOnce = maxConcurrent) {
    const limiter = createLimiter({
      mostAtOnce,
      mostWaiting: MAX_WAITING,
      maxWaitMs: timeoutMs,
    });
    const breaker = createBreaker({
      breakAfter: BREAK_AFTER,
      breakMs,
      isOutage: (error) => error instanceof PassingFailure && error.isOutage,
      clock: () => performance.now(),
    });
    return (query: object, call: CallOptions | undefined): Promise<unknown> => {
      const { signal: given, maxTries = settings.maxTries } = checkedCall(call);
      // One of our own: a signal that many calls share would be warned of for its listeners.
      const signal = given && AbortSignal.any([given]);
      const named = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const url = new URL(baseUrl + path);
      url.search = new URLSearchParams(named).toString();
      const once = () => limiter(() => tryOnce(url.href, settings, signal), signal);
      const tries = { ...settings, maxTries, maxPauseMs: timeoutMs };
      return breaker(() => tryAgain(once, tries, signal));
    };
  }

  const currency = operation('/open/api/onramp/currency');
  const token = operation(settings.cryptoCurrenciesPath);
  const price = operation('/open/api/onramp/price', Math.min(maxConcurrent, MAX_PRICES_AT_ONCE));
  const order = operation('/open/api/onramp/order');
  return {
    fiatCurrencies: async (call) => parseFiatCurrencies(await currency({}, call)),
    cryptoCurrencies: async (query, call) =>
      parseCryptoCurrencies(await token(parseBuyType(query), call)),
    quote: async (query, call) => parseQuote(await price(parseQuoteQuery(query), call)),
    orders: async (query, call) => parseOrderList(await order(checkedOrdersQuery(query), call)),
    orderPage: async (query, call) => parseOrderPage(await order(checkedOrdersQuery(query), call)),
  };
}
