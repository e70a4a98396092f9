import { describe, expect, it, vi } from 'vitest';
import { type QuoteQuery, RampError } from '../../../src/protocol/index.js';
import { createPriceCache, createResponseCache } from '../../../src/server/handler/prices.js';
import type { PartnerApi } from '../../../src/server/index.js';
import { createPriceHandler, QUOTE, quote } from '../../support/server/createPriceHandler.js';

const down = () => new RampError('ERR_NETWORK', 'GET /open/api: ECONNREFUSED 10.0.0.7');
const refusal = () => new RampError('ERR_API_RESPONSE', 'internal words', { apiCode: '10002' });

describe('createPriceRoutes: cached responses', () => {
  it('sends one request to the service for 1,000 concurrent identical requests', async () => {
    const { get, queries } = createPriceHandler();
    const responses = await Promise.all(Array.from({ length: 1000 }, () => get(QUOTE)));
    expect(responses.every(({ status, json }) => status === 200 && json.quote)).toBe(true);
    expect(queries).toHaveLength(1);
  });

  it('shares the cached quote of 100, 100.0 and 100.00', async () => {
    const { get, queries } = createPriceHandler();
    for (const amount of ['100', '100.0', '100.00']) await get(QUOTE.replace('=100', `=${amount}`));
    expect(queries).toHaveLength(1);
  });

  it('caches quotes for five seconds and lists for five minutes', async () => {
    const { get, queries, state } = createPriceHandler();
    for (const [path, freshMs] of [
      [QUOTE, 5000],
      ['/currencies', 300_000],
      ['/cryptocurrencies', 300_000],
    ] as const) {
      queries.length = 0;
      await get(path);
      state.nowMs += freshMs - 1;
      expect((await get(path)).json.ageSeconds).toBe(freshMs / 1000 - 1);
      expect(queries).toHaveLength(1);
      state.nowMs += 2;
      expect((await get(path)).json.ageSeconds).toBe(0);
      expect(queries).toHaveLength(2);
    }
  });

  it('returns Cache-Control with the remaining lifetime, and Server-Timing', async () => {
    const { get, state } = createPriceHandler();
    const first = (await get(QUOTE)).response.headers;
    expect(first.get('cache-control')).toBe('private, max-age=5');
    expect(first.get('server-timing')).toMatch(/^service;dur=\d+$/);
    state.nowMs += 2000;
    const second = (await get(QUOTE)).response.headers;
    expect(second.get('cache-control')).toBe('private, max-age=3');
    expect(second.get('server-timing')).toBe('cache;desc=hit');
  });

  it('measures the age of a price with a clock that never goes back, also with the option now', async () => {
    const { get, queries, state } = createPriceHandler();
    await get(QUOTE);
    state.wallMs -= 3_600_000;
    state.nowMs += 6000;
    const { response, json } = await get(QUOTE);
    expect([queries.length, json.ageSeconds]).toEqual([2, 0]);
    expect(response.headers.get('cache-control')).toBe('private, max-age=5');
  });

  it('keeps at most 1,000 quotes', async () => {
    const cache = createResponseCache<number>({
      freshMs: 5000,
      staleMs: 5000,
      maxEntries: 1000,
      isOutage: () => true,
      onError: () => {},
      runtime: { monotonic: () => 0 },
    });
    let most = 0;
    const responses = await Promise.all(
      Array.from({ length: 10_000 }, async (_, i) => {
        const kept = cache.get(`q${i}`, async () => i);
        most = Math.max(most, cache.size);
        return (await kept).data;
      }),
    );
    // Each request gets its response, although the cache evicted 9,000 entries before their responses arrived.
    expect(responses).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
    expect(most).toBe(1000);
    expect(cache.size).toBe(1000);
  });

  it('responds to 10,000 different queries through the handler', async () => {
    const { get, queries } = createPriceHandler();
    // The handler refuses more than 1,000 requests at the same time.
    for (let sent = 0; sent < 10_000; sent += 1000) {
      const responses = await Promise.all(
        Array.from({ length: 1000 }, (_, i) => get(QUOTE.replace('=100', `=${sent + i + 1}`))),
      );
      expect(responses.every(({ status }) => status === 200)).toBe(true);
    }
    expect(queries).toHaveLength(10_000);
  }, 60_000);
});

describe('createPriceRoutes while the service is down', () => {
  it('returns the last response, marked as stale, and calls onError', async () => {
    const { get, state, errors } = createPriceHandler();
    await get(QUOTE);
    state.nowMs += 60_000;
    state.failure = down();
    const { status, json, response } = await get(QUOTE);
    expect(status).toBe(200);
    expect(json).toEqual({ quote, ageSeconds: 60, stale: true });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('server-timing')).toBe('cache;desc=hit');
    expect(errors).toEqual([state.failure]);
  });

  it('requests the service again once a second, and its next response is fresh', async () => {
    const { get, state, queries } = createPriceHandler();
    await get(QUOTE);
    state.nowMs += 60_000;
    state.failure = down();
    for (let i = 0; i < 10; i++) await get(QUOTE);
    expect(queries).toHaveLength(2);
    state.nowMs += 1001;
    state.failure = undefined;
    expect((await get(QUOTE)).json).toEqual({ quote, ageSeconds: 0, stale: false });
  });

  it.each([
    [QUOTE, 301_000],
    ['/currencies', 86_401_000],
  ])('does not return a response that is too old: %s', async (path, ageMs) => {
    const { get, state } = createPriceHandler();
    await get(path);
    state.nowMs += ageMs;
    state.failure = down();
    expect((await get(path)).status).toBe(503);
  });

  it('returns a general message, and calls onError with the cause', async () => {
    const { get, state, errors } = createPriceHandler();
    state.failure = down();
    const { status, json } = await get(QUOTE);
    expect(status).toBe(503);
    expect(json.error.code).toBe('ERR_API_RESPONSE');
    expect(JSON.stringify(json)).not.toMatch(/ECONN|10\.0\.0\.7|open\/api/);
    expect(errors).toEqual([expect.objectContaining({ cause: state.failure })]);
  });

  it('does not cache a failure', async () => {
    const { get, state } = createPriceHandler();
    state.failure = down();
    await get(QUOTE);
    state.failure = undefined;
    expect((await get(QUOTE)).status).toBe(200);
  });
});

describe('createPriceRoutes for a query that the service refuses', () => {
  it('drops the cached response, so it is not returned once the service is down', async () => {
    const { get, state } = createPriceHandler();
    await get(QUOTE);
    state.nowMs += 10_000;
    state.failure = refusal();
    await get(QUOTE);
    state.failure = down();
    expect((await get(QUOTE)).status).toBe(503);
  });

  it('returns ERR_QUOTE_UNAVAILABLE even if a response is cached', async () => {
    const { get, state, errors } = createPriceHandler();
    await get(QUOTE);
    state.nowMs += 10_000;
    state.failure = refusal();
    const { status, json } = await get(QUOTE);
    expect(status).toBe(422);
    expect(json.error.code).toBe('ERR_QUOTE_UNAVAILABLE');
    expect(JSON.stringify(json)).not.toMatch(/internal|10002/);
    expect(errors).toEqual([]);
  });
});

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
