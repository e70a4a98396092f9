import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPartnerApi, type PartnerApi } from '../../../src/server/index.js';
import { signHeaders } from '../../../src/server/partner-api/request.js';
import {
  apiPrivateKey,
  apiPublicKey,
  createTestApi,
  destroyConnection,
  expectRampError,
  quoteData,
  quoteQuery,
  respondWithBody,
  respondWithData,
  setUpUpstream,
} from '../../support/server/startUpstream.js';
import { testRuntime } from '../../support/server/testRuntime.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const upstream = setUpUpstream();
beforeEach(() => upstream.respondWith(respondWithData('[]')));

const complete = { baseUrl: 'https://a.example', partnerId: 'p1', privateKey: apiPrivateKey };
const noCounts = [-1, Number.NaN, Number.POSITIVE_INFINITY, '3000', {}];

const lastRequest = () => {
  const request = upstream.requests.at(-1);
  if (!request) throw new Error('No request was sent.');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { ...request, url: request.url ?? '', method: request.method ?? '', headers };
};

describe('the requests of createPartnerApi', () => {
  it.each(vectors.api.map((vector, index) => [index, vector] as const))(
    'have the six headers of vector %i of another implementation',
    async (_, { url, headers, signature }) => {
      const signed = await signHeaders(url, {
        partnerId: headers['X-Fp-Partner-Id'],
        privateKey: createPrivateKey(apiPrivateKey),
        version: 'v1.0',
        runtime: testRuntime({
          now: () => Number(headers['X-Fp-Timestamp']) * 1000 + 999,
          randomInt: () => Number(headers['X-Fp-Nonce']),
        }),
      });
      expect(signed).toEqual({ ...headers, 'X-Fp-Signature': signature });
    },
  );

  /** Each row: title, call, `data` of the response, expected path with query, and expected query in the signed text. */
  const calls: readonly [string, (api: PartnerApi) => Promise<unknown>, string, string, string][] =
    [
      ['fiatCurrencies', (api) => api.fiatCurrencies(), '[]', '/open/api/onramp/currency', ''],
      ['cryptoCurrencies', (api) => api.cryptoCurrencies(), '[]', '/open/api/onramp/token', ''],
      [
        'cryptoCurrencies for NFTs',
        (api) => api.cryptoCurrencies({ buyType: 'nft' }),
        '[]',
        '/open/api/onramp/token?buyType=nft',
        'buyType=nft&',
      ],
      [
        'quote',
        (api) => api.quote({ ...quoteQuery, payment: 'CARD_PAYMENT', buyType: 'fiat' }),
        quoteData,
        '/open/api/onramp/price?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=USDT_ERC20&payment=CARD_PAYMENT&buyType=fiat',
        'buyType=fiat&cryptoCurrencyCode=USDT_ERC20&currencyAmount=100&fiatCurrency=USD&payment=CARD_PAYMENT&',
      ],
      [
        'quote with a payment method in any script',
        (api) => api.quote({ ...quoteQuery, payment: 'Überweisung + 2 %' }),
        quoteData,
        '/open/api/onramp/price?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=USDT_ERC20&payment=%C3%9Cberweisung%20%2B%202%20%25',
        'cryptoCurrencyCode=USDT_ERC20&currencyAmount=100&fiatCurrency=USD&payment=Überweisung + 2 %&',
      ],
      [
        'orders',
        (api) => api.orders({ startTime: 1, endTime: 2, page: 3, size: 50 }),
        '{"page":3,"size":50,"totalCount":0,"list":[]}',
        '/open/api/onramp/order?startTime=1&endTime=2&page=3&size=50',
        'endTime=2&page=3&size=50&startTime=1&',
      ],
    ];
  it.each(calls)(
    'are a GET for %s, signed over the text of section 5.1',
    async (_, call, data, path, sorted) => {
      upstream.respondWith(respondWithData(data));
      const now = () => 1_986_217_096_789;
      await call(createTestApi(upstream, {}, { now, randomInt: () => 561_450 }));
      const { method, url, headers } = lastRequest();
      expect({ method, url }).toEqual({ method: 'GET', url: path });
      expect(headers['content-type']).toBe('application/json');
      const common =
        'x-fp-nonce=561450&x-fp-partner-id=p1&x-fp-timestamp=1986217096&x-fp-version=v1.0';
      const host = upstream.baseUrl.replace('http://', '');
      const text = `GET${host}${path.split('?')[0]}?${sorted}${common}`;
      const signature = Buffer.from(headers['x-fp-signature'] ?? '', 'base64');
      expect(verify('sha256', Buffer.from(text), apiPublicKey, signature)).toBe(true);
    },
  );

  it('use the configured path for the cryptocurrencies', async () => {
    await createTestApi(upstream, { cryptoCurrenciesPath: '/v2/coins' }).cryptoCurrencies();
    expect(lastRequest().url).toBe('/v2/coins');
  });

  it('have a timestamp of ten digits and a nonce of six', async () => {
    await createTestApi(upstream, {}, { now: () => 1_986_217_096_789 }).fiatCurrencies();
    expect(lastRequest().headers).toMatchObject({
      'x-fp-timestamp': '1986217096',
      'x-fp-nonce': expect.stringMatching(/^\d{6}$/),
      'x-fp-version': 'v1.0',
      'x-fp-partner-id': 'p1',
    });
  });

  it('have a new signature for each attempt', async () => {
    upstream.respondWith(destroyConnection, respondWithBody('', 502), respondWithData('[]'));
    let seconds = 1_986_217_096;
    const before = upstream.requests.length;
    await createTestApi(upstream, {}, { now: () => 1000 * seconds++ }).fiatCurrencies();
    const tries = upstream.requests.slice(before).map(({ headers }) => headers);
    expect(tries).toHaveLength(3);
    for (const name of ['x-fp-timestamp', 'x-fp-nonce', 'x-fp-signature'])
      expect(new Set(tries.map((headers) => headers[name])).size).toBe(3);
  });
});

