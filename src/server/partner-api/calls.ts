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
import { isAbortSignal, withOwnSignal } from '../internal/withTimeLimit.js';
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
  /** Has no slash at the end. */
  readonly baseUrl: string;
  readonly cryptoCurrenciesPath: string;
  readonly maxTries: number;
}

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

/**
 * The calls of the client that send one request each, and `orderPage`, which `eachOrder` and `readOrders` use.
 */
export interface PartnerCalls
  extends Omit<PartnerApi, 'partnerId' | 'baseUrl' | 'eachOrder' | 'readOrders'> {
  /**
   * Lists one page of orders like `orders`, but does not throw for malformed orders: the page lists their errors.
   *
   * @param beforeTry - Is called before each attempt, and may throw to prevent that attempt.
   */
  orderPage(query: OrdersQuery, call?: CallOptions, beforeTry?: () => void): Promise<OrderPage>;
}

/**
 * Creates the four operations of the API. `createPartnerApi` imports this module only when the first client is created.
 */
export function createPartnerCalls(given: PartnerCallOptions): PartnerCalls {
  const settings = { ...given, watchClock: createClockSkewWarning(given.onClockSkew) };
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
      // Give each call a signal of its own, because Node.js warns about a shared signal that has many listeners.
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

interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long an open circuit rejects calls. */
  readonly breakMs: number;
  /** Returns whether an error means that the service may be down. */
  readonly isOutage: (error: unknown) => boolean;
  readonly runtime: Pick<Runtime, 'monotonic'>;
}

/** A function that runs `work`, unless the circuit of `subject` is open. */
type CircuitBreaker = <T>(subject: string, work: () => Promise<T>) => Promise<T>;

interface Circuit {
  failures: number;
  openUntil: number;
}

/** The whole service is assumed to be down if this many subjects have failed since any call last succeeded. */
const MIN_FAILED_SUBJECTS = 3;
/**
 * The maximum number of circuits. Visitors choose the currencies of a price, and each combination has its own circuit.
 */
const MAX_CIRCUITS = 1000;

/**
 * Creates a circuit breaker with one circuit for each subject, such as a pair of currencies. After `breakAfter`
 * consecutive failures of a subject, its circuit opens, and its calls reject immediately for `breakMs`. Then one trial
 * call runs every `breakMs`, until a trial succeeds and closes the circuit.
 *
 * If the service hangs for one subject, calls for other subjects still run. If three subjects fail and no call succeeds
 * in between, the whole service counts as down: from then on, a single failure opens the circuit of a subject.
 *
 * A call rejects with `ERR_NETWORK` while the circuit of its subject is open, and otherwise with the errors of `work`.
 */
function createCircuitBreaker(settings: CircuitBreakerOptions): CircuitBreaker {
  const { breakAfter, breakMs, isOutage, runtime } = settings;
  const circuits = new Map<string, Circuit>();
  /** The subjects that have failed since a call for any subject last succeeded. */
  const failed = new Set<string>();

  const recordFailure = (subject: string) => {
    const { failures = 0 } = circuits.get(subject) ?? {};
    // Delete the circuit before it is added again, so that the map stays sorted by the last failure, oldest first.
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
      // This call is the trial call. Other calls are rejected for another `breakMs`, or until the trial succeeds.
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

/** Returns whether an error shows that the service has responded, and so is up. An aborted call does not show that. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
