import { createPartnerApiWith } from './createPartnerApiWith.js';
import type { PartnerApi, PartnerApiOptions } from './PartnerApi.js';

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
export function createPartnerApi(options: PartnerApiOptions): PartnerApi {
  return createPartnerApiWith(options, {});
}
