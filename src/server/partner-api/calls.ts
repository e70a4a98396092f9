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
import { createParamsError, RampError } from '../../protocol/errors/RampError.js';
import {
  createConcurrencyLimit,
  createKeyedConcurrencyLimit,
} from '../internal/createConcurrencyLimit.js';
import type { Runtime } from '../internal/runtime.js';
import { withOwnSignal } from '../internal/withTimeLimit.js';
import type { CallOptions, PartnerApi } from './createPartnerApi.js';
import { findUnknownNames, type OrdersQuery, parseOrdersQuery } from './orders.js';
import {
  createClockSkewWarning,
  type RequestOptions,
  retry,
  sendRequest,
  TransientError,
} from './request.js';

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

/** Returns the checked options of a call. `eachOrder` has `onMalformed` too. @throws RampError `ERR_PARAMS_INVALID` */
function parseCallOptions(call: CallOptions | undefined): CallOptions {
  const { signal, maxTries } = call ?? {};
  const isOptions = call == null || (typeof call === 'object' && !(call instanceof AbortSignal));
  const issues = isOptions ? findUnknownNames(call, ['signal', 'maxTries', 'onMalformed']) : [];
  if (!isOptions || !(signal === undefined || signal instanceof AbortSignal))
    issues.push({ param: 'signal', message: 'must be an AbortSignal, passed as { signal }' });
  if (!(maxTries === undefined || (Number.isSafeInteger(maxTries) && maxTries > 0)))
    issues.push({ param: 'maxTries', message: 'must be a whole number from 1' });
  if (issues.length > 0) throw createParamsError(issues, 'The options of the call were');
  return { signal, maxTries };
}

/** When a circuit opens, and for how long. */
interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long the circuit stays open. */
  readonly breakMs: number;
  /** Returns whether an error means that the service is down. Any other response shows that it is up. */
  readonly isOutage: (error: unknown) => boolean;
  readonly runtime: Pick<Runtime, 'monotonic'>;
}

/** A circuit breaker: a function that runs work unless the circuit of its subject is open. */
type CircuitBreaker = <T>(subject: string, work: () => Promise<T>) => Promise<T>;

/** The failures of one subject since the last success. */
interface Circuit {
  failures: number;
  openUntil: number;
}

/** The service is down when this number of subjects have failed since the last success. */
const MIN_FAILED_SUBJECTS = 3;
/** The failed subjects that are kept. Visitors choose the subject of a price. */
const MAX_CIRCUITS = 1000;

/**
 * Creates a circuit breaker with one circuit for each subject, such as a pair of currencies. After `breakAfter`
 * consecutive failures the circuit of the subject is open: its calls reject immediately for `breakMs`. Then one
 * trial call at a time runs, until one succeeds and closes the circuit.
 *
 * A subject on which the service hangs does not stop the others. While the service is down, which is assumed
 * when three subjects have failed since the last success, the first failure of a subject opens its circuit.
 *
 * @throws RampError `ERR_NETWORK` while the circuit is open, and the errors of the work.
 */
function createCircuitBreaker(settings: CircuitBreakerOptions): CircuitBreaker {
  const { breakAfter, breakMs, isOutage, runtime } = settings;
  const circuits = new Map<string, Circuit>();
  /** The subjects that failed since the last success of any. */
  const failed = new Set<string>();

  const recordFailure = (subject: string) => {
    const { failures = 0 } = circuits.get(subject) ?? {};
    // Added again, so that the map is in the order of the last failures.
    circuits.delete(subject);
    circuits.set(subject, { failures: failures + 1, openUntil: runtime.monotonic() + breakMs });
    const [oldest = ''] = circuits.keys();
    if (circuits.size > MAX_CIRCUITS) circuits.delete(oldest);
    if (failed.size < MIN_FAILED_SUBJECTS) failed.add(subject);
  };
  const recordResponse = (subject: string) => {
    circuits.delete(subject);
    failed.clear();
  };

  return async (subject, work) => {
    const circuit = circuits.get(subject);
    const isDown = failed.size >= MIN_FAILED_SUBJECTS;
    if (circuit && circuit.failures >= (isDown ? 1 : breakAfter)) {
      const restMs = circuit.openUntil - runtime.monotonic();
      if (restMs > 0)
        throw new RampError(
          'ERR_NETWORK',
          `The service failed ${circuit.failures} times in a row, so it is not called for ${Math.ceil(restMs / 1000)} s. Try again later.`,
        );
      // This is the trial call. Other calls are rejected for another `breakMs`, or until it succeeds.
      circuit.openUntil = runtime.monotonic() + breakMs;
    }
    try {
      const result = await work();
      recordResponse(subject);
      return result;
    } catch (error) {
      if (isOutage(error)) recordFailure(subject);
      else if (isServiceResponse(error)) recordResponse(subject);
      throw error;
    }
  };
}

/** Returns whether an error is a response of the service. An aborted call does not show whether it is up. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