describe('the responses of createPartnerApi', () => {
  it('keep all digits of decimals', async () => {
    upstream.respondWith(respondWithData(quoteData));
    expect(await createTestApi(upstream).quote(quoteQuery)).toMatchObject({
      currencyAmount: '100.00',
      cryptoCurrencyAmount: '93.09000000',
      gasFee: '0.1',
      platformFee: '0.2',
      totalFee: '0.3',
      paymentOptions: [{ name: 'CREDIT_DEBIT_CARD' }],
    });
  });

  it('may be compressed', async () => {
    const { gzipSync } = await import('node:zlib');
    const zipped = gzipSync(`{"code":"10000","msg":"","data":${quoteData}}`);
    upstream.respondWith(respondWithBody(zipped, 200, { 'Content-Encoding': 'gzip' }));
    expect((await createTestApi(upstream).quote(quoteQuery)).fiatCurrency).toBe('USD');
  });
});

describe('createPartnerApi with an invalid query', () => {
  const wrong: readonly [string, (api: PartnerApi) => unknown, string][] = [
    ['three decimals', (api) => api.quote({ ...quoteQuery, currencyAmount: '1.234' }), 'decimals'],
    ['amount 0', (api) => api.quote({ ...quoteQuery, currencyAmount: '0.00' }), 'more than 0'],
    ['no currency', (api) => api.quote({ ...quoteQuery, fiatCurrency: '' }), 'is required'],
    [
      'a value that contains another parameter',
      (api) => api.quote({ ...quoteQuery, payment: 'A&b=1' }),
      'payment',
    ],
    ['an end before its start', (api) => api.orders({ startTime: 2, endTime: 1 }), 'is after'],
    ['milliseconds', (api) => api.orders({ startTime: 0, endTime: Date.now() }), 'seconds'],
    ['page 0', (api) => api.orders({ startTime: 0, endTime: 1, page: 0 }), 'from 1'],
    ['no range', (api) => api.orders(null as never), 'startTime'],
    ['no range for eachOrder', (api) => api.eachOrder(undefined as never), 'startTime'],
    ['no query', (api) => api.quote(null as never), 'fiatCurrency'],
    ['an unknown list', (api) => api.cryptoCurrencies({ buyType: 'x' as never }), 'fiat or nft'],
    [
      'a signal in place of the query',
      (api) => api.cryptoCurrencies({ signal: AbortSignal.abort() } as never),
      'signal',
    ],
    [
      'a signal in place of the options',
      (api) => api.fiatCurrencies(AbortSignal.abort() as never),
      '{ signal }',
    ],
    ['text as signal', (api) => api.fiatCurrencies({ signal: 'x' as never }), '{ signal }'],
  ];
  it.each(wrong)('throws before it sends a request: %s', async (_, call, words) => {
    const before = upstream.requests.length;
    const result = Promise.resolve().then(() => call(createTestApi(upstream)));
    await expect(result).rejects.toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        message: expect.stringContaining(words),
      }),
    );
    expect(upstream.requests).toHaveLength(before);
  });
});

