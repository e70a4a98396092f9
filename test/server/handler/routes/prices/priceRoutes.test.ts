import { describe, expect, it } from 'vitest';
import { RampError } from '../../../../../src/protocol/index.js';
import { createResponseCache } from '../../../../../src/server/handler/routes/prices/createResponseCache.js';
import type { PartnerApi } from '../../../../../src/server/index.js';
import {
  callHandler,
  createTestHandler,
  origin,
  type TestRequest,
} from '../../../../support/server/createTestHandler.js';

const currencies = [
  { fiatCurrency: 'USD', paymentOptions: [{ name: 'CARD_PAYMENT', minAmount: '15.00' }] },
];
const eth = { cryptoCurrencyCode: 'ETH', network: 'ethereum_mainnet' };
const quote = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'ETH',
  cryptoCurrencyAmount: '123456789012345678.123456789012345678',
  cryptoCurrencyUnitPrice: '93.09000000',
  paymentOptions: [],
};

/** A handler over a service that is here in memory, and a clock that stands still. */
function shop({ withApi = true } = {}) {
  const asked: unknown[] = [];
  const told: unknown[] = [];
  const state = { nowMs: 1_986_217_096_000, failure: undefined as Error | undefined };
  const answer = async <T>(question: unknown, value: T): Promise<T> => {
    asked.push(question);
    await Promise.resolve();
    if (state.failure) throw state.failure;
    return value;
  };
  const api: PartnerApi = {
    fiatCurrencies: () => answer('currencies', currencies),
    cryptoCurrencies: (query) => answer(query, [{ ...eth, raw: { internal: 'x' } }]),
    quote: (query) => answer(query, quote),
    orders: () => Promise.reject(new Error('not asked here')),
    eachOrder: () => {
      throw new Error('not asked here');
    },
  };
  const handler = createTestHandler({
    ...(withApi && { api }),
    now: () => state.nowMs,
    onError: (error) => told.push(error),
  });
  const get = (path: string, sent: TestRequest = {}) =>
    callHandler(handler, { method: 'GET', ...sent, path: `/api/ramp${path}` });
  return { asked, told, state, get };
}

const QUOTE = '/quote?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=ETH';
const down = () => new RampError('ERR_NETWORK', 'GET /open/api: ECONNREFUSED 10.0.0.7');
const refusal = () => new RampError('ERR_API_RESPONSE', 'internal words', { apiCode: '10002' });

