import { randomInt } from 'node:crypto';
import {
  parseCryptoCurrencies,
  parseFiatCurrencies,
  parseOrderList,
  parseQuote,
} from '../protocol/parse-resources.js';
import { parseQuoteQuery } from '../protocol/quote-query.js';
import { RampError } from '../protocol/ramp-error.js';
import { serviceUrl } from '../protocol/service-url.js';
import type { Resilience } from './createResilience.js';
import { eachOrder } from './eachOrder.js';
import { checkedOrdersQuery, checkedRange } from './orders-query.js';
import type { CallOptions, PartnerApi, PartnerApiOptions } from './PartnerApi.js';
import { rsaPrivateKey } from './rsa-keys.js';
import { tryOnce } from './tryOnce.js';

const MAX_WAITING = 1000;
const BREAK_AFTER = 5;

/**
 * Makes the client of the partner API: it lists currencies, quotes prices and lists orders, each
 * request signed with a timestamp and nonce of its own (section 5.1). What fails on the network or
 * with 5xx is tried again; a service that is down is left alone for a while.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed; of the key it says
 * whether it is public, encrypted, not RSA or too short.
 * @example
 * const api = createPartnerApi({ baseUrl: 'https://api.example', partnerId, privateKey });
 * const { cryptoCurrencyAmount } = await api.quote({
 *   fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20',
 * });
 */
export function createPartnerApi(options: PartnerApiOptions): PartnerApi {
  const { windowSeconds, cryptoCurrenciesPath, ...settings } = checkedOptions(options);
  const get = signedGet(settings);
  const readOrders: PartnerApi['orders'] = async (query, call) =>
    parseOrderList(await get('/open/api/onramp/order', checkedOrdersQuery(query), call));
  return {
    fiatCurrencies: async (call) =>
      parseFiatCurrencies(await get('/open/api/onramp/currency', {}, call)),
    cryptoCurrencies: async ({ buyType } = {}, call) =>
      parseCryptoCurrencies(await get(cryptoCurrenciesPath, { buyType }, call)),
    quote: async (query, call) =>
      parseQuote(await get('/open/api/onramp/price', parseQuoteQuery(query), call)),
    orders: readOrders,
    eachOrder: (range, call) =>
      eachOrder((query) => readOrders(query, call), checkedRange(range), windowSeconds),
  };
}

type Settings = ReturnType<typeof checkedOptions>;

/** One signed GET, over as many tries as it takes. */
function signedGet({
  baseUrl,
  maxTries,
  maxConcurrent,
  breakMs,
  random,
  ...settings
}: Omit<Settings, 'windowSeconds' | 'cryptoCurrenciesPath'>) {
  // Its library is loaded with the first request, not with every import of this entry.
  let resilience: Promise<Resilience> | undefined;
  const loadResilience = async () =>
    (await import('./createResilience.js')).createResilience({
      maxTries,
      maxConcurrent,
      breakMs,
      random,
      timeoutMs: settings.timeoutMs,
      maxWaiting: MAX_WAITING,
      breakAfter: BREAK_AFTER,
    });
  return async (path: string, query: object, { signal }: CallOptions = {}): Promise<unknown> => {
    signal?.throwIfAborted();
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const url = new URL(baseUrl + path);
    url.search = new URLSearchParams(given).toString();
    resilience ??= loadResilience();
    const tryUntilDone = await resilience;
    return tryUntilDone(() => tryOnce(url.href, settings, signal), signal);
  };
}

function checkedOptions(options: PartnerApiOptions) {
  const {
    baseUrl,
    partnerId,
    privateKey,
    version = 'v1.0',
    cryptoCurrenciesPath = '/open/api/onramp/token',
    now = Date.now,
    nonce = () => String(randomInt(100_000, 1_000_000)),
    random = Math.random,
  } = options ?? {};
  if (typeof partnerId !== 'string' || !/^[A-Za-z0-9._-]+$/.test(partnerId))
    refuse('needs the partnerId of your onboarding.');
  if (!/^v\d{1,3}\.\d{1,3}$/.test(version)) refuse('takes a version such as v1.0.');
  if (!/^\/[A-Za-z0-9/._-]*$/.test(cryptoCurrenciesPath))
    refuse("takes a cryptoCurrenciesPath that begins with '/'.");
  const count = (name: string, value: number) => {
    if (Number.isSafeInteger(value) && value > 0) return value;
    return refuse(`takes a whole number from 1 as ${name}.`);
  };
  return {
    baseUrl: serviceUrl(baseUrl, 'baseUrl'),
    partnerId,
    privateKey: rsaPrivateKey(privateKey, 'privateKey'),
    version,
    cryptoCurrenciesPath,
    now,
    nonce,
    random,
    fetch: options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args)),
    timeoutMs: count('timeoutMs', options.timeoutMs ?? 3000),
    maxTries: count('maxTries', options.maxTries ?? 3),
    maxConcurrent: count('maxConcurrent', options.maxConcurrent ?? 32),
    breakMs: count('breakMs', options.breakMs ?? 5000),
    windowSeconds: count('windowSeconds', options.windowSeconds ?? 86_400),
  };
}

function refuse(message: string): never {
  throw new RampError('ERR_CONFIG_INVALID', `createPartnerApi ${message}`);
}
