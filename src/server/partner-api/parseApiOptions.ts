import { parseServiceUrl } from '../../protocol/parseServiceUrl.js';
import { checkText } from '../internal/checkText.js';
import { createOptionChecks } from '../internal/createOptionChecks.js';
import { logError } from '../internal/logError.js';
import { parsePartnerId } from '../internal/parsePartnerId.js';
import { describeText } from '../internal/parseSeconds.js';
import { type Runtime, withClock } from '../internal/runtime.js';
import { parseRsaPrivateKey } from '../signing/rsaKeys.js';
import { MIN_WINDOW_SECONDS } from './eachOrder.js';
import type { PartnerApiOptions } from './PartnerApi.js';

const { refuse, checkNames, parseFunction } = createOptionChecks('createPartnerApi');

const MAX_PAGE_SIZE = 1000;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const OPTIONS: Record<keyof PartnerApiOptions, true> = {
  baseUrl: true,
  partnerId: true,
  privateKey: true,
  version: true,
  cryptoCurrenciesPath: true,
  timeoutMs: true,
  maxTries: true,
  pageSize: true,
  windowSeconds: true,
  onClockSkew: true,
  fetch: true,
  now: true,
};

/**
 * Validates the options of `createPartnerApi` and adds the defaults.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 */
export function parseApiOptions(options: PartnerApiOptions, runtime: Runtime) {
  const {
    baseUrl,
    partnerId,
    privateKey,
    version = 'v1.0',
    cryptoCurrenciesPath = '/open/api/onramp/token',
  } = options ?? {};
  checkNames(options ?? {}, OPTIONS, 'misspelt');
  if (typeof version !== 'string' || !/^v\d{1,3}\.\d{1,3}$/.test(version))
    refuse('expects a version such as v1.0.');
  if (
    typeof cryptoCurrenciesPath !== 'string' ||
    !/^\/[A-Za-z0-9/._-]*$/.test(cryptoCurrenciesPath)
  )
    refuse("expects a cryptoCurrenciesPath that begins with '/', without query and fragment.");
  const onClockSkew = parseFunction('onClockSkew', options.onClockSkew) ?? logError;
  const given = parseFunction('fetch', options.fetch);
  const clock = withClock(runtime, parseFunction('now', options.now));
  const count = (name: string, value: number, least = 1, most = MAX_TIMER_MS) => {
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    return refuse(
      `expects a whole number from ${least} to ${most} as ${name}.${describeText(value)}`,
    );
  };
  return {
    baseUrl: parseBaseUrl(baseUrl),
    partnerId: parsePartnerId(partnerId),
    privateKey: parseRsaPrivateKey(privateKey, 'privateKey'),
    version,
    cryptoCurrenciesPath,
    onClockSkew,
    runtime: given ? { ...clock, fetch: given } : clock,
    timeoutMs: count('timeoutMs', options.timeoutMs ?? 3000),
    maxTries: count('maxTries', options.maxTries ?? 3),
    pageSize: count('pageSize', options.pageSize ?? 20, 1, MAX_PAGE_SIZE),
    windowSeconds: count('windowSeconds', options.windowSeconds ?? 86_400, MIN_WINDOW_SECONDS),
  };
}

function parseBaseUrl(baseUrl: string): string {
  checkText('baseUrl', baseUrl);
  const address = parseServiceUrl(baseUrl, 'baseUrl');
  if (/\/open\/api(\/|$)/.test(address))
    refuse('expects as baseUrl the address without /open/api, which is added to it.');
  return address;
}