describe('the price routes', () => {
  it('answer what the service says, with every digit', async () => {
    const { get } = shop();
    expect((await get('/currencies')).json).toEqual({ currencies, ageSeconds: 0, stale: false });
    expect((await get('/cryptocurrencies')).json).toEqual({
      cryptoCurrencies: [eth],
      ageSeconds: 0,
      stale: false,
    });
    expect((await get(QUOTE)).json).toEqual({ quote, ageSeconds: 0, stale: false });
  });

  it('ask the service what they were asked', async () => {
    const { get, asked } = shop();
    await get('/cryptocurrencies?buyType=nft');
    await get('/cryptocurrencies?buyType=');
    await get(
      '/quote?fiatCurrency=EUR&currencyAmount=0.050&cryptoCurrencyCode=ETH&payment=CARD_PAYMENT&buyType=nft',
    );
    expect(asked).toEqual([
      { buyType: 'nft' },
      {},
      {
        fiatCurrency: 'EUR',
        currencyAmount: '0.05',
        cryptoCurrencyCode: 'ETH',
        payment: 'CARD_PAYMENT',
        buyType: 'nft',
      },
    ]);
  });

  it.each([
    ['/currencies?a=1', 'a'],
    ['/currencies?buyType=nft', 'buyType'],
    ['/cryptocurrencies?buyType=gift', 'buyType'],
    ['/cryptocurrencies?buyType=nft&buyType=fiat', 'buyType'],
    [`${QUOTE}&currencyAmount=2`, 'currencyAmount'],
    [`${QUOTE}&currency=USD`, 'currency'],
    [`${QUOTE}&__proto__=1`, '__proto__'],
    [QUOTE.replace('USD', 'usd'), 'fiatCurrency'],
    [QUOTE.replace('=100', '=100.001'), 'currencyAmount'],
    [QUOTE.replace('=100', '=-1'), 'currencyAmount'],
    [QUOTE.replace('=100', '=1e3'), 'currencyAmount'],
    [QUOTE.replace('=100', '=0'), 'currencyAmount'],
    [QUOTE.replace('=ETH', '=ETH%26payment%3DX'), 'cryptoCurrencyCode'],
    [QUOTE.replace('=ETH', `=${'E'.repeat(65)}`), 'cryptoCurrencyCode'],
    [`${QUOTE}&payment=a%20b`, 'payment'],
    ['/quote', 'fiatCurrency'],
    ['/quote?%E0%A4%A', ''],
  ])('refuse %s and ask nothing', async (path, param) => {
    const { get, asked } = shop();
    const { status, json } = await get(path);
    expect(status).toBe(400);
    expect(json.error.code).toBe('ERR_PARAMS_INVALID');
    expect(json.error.issues).toContainEqual({ param, message: expect.any(String) });
    expect(asked).toEqual([]);
  });

  it('answer nothing but GET', async () => {
    const { get } = shop();
    for (const path of ['/currencies', '/cryptocurrencies', '/quote']) {
      const { status, response, json } = await get(path, { method: 'POST' });
      expect([status, response.headers.get('allow'), json.error.code]).toEqual([
        405,
        'GET',
        'ERR_REQUEST',
      ]);
    }
  });

  it('say so where the backend has no api', async () => {
    const { get } = shop({ withApi: false });
    const { status, json } = await get('/currencies');
    expect(status).toBe(404);
    expect(json.error.message).toContain('createRampHandler has no api');
  });

  it('may be read by the pages that are allowed, and by no others', async () => {
    const { get } = shop();
    const allowed = (await get(QUOTE)).response.headers;
    expect(allowed.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.get('vary')?.toLowerCase()).toContain('origin');
    const foreign = await get(QUOTE, { headers: { origin: 'https://evil.example' } });
    expect(foreign.response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('what is kept', () => {
  it('serves 1,000 who ask the same at once with one question to the service', async () => {
    const { get, asked } = shop();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => get(QUOTE)));
    expect(answers.every(({ status, json }) => status === 200 && json.quote)).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('takes 100, 100.0 and 100.00 for one question', async () => {
    const { get, asked } = shop();
    for (const amount of ['100', '100.0', '100.00']) await get(QUOTE.replace('=100', `=${amount}`));
    expect(asked).toHaveLength(1);
  });

  it('is good for five seconds, a list for five minutes', async () => {
    const { get, asked, state } = shop();
    for (const [path, freshMs] of [
      [QUOTE, 5000],
      ['/currencies', 300_000],
      ['/cryptocurrencies', 300_000],
    ] as const) {
      asked.length = 0;
      await get(path);
      state.nowMs += freshMs - 1;
      expect((await get(path)).json.ageSeconds).toBe(freshMs / 1000 - 1);
      expect(asked).toHaveLength(1);
      state.nowMs += 2;
      expect((await get(path)).json.ageSeconds).toBe(0);
      expect(asked).toHaveLength(2);
    }
  });

  it('says how long a browser may keep it, and what it took', async () => {
    const { get, state } = shop();
    const first = (await get(QUOTE)).response.headers;
    expect(first.get('cache-control')).toBe('private, max-age=5');
    expect(first.get('server-timing')).toMatch(/^service;dur=\d+$/);
    state.nowMs += 2000;
    const second = (await get(QUOTE)).response.headers;
    expect(second.get('cache-control')).toBe('private, max-age=3');
    expect(second.get('server-timing')).toBe('cache;desc=hit');
  });

  it('stays within its bound, however many different questions there are', async () => {
    const cache = createResponseCache<number>({
      freshMs: 5000,
      staleMs: 5000,
      maxEntries: 1000,
      isOutage: () => true,
      onError: () => {},
      clock: () => 0,
    });
    let most = 0;
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, async (_, i) => {
        const kept = cache.get(`q${i}`, async () => i);
        most = Math.max(most, cache.size);
        return (await kept).data;
      }),
    );
    // Each got its own answer, though nine in ten were pushed out before it came.
    expect(answers).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
    expect(most).toBe(1000);
    expect(cache.size).toBe(1000);
  });

  it('serves 10,000 different questions through the handler', async () => {
    const { get, asked } = shop();
    const statuses = await Promise.all(
      Array.from({ length: 10_000 }, async (_, i) => {
        const { status } = await get(QUOTE.replace('=100', `=${i + 1}`));
        return status;
      }),
    );
    expect(statuses.every((status) => status === 200)).toBe(true);
    expect(asked).toHaveLength(10_000);
  }, 60_000);
});

describe('while the service is down', () => {
  it('the last answer is served, marked as stale, and the backend hears why', async () => {
    const { get, state, told } = shop();
    await get(QUOTE);
    state.nowMs += 60_000;
    state.failure = down();
    const { status, json, response } = await get(QUOTE);
    expect(status).toBe(200);
    expect(json).toEqual({ quote, ageSeconds: 60, stale: true });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(told).toEqual([state.failure]);
  });

  it('it is asked again once a second, and its next answer is fresh', async () => {
    const { get, state, asked } = shop();
    await get(QUOTE);
    state.nowMs += 60_000;
    state.failure = down();
    for (let i = 0; i < 10; i++) await get(QUOTE);
    expect(asked).toHaveLength(2);
    state.nowMs += 1001;
    state.failure = undefined;
    expect((await get(QUOTE)).json).toEqual({ quote, ageSeconds: 0, stale: false });
  });

  it.each([
    [QUOTE, 301_000],
    ['/currencies', 86_401_000],
  ])('what is too old is not served: %s', async (path, ageMs) => {
    const { get, state } = shop();
    await get(path);
    state.nowMs += ageMs;
    state.failure = down();
    expect((await get(path)).status).toBe(503);
  });

  it('the error is in our words, and the backend hears the cause', async () => {
    const { get, state, told } = shop();
    state.failure = down();
    const { status, json } = await get(QUOTE);
    expect(status).toBe(503);
    expect(json.error.code).toBe('ERR_API_RESPONSE');
    expect(JSON.stringify(json)).not.toMatch(/ECONN|10\.0\.0\.7|open\/api/);
    expect(told).toEqual([expect.objectContaining({ cause: state.failure })]);
  });

  it('nothing is kept of a failure', async () => {
    const { get, state } = shop();
    state.failure = down();
    await get(QUOTE);
    state.failure = undefined;
    expect((await get(QUOTE)).status).toBe(200);
  });
});

describe('a question that the service refuses', () => {
  it('has no older answer to stand in once the service is down', async () => {
    const { get, state } = shop();
    await get(QUOTE);
    state.nowMs += 10_000;
    state.failure = refusal();
    await get(QUOTE);
    state.failure = down();
    expect((await get(QUOTE)).status).toBe(503);
  });

  it('is answered as unavailable, even where an older answer is at hand', async () => {
    const { get, state, told } = shop();
    await get(QUOTE);
    state.nowMs += 10_000;
    state.failure = refusal();
    const { status, json } = await get(QUOTE);
    expect(status).toBe(422);
    expect(json.error.code).toBe('ERR_QUOTE_UNAVAILABLE');
    expect(JSON.stringify(json)).not.toMatch(/internal|10002/);
    expect(told).toEqual([]);
  });
});
