import {
  parseCryptoCurrencies,
  parseFiatCurrencies,
  parseOrderList,
  parseQuote,
} from '../protocol/parse-resources.js';
import { parseQuoteQuery } from '../protocol/quote-query.js';
import { createResilience, type ResilienceSettings } from './createResilience.js';
import { checkedOrdersQuery } from './orders-query.js';
import type { CallOptions, PartnerApi } from './PartnerApi.js';
import { type TrySettings, tryOnce } from './tryOnce.js';

export interface PartnerCallSettings
  extends TrySettings,
    Omit<ResilienceSettings, 'maxWaiting' | 'breakAfter'> {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly cryptoCurrenciesPath: string;
}

/** The four operations. Apart from {@link createPartnerApi}, so that they are loaded when first needed. */
export function partnerCalls(settings: PartnerCallSettings): Omit<PartnerApi, 'eachOrder'> {
  const { baseUrl, cryptoCurrenciesPath } = settings;
  const tryUntilDone = createResilience({ ...settings, maxWaiting: 1000, breakAfter: 5 });

  async function get(path: string, query: object, { signal }: CallOptions = {}): Promise<unknown> {
    signal?.throwIfAborted();
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const url = new URL(baseUrl + path);
    url.search = new URLSearchParams(given).toString();
    return tryUntilDone(() => tryOnce(url.href, settings, signal), signal);
  }

  return {
    fiatCurrencies: async (call) =>
      parseFiatCurrencies(await get('/open/api/onramp/currency', {}, call)),
    cryptoCurrencies: async ({ buyType } = {}, call) =>
      parseCryptoCurrencies(await get(cryptoCurrenciesPath, { buyType }, call)),
    quote: async (query, call) =>
      parseQuote(await get('/open/api/onramp/price', parseQuoteQuery(query), call)),
    orders: async (query, call) =>
      parseOrderList(await get('/open/api/onramp/order', checkedOrdersQuery(query), call)),
  };
}
