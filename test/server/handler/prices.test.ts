import { describe, expect, it } from 'vitest';
import {
  createPriceHandler,
  currencies,
  eth,
  QUOTE,
  quote,
} from '../../support/server/createPriceHandler.js';
import { origin } from '../../support/server/createTestHandler.js';

describe('createPriceRoutes', () => {
  it('returns the response of the service with every digit', async () => {
    const { get } = createPriceHandler();
    expect((await get('/currencies')).json).toEqual({ currencies, ageSeconds: 0, stale: false });
    expect((await get('/cryptocurrencies')).json).toEqual({
      cryptoCurrencies: [eth],
      ageSeconds: 0,
      stale: false,
    });
    expect((await get(QUOTE)).json).toEqual({ quote, ageSeconds: 0, stale: false });
  });

  it('sends the query to the service', async () => {
    const { get, queries } = createPriceHandler();
    await get('/cryptocurrencies?buyType=nft');
    await get('/cryptocurrencies?buyType=');
    await get(
      '/quote?fiatCurrency=EUR&currencyAmount=0.050&cryptoCurrencyCode=ETH&payment=CARD_PAYMENT&buyType=nft',
    );
    expect(queries).toEqual([
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
    ['Bank%20Transfer', 'Bank Transfer'],
    ['Bank+Transfer', 'Bank Transfer'],
    ['%C3%9Cberweisung+%2B+2+%25', 'Überweisung + 2 %'],
    ['%E9%8A%80%E8%A1%8C', '銀行'],
  ])('sends the payment method %s to the service', async (encoded, payment) => {
    const { get, queries } = createPriceHandler();
    expect((await get(`${QUOTE}&payment=${encoded}`)).status).toBe(200);
    expect(queries).toMatchObject([{ payment }]);
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
    [`${QUOTE}&payment=Visa%20%26%20more`, 'payment'],
    [`${QUOTE}&payment=a%3Db`, 'payment'],
    [`${QUOTE}&payment=a%0Ab`, 'payment'],
    [`${QUOTE}&payment=a%E2%80%A8b`, 'payment'],
    [`${QUOTE}&payment=a%E2%80%AEb`, 'payment'],
    [`${QUOTE}&payment=${'p'.repeat(65)}`, 'payment'],
    ['/quote', 'fiatCurrency'],
    ['/quote?%E0%A4%A', ''],
  ])('refuses %s without a request to the service', async (path, param) => {
    const { get, queries } = createPriceHandler();
    const { status, json } = await get(path);
    expect(status).toBe(400);
    expect(json.error.code).toBe('ERR_PARAMS_INVALID');
    expect(json.error.issues).toContainEqual({ param, message: expect.any(String) });
    expect(queries).toEqual([]);
  });

  it('returns 405 for other methods than GET', async () => {
    const { get } = createPriceHandler();
    for (const path of ['/currencies', '/cryptocurrencies', '/quote']) {
      const { status, response, json } = await get(path, { method: 'POST' });
      expect([status, response.headers.get('allow'), json.error.code]).toEqual([
        405,
        'GET',
        'ERR_METHOD_NOT_ALLOWED',
      ]);
    }
  });

  it('sends CORS headers to allowed origins only', async () => {
    const { get } = createPriceHandler();
    const allowed = (await get(QUOTE)).response.headers;
    expect(allowed.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.get('access-control-expose-headers')).toBe('ETag, Retry-After');
    expect(allowed.get('vary')?.toLowerCase()).toContain('origin');
    const foreign = await get(QUOTE, { headers: { origin: 'https://evil.example' } });
    expect(foreign.response.headers.get('access-control-allow-origin')).toBeNull();
  });
});
