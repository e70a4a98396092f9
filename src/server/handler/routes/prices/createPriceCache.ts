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
import type { PartnerApi } from '../../../partner-api/PartnerApi.js';
import { type CachedResponse, createResponseCache } from './createResponseCache.js';

export interface PriceCacheOptions {
  /** A clock that is never set, milliseconds. */
  readonly clock: () => number;
  /** Hears of the failures that stale answers stand for. Never throws. */
  readonly onError: (error: unknown) => void;
}

const MINUTE_MS = 60_000;

/**
 * What the partner API says of currencies and prices, kept for a while: currencies for five minutes,
 * quotes for five seconds and at most 1,000 of them. While the service is down the last answer
 * stands in, currencies for a day and quotes for five minutes.
 *
 * @throws RampError `ERR_QUOTE_UNAVAILABLE` where the service refuses the question,
 * `ERR_API_RESPONSE` with its cause for anything else.
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
          // `raw` is the service's own; what we know of a currency is enough for a page.
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

/** The service refused the question itself (section 7). */
const isRefusal = (error: unknown) =>
  isRampError(error) && (error.apiCode === '10002' || error.code === 'ERR_PARAMS_INVALID');

const isOutage = (error: unknown) => !isRefusal(error);

/** The client learns what it can act on, and nothing of the service's internals. */
async function toPublicErrors<Answer>(asked: Promise<CachedResponse<Answer>>) {
  try {
    return await asked;
  } catch (cause) {
    if (isRefusal(cause))
      throw new RampError(
        'ERR_QUOTE_UNAVAILABLE',
        'There is no price for this amount, these currencies and this payment method.',
      );
    const message = 'Prices cannot be had at the moment. Try again in a while.';
    throw new RampError('ERR_API_RESPONSE', message, { cause });
  }
}
