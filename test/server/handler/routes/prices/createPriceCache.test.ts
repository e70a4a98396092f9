import { describe, expect, it, vi } from 'vitest';
import type { QuoteQuery } from '../../../../../src/protocol/index.js';
import { createPriceCache } from '../../../../../src/server/handler/routes/prices/createPriceCache.js';
import type { PartnerApi } from '../../../../../src/server/index.js';

describe('createPriceCache', () => {
  it('caches the quotes of each payment method, currency and buyType separately', async () => {
    const quote = vi.fn(async (query: QuoteQuery) => ({ ...query, paymentOptions: [] }));
    const prices = createPriceCache({ quote } as unknown as PartnerApi, {
      runtime: { monotonic: () => 0 },
      onError: () => {},
    });
    const query = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    const queries: readonly QuoteQuery[] = [
      query,
      { ...query, payment: 'CARD_PAYMENT' },
      { ...query, payment: 'BANK_TRANSFER' },
      { ...query, buyType: 'nft' },
      { ...query, fiatCurrency: 'EUR' },
      { ...query, cryptoCurrencyCode: 'BTC' },
      { ...query, currencyAmount: '200' },
    ];
    for (const one of [...queries, ...queries])
      expect((await prices.quote(one)).data).toMatchObject(one);
    expect(quote).toHaveBeenCalledTimes(queries.length);
  });
});