describe('createPartnerApi', () => {
  const pem = (bits: number, type: 'pkcs1' | 'pkcs8' = 'pkcs8') =>
    generateKeyPairSync('rsa', {
      modulusLength: bits,
      privateKeyEncoding: { type, format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  const make = (privateKey: unknown) => () =>
    createTestApi(upstream, { privateKey: privateKey as string });

  it.each([
    ['PKCS#8', () => apiPrivateKey],
    ['PKCS#1', () => pem(2048, 'pkcs1').privateKey],
    ['a KeyObject', () => createPrivateKey(apiPrivateKey)],
  ])('accepts %s and signs with it', async (_, key) => {
    await make(key())().fiatCurrencies();
    expect(lastRequest().headers['x-fp-signature']).toHaveLength(344);
  });

  it.each([
    ['too short', 'has 1024 bits', () => pem(1024).privateKey],
    ['public', 'is a public key', () => pem(2048).publicKey],
    [
      'encrypted',
      'is encrypted',
      () =>
        generateKeyPairSync('rsa', {
          modulusLength: 2048,
          privateKeyEncoding: {
            type: 'pkcs8',
            format: 'pem',
            cipher: 'aes-256-cbc',
            passphrase: 'x',
          },
          publicKeyEncoding: { type: 'spki', format: 'pem' },
        }).privateKey,
    ],
    ['not RSA', 'is not an RSA key', () => generateKeyPairSync('ed25519').privateKey],
    ['missing', 'is missing. Is its environment variable set?', () => undefined],
    ['truncated', 'cannot be read', () => apiPrivateKey.slice(0, 400)],
  ])('refuses a key that is %s', (_, words, key) => {
    const given = key();
    expect(make(given)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringContaining(words),
      }),
    );
  });

  it.each<readonly [string, object]>([
    ['baseUrl', { baseUrl: 'http://api.example' }],
    ['partnerId', { partnerId: '' }],
    ['version', { version: '1' }],
    ['cryptoCurrenciesPath', { cryptoCurrenciesPath: 'token?a=1' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['maxTries', { maxTries: 1.5 }],
    ...['timeoutMs', 'maxTries'].flatMap((name) =>
      noCounts.map((value) => [name, { [name]: value }] as const),
    ),
    ['baseUrl', { baseUrl: 'https://api.example/open/api' }],
    ['baseUrl', { baseUrl: 'https://api.example/open/api/' }],
    ['baseUrl', { baseUrl: 42 }],
    [
      'baseUrl of createPartnerApi is missing. Is its environment variable set?',
      { baseUrl: undefined },
    ],
    ['baseUrl of createPartnerApi is missing. Is its environment variable set?', { baseUrl: '' }],
    ['partnerId', { partnerId: ['p1'] }],
    ['version', { version: ['v1.0'] }],
    ['cryptoCurrenciesPath', { cryptoCurrenciesPath: ['/token'] }],
    ...['onError', 'fetch'].map((name) => [name, { [name]: 42 }] as const),
  ])('refuses a malformed %s: %o', (name, options) => {
    expect(() => createPartnerApi({ ...complete, ...options } as never)).toThrow(
      expectRampError('ERR_CONFIG_INVALID', name),
    );
  });

  it('requests ranges of orders of at most a day', async () => {
    upstream.respondWith(respondWithData('{"list":[],"page":1,"size":20,"totalCount":0}'));
    const startTime = 1_000_000;
    const readSpans = async (seconds: number) => {
      const before = upstream.requests.length;
      const range = { startTime, endTime: startTime + seconds };
      for await (const _ of createTestApi(upstream).eachOrder(range));
      return upstream.requests.slice(before).map(({ url = '' }) => {
        const query = new URL(url, upstream.baseUrl).searchParams;
        return Number(query.get('endTime')) - Number(query.get('startTime'));
      });
    };
    expect(await readSpans(10_000)).toEqual([10_002]);
    const spans = await readSpans(250_000);
    expect(spans).toHaveLength(3);
    expect(Math.max(...spans)).toBe(86_400);
  });

  it.each([
    [
      'no options',
      undefined,
      'maxRequests must be a whole number from 1; onPage must be a function',
    ],
    ['text as a number', { maxRequests: '4', onPage() {} }, 'maxRequests must be a whole number'],
    ['no onPage', { maxRequests: 4 }, 'onPage must be a function'],
  ])('refuses readOrders with %s', async (_, options, words) => {
    const reading = createPartnerApi(complete).readOrders(
      { startTime: 1, endTime: 2 },
      options as never,
    );
    await expect(reading).rejects.toThrow(expectRampError('ERR_PARAMS_INVALID', words));
  });
});
