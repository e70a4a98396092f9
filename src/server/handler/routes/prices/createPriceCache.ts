import type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  Quote,
  QuoteQuery,
} from '../../../../protocol/api/resources.js';
import { normalizeDecimal } from '../../../../protocol/decimal/normalizeDecimal.js';
import { isRampError } from '../../../../protocol/errors/isRampError.js';
import { RampError } from '../../../../protocol/errors/RampError.js';
import type { Runtime } from '../../../internal/runtime.js';
import type { PartnerApi } from '../../../partner-api/createPartnerApi.js';
import { type CachedResponse, createResponseCache } from './createResponseCache.js';

/** The options of `createPriceCache`. */
export interface PriceCacheOptions {
  readonly runtime: Pick<Runtime, 'monotonic'>;
  /** Is called with each failure that a stale response replaces. Never throws. */
  readonly onError: (error: unknown) => void;
}

const MINUTE_MS = 60_000;

/**
 * Creates a cache of the partner API's currencies and prices: currencies for five minutes, and at most 1,000
 * quotes for five seconds. While the service is down it returns stale responses, currencies for a day and
 * quotes for five minutes.
 *
 * Its methods throw a RampError: `ERR_QUOTE_UNAVAILABLE` when the service refuses the query, otherwise
 * `ERR_API_RESPONSE` with the cause.
 */
export function createPriceCache(api: PartnerApi, settings: PriceCacheOptions) {
  const shared = { ...settings, isOutage };
  const list = { freshMs: 5 * MINUTE_MS, staleMs: 24 * 60 * MINUTE_MS, maxEntries: 4 };
  const fiat = createResponseCache<readonly FiatCurrency[]>({ ...shared, ...list });
  const crypto = createResponseCache<readonly CryptoCurrency[]>({ ...shared, ...list });
  const quotes = createResponseCache<Quote>({
    ...shared,
    freshMs: 5000,
    staleMs: 5 * MINUTE_MS,
    maxEntries: 1000,
  });
  return {
    fiatCurrencies: () => toPublicErrors(fiat.get('', () => api.fiatCurrencies())),

    cryptoCurrencies: (buyType: BuyType = 'fiat') =>
      toPublicErrors(
        crypto.get(buyType, async () => {
          const listed = await api.cryptoCurrencies(buyType === 'nft' ? { buyType } : {});
          // Pages need only the documented fields, so leave out `raw`.
          return listed.map(({ raw: _, ...known }) => known);
        }),
      ),

    quote(given: QuoteQuery) {
      const query = { ...given, currencyAmount: normalizeDecimal(given.currencyAmount) };
      const { fiatCurrency, currencyAmount, cryptoCurrencyCode, payment, buyType } = query;
      const key = [fiatCurrency, currencyAmount, cryptoCurrencyCode, payment, buyType].join('&');
      return toPublicErrors(quotes.get(key, () => api.quote(query)));
    },
  };
}

/** Returns whether the service refused the query itself (docs/service-interface.md section 7). */
const isRefusal = (error: unknown) =>
  isRampError(error) && (error.apiCode === '10002' || error.code === 'ERR_PARAMS_INVALID');

const isOutage = (error: unknown) => !isRefusal(error);

/** Replaces an error with an error for clients, without the service's internals. */
async function toPublicErrors<Data>(response: Promise<CachedResponse<Data>>) {
  try {
    return await response;
  } catch (cause) {
    if (isRefusal(cause))
      throw new RampError(
        'ERR_QUOTE_UNAVAILABLE',
        'No price is available for this amount, these currencies and this payment method.',
      );
    const message = 'Prices are not available at the moment. Try again later.';
    throw new RampError('ERR_API_RESPONSE', message, { cause });
  }
}
