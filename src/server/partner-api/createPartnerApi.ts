import { RampError } from '../../protocol/errors/RampError.js';
import { logError } from '../internal/logError.js';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import type { PartnerCalls } from './createPartnerCalls.js';
import { eachOrder, type OrderRange } from './eachOrder.js';
import type { PartnerApi, PartnerApiOptions } from './PartnerApi.js';
import { parseApiOptions } from './parseApiOptions.js';
import { parseOnMalformed, parseOrderRange } from './parseCallOptions.js';
import { readOrders } from './readOrders.js';

/**
 * Creates a client of the partner API. It lists currencies, quotes prices and lists orders, and signs each
 * request with a new timestamp and nonce (docs/service-interface.md section 5.1). Requests that fail on the
 * network, with 429 or with 5xx are retried with exponential backoff and jitter. After five failed calls in a
 * row, a circuit breaker stops the requests of an operation for 5 seconds.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed, or the key is public,
 * encrypted, not RSA or too short.
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
  const { pageSize, windowSeconds, ...settings } = parseApiOptions(options, runtime);
  const parseRange = (range: OrderRange) => {
    const { size = pageSize, ...times } = parseOrderRange(range);
    return { ...times, size };
  };
  // The module is not loaded with the first call: Node.js keeps a failed import, and a busy server may have no
  // file handle left.
  const loaded: Promise<PartnerCalls | RampError> = import('./createPartnerCalls.js')
    .then(({ createPartnerCalls }) => createPartnerCalls(settings))
    .catch((cause) => {
      const error = createLoadError(cause);
      logError(error);
      return error;
    });
  const calls = async () => {
    const result = await loaded;
    if (result instanceof RampError) throw result;
    return result;
  };
  return {
    partnerId: settings.partnerId,
    fiatCurrencies: async (call) => (await calls()).fiatCurrencies(call),
    cryptoCurrencies: async (query, call) => (await calls()).cryptoCurrencies(query, call),
    quote: async (query, call) => (await calls()).quote(query, call),
    orders: async (query, call) => (await calls()).orders(query, call),
    eachOrder: (range, call) =>
      eachOrder(
        async (query) => (await calls()).orderPage(query, call),
        parseRange(range),
        windowSeconds,
        parseOnMalformed(call),
      ),
    readOrders: async (range, options) => {
      const { signal } = options;
      return readOrders(
        async (query, beforeTry) => (await calls()).orderPage(query, { signal }, beforeTry),
        parseRange(range),
        windowSeconds,
        options,
      );
    },
  };
}

const createLoadError = (cause: unknown) =>
  new RampError(
    'ERR_INTERNAL',
    'createPartnerApi could not load its modules, and Node.js does not load a module again that has failed. Restart the backend.',
    { cause },
  );
