import { randomInt } from 'node:crypto';
import { parseServiceUrl } from '../../protocol/parseServiceUrl.js';
import { createOptionChecks } from '../internal/createOptionChecks.js';
import { logError } from '../internal/logError.js';
import { parsePartnerId } from '../internal/parsePartnerId.js';
import { parseRsaPrivateKey } from '../signing/rsaKeys.js';
import type { PartnerCalls } from './createPartnerCalls.js';
import { eachOrder, MIN_WINDOW_SECONDS } from './eachOrder.js';
import type { PartnerApi, PartnerApiOptions } from './PartnerApi.js';
import { parseOnMalformed, parseOrderRange } from './parseCallOptions.js';

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
  const { windowSeconds, ...settings } = parseOptions(options);
  let loaded: Promise<PartnerCalls> | undefined;
  const calls = () => {
    loaded ??= import('./createPartnerCalls.js').then(({ createPartnerCalls }) =>
      createPartnerCalls(settings),
    );
    return loaded;
  };
  return {
    fiatCurrencies: async (call) => (await calls()).fiatCurrencies(call),
    cryptoCurrencies: async (query, call) => (await calls()).cryptoCurrencies(query, call),
    quote: async (query, call) => (await calls()).quote(query, call),
    orders: async (query, call) => (await calls()).orders(query, call),
    eachOrder: (range, call) =>
      eachOrder(
        async (query) => (await calls()).orderPage(query, call),
        parseOrderRange(range),
        windowSeconds,
        parseOnMalformed(call),
      ),
  };
}

const { refuse, checkNames } = createOptionChecks('createPartnerApi');

/** What a timer can be set to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const OPTIONS: Record<keyof PartnerApiOptions, true> = {
  baseUrl: true,
  partnerId: true,
  privateKey: true,
  version: true,
  cryptoCurrenciesPath: true,
  timeoutMs: true,
  maxTries: true,
  maxConcurrent: true,
  breakMs: true,
  windowSeconds: true,
  onClockSkew: true,
  fetch: true,
  now: true,
  nonce: true,
  random: true,
};

function parseOptions(options: PartnerApiOptions) {
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
  checkNames(options ?? {}, OPTIONS, 'misspelt');
  if (typeof version !== 'string' || !/^v\d{1,3}\.\d{1,3}$/.test(version))
    refuse('takes a version such as v1.0.');
  if (
    typeof cryptoCurrenciesPath !== 'string' ||
    !/^\/[A-Za-z0-9/._-]*$/.test(cryptoCurrenciesPath)
  )
    refuse("takes a cryptoCurrenciesPath that begins with '/'.");
  const { onClockSkew = logError, fetch: given } = options;
  const functions = { now, nonce, random, onClockSkew, fetch: given ?? fetch };
  for (const [name, value] of Object.entries(functions))
    if (typeof value !== 'function') refuse(`takes a function as ${name}.`);
  const count = (name: string, value: number, least = 1) => {
    if (Number.isSafeInteger(value) && value >= least && value <= MAX_TIMER_MS) return value;
    return refuse(`takes a whole number from ${least} to ${MAX_TIMER_MS} as ${name}.`);
  };
  return {
    baseUrl: parseBaseUrl(baseUrl),
    partnerId: parsePartnerId(partnerId),
    privateKey: parseRsaPrivateKey(privateKey, 'privateKey'),
    version,
    cryptoCurrenciesPath,
    now,
    nonce,
    random,
    onClockSkew,
    // The global fetch is looked up for each request, so that it can be instrumented later.
    fetch: given ?? ((...args: Parameters<typeof fetch>) => fetch(...args)),
    timeoutMs: count('timeoutMs', options.timeoutMs ?? 3000),
    maxTries: count('maxTries', options.maxTries ?? 3),
    maxConcurrent: count('maxConcurrent', options.maxConcurrent ?? 32),
    breakMs: count('breakMs', options.breakMs ?? 5000),
    windowSeconds: count('windowSeconds', options.windowSeconds ?? 86_400, MIN_WINDOW_SECONDS),
  };
}

function parseBaseUrl(baseUrl: string): string {
  const address = parseServiceUrl(baseUrl, 'baseUrl');
  if (/\/open\/api(\/|$)/.test(address))
    refuse('takes as baseUrl the address before /open/api, which is added to it.');
  return address;
}
