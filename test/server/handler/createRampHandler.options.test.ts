import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createPartnerApi,
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
} from '../../../src/server/index.js';
import {
  callHandler,
  createTestHandler,
  origin,
  secretKey,
} from '../../support/server/createTestHandler.js';
import { createTestVerifier } from '../../support/server/createTestVerifier.js';
import { onRampIntent } from '../../support/server/orderFixtures.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const tracker = { requestSync: () => {}, checkoutGranted: () => {} };
const refusal = (message: RegExp) =>
  expect.objectContaining({
    name: 'RampError',
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringMatching(message),
  });

describe('createRampHandler without a store', () => {
  it.each([
    ['a tracker', { tracker }, /^createRampHandler needs a store for tracker: .*memory.*Pass /],
    ['webhooks', { webhooks: createTestVerifier(), tracker }, /needs a store for tracker/],
    ['getSubject', { getSubject: () => 'u1' }, /needs a store for getSubject/],
    ['a tracker and null', { tracker, store: null }, /needs a store for tracker/],
  ])('refuses %s, as no paid order would match its checkout', (_, options, message) => {
    expect(() => createTestHandler(options as never)).toThrow(refusal(message));
    expect(() =>
      createTestHandler({ ...options, store: memoryOrderStore() } as never),
    ).not.toThrow();
  });

  it('refuses webhooks without a tracker, as they would do nothing', () => {
    const options = { webhooks: createTestVerifier(), store: memoryOrderStore() };
    expect(() => createTestHandler(options)).toThrow(refusal(/needs a tracker for webhooks/));
    expect(() => createTestHandler({ ...options, tracker })).not.toThrow();
  });

  describe('in production', () => {
    afterEach(() => void vi.unstubAllEnvs());
    const fresh = async () => {
      vi.resetModules();
      const { createRampHandler } = await import('../../../src/server/index.js');
      const signer = createWidgetSigner({ partnerId: 'p1', secretKey });
      const policy = () => ({ params: { walletAddress: '0x1' }, subject: 'u' });
      return (options: object) =>
        createRampHandler({ signer, policy, allowedOrigins: [origin], ...options });
    };

    it('warns onError once per process', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const make = await fresh();
      const onError = vi.fn();
      make({ onError });
      make({ onError });
      expect(onError.mock.calls).toEqual([[refusal(/has no store.*restart.*sqlOrderStore/)]]);
    });

    it('warns on the console where there is no onError, and still serves', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const make = await fresh();
      const console_ = vi.spyOn(console, 'error').mockReturnValue();
      const { status } = await callHandler(make({}) as never);
      expect([status, console_.mock.calls.length]).toEqual([201, 1]);
      expect(console_.mock.calls[0]).toEqual(['[partner-ramp]', refusal(/has no store/)]);
      console_.mockRestore();
    });

    it('does not warn when a store is given, a memory store included', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const onError = vi.fn();
      (await fresh())({ onError, store: memoryOrderStore() });
      expect(onError).not.toHaveBeenCalled();
    });
  });

  it('does not warn in development', () => {
    const onError = vi.fn();
    createTestHandler({ onError });
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('createRampHandler', () => {
  const store = memoryOrderStore();
  it.each([
    ['no options', 'nothing', /needs a signer: the result of createWidgetSigner/],
    ['no policy', { policy: undefined }, /needs a policy: your function/],
    ['a policy that is no function', { policy: {} }, /needs a policy/],
    ['no signer', { signer: undefined }, /needs a signer/],
    ['a signer that is no signer', { signer: {} }, /needs a signer/],
    ['no origins', { allowedOrigins: [] }, /needs allowedOrigins: a list/],
    ['origins that are one text', { allowedOrigins: origin }, /needs allowedOrigins/],
    [
      'an origin with a path',
      { allowedOrigins: [origin, `${origin}/`] },
      /entry 2 is not one\. Write it as https:\/\/shop\.example, without/,
    ],
    ['a wildcard', { allowedOrigins: ['*'] }, /entry 1 is not one\. A wildcard is not allowed/],
    [
      'an origin that is undefined',
      { allowedOrigins: [undefined] },
      /entry 1 is not one\. Write the scheme/,
    ],
    ['an origin of a file', { allowedOrigins: ['null'] }, /is not one\. Write the scheme/],
    [
      'an origin of a socket',
      { allowedOrigins: ['ws://shop.example'] },
      /is not one\. Write the scheme/,
    ],
    [
      'an origin of no web page',
      { allowedOrigins: ['ftp://https'] },
      /is not one\. Write the scheme/,
    ],
    ['an api without prices', { api: { quote: () => {} } }, /createPartnerApi\(\) as api/],
    [
      'a tracker of another kind',
      { store, tracker: { requestSync: () => {} } },
      /createOrderTracker\(\)/,
    ],
    ['webhooks of another kind', { store, webhooks: {} }, /createWebhookVerifier\(\) as webhooks/],
    ['a store of another kind', { store: new Map() }, /expects an OrderStore as store, such as/],
    ['a signal that is none', { signal: { aborted: false } }, /expects an AbortSignal as signal/],
    ['a controller as signal', { signal: new AbortController() }, /an AbortSignal as signal/],
    [
      'a misspelt getSubject',
      { getSubject: 'Anyone' },
      /expects a function or 'anyone' as getSubject/,
    ],
    ['a getSubject that is a flag', { getSubject: true }, /expects a function as getSubject/],
    ['a clock that is a number', { now: 5 }, /expects a function as now/],
    ['an onError that is a name', { onError: 'log' }, /expects a function as onError/],
    ['a newReference', { newReference: () => 'x' }, /has no option newReference\. It has signer/],
    ['a base path without a slash', { basePath: 'api/ramp' }, /needs a basePath that begins with/],
    ['a base path with a query', { basePath: '/api?x' }, /needs a basePath/],
    ['a base path that climbs', { basePath: '/api/../ramp' }, /needs a basePath/],
    ['a base path that is a port', { basePath: ':x' }, /needs a basePath/],
    ['an empty base path', { basePath: '' }, /needs a basePath/],
    ['a base path that is a number', { basePath: 5 }, /needs a basePath/],
    ['a base path that is no text', { basePath: ['/api'] }, /needs a basePath/],
    ['streams that are one number', { maxStreams: 3 }, /\{ perSubject, total \} as maxStreams/],
    [
      'streams that are text',
      { maxStreams: { total: '9' } },
      /whole number from 1 as maxStreams.total/,
    ],
    ['NaN streams', { maxStreams: { perSubject: Number.NaN } }, /as maxStreams.perSubject/],
    ['no streams at all', { maxStreams: { perSubject: 0 } }, /as maxStreams.perSubject/],
    ['streams of another name', { maxStreams: { perUser: 3 } }, /has no perUser/],
    ['endless streams', { maxStreams: { total: Infinity } }, /as maxStreams.total/],
    ['a lifetime of nothing', { intentSeconds: 0 }, /intentSeconds must be whole seconds/],
    ['a lifetime in text', { intentSeconds: '60' }, /intentSeconds must be whole seconds/],
    [
      'a signature of no number',
      { signatureSeconds: Number.NaN },
      /signatureSeconds must be whole/,
    ],
    ['a signature that outlives the service', { signatureSeconds: 300 }, /from 1 to 299/],
  ])('refuses %s', (_, wrong, message) => {
    const make = () =>
      wrong === 'nothing'
        ? createRampHandler(undefined as never)
        : createTestHandler(wrong as never);
    expect(make).toThrow(refusal(message));
  });

  it('accepts null for whatever is optional, and a signature of 299 seconds', async () => {
    const options = ['api', 'webhooks', 'tracker', 'store', 'signal', 'getSubject', 'maxStreams'];
    const others = ['basePath', 'intentSeconds', 'onError', 'now'];
    const nothing = Object.fromEntries([...options, ...others].map((name) => [name, null]));
    const handler = createTestHandler({ ...nothing, signatureSeconds: 299 } as never);
    expect((await callHandler(handler)).json.expiresInSeconds).toBe(299);
  });

  it('refuses an internal newReference that is text', () => {
    expect(() => createTestHandler({}, { newReference: 'x' } as never)).toThrow(
      refusal(/expects a function as newReference/),
    );
  });

  it('accepts http: for pages in development', async () => {
    const local = 'http://localhost:5173';
    const handler = createTestHandler({ allowedOrigins: [local, origin] });
    expect((await callHandler(handler, { headers: { origin: local } })).status).toBe(201);
  });

  it('measures the age of prices by a clock that is never set back', async () => {
    const currency = { fiatCurrency: 'USD', paymentOptions: [] };
    const api = { fiatCurrencies: async () => [currency], cryptoCurrencies() {}, quote() {} };
    const wallClock = vi.spyOn(Date, 'now');
    const monotonic = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const handler = createTestHandler({ api: api as never });
    const ask = async () =>
      (await callHandler(handler, { path: '/api/ramp/currencies', method: 'GET' })).json;
    expect(await ask()).toEqual({ currencies: [currency], ageSeconds: 0, stale: false });
    monotonic.mockReturnValue(8000);
    wallClock.mockReturnValue(0);
    expect((await ask()).ageSeconds).toBe(7);
    vi.restoreAllMocks();
  });

  it('keeps the limit of all streams when only the one per subject is given', async () => {
    const getSubject = 'anyone';
    const open = async (maxStreams: object, count: number) => {
      const store = memoryOrderStore();
      const stop = new AbortController();
      const { signal } = stop;
      const handler = createTestHandler({ store, getSubject, maxStreams, signal });
      const statuses = [];
      for (let i = 0; i < count; i++) {
        const reference = `r${'perSubject' in maxStreams ? '' : i}`;
        await store.saveIntent(onRampIntent({ reference })).catch(() => {});
        const url = `https://shop.example/api/ramp/checkouts/${reference}/events`;
        statuses.push((await handler(new Request(url))).status);
      }
      stop.abort();
      const late = new Request('https://shop.example/api/ramp/checkouts/r0/events');
      await store.saveIntent(onRampIntent({ reference: 'r0' })).catch(() => {});
      expect((await handler(late)).status).toBe(503);
      return statuses;
    };
    expect(await open({ perSubject: 2 }, 3)).toEqual([200, 200, 429]);
    expect(await open({ total: 2 }, 3)).toEqual([200, 200, 429]);
    expect(await open({ perSubject: undefined, total: 9 }, 7)).toEqual([
      ...Array(6).fill(200),
      429,
    ]);
  });
});

describe('createWidgetSigner', () => {
  it.each([
    ['no options', undefined, /partnerId is missing/],
    ['a clock that is a number', { now: Date.now() }, /expects a function as now/],
  ])('refuses %s', (_, wrong, message) => {
    const given = wrong && { partnerId: 'p1', secretKey, ...wrong };
    expect(() => createWidgetSigner(given as never)).toThrow(refusal(message));
  });
});

describe('createWebhookVerifier', () => {
  it.each([
    ['a clock that is a number', { now: 1 }, /^createWebhookVerifier expects a function as now/],
    ['a signedBody that is text', { signedBody: 'false' }, /true or false as signedBody/],
    ['a store that remembers nothing', { replays: {} }, /needs replays: your order store/],
    ['a key that is missing', { publicKey: undefined }, /^publicKey is missing/],
    ['a tolerance in text', { toleranceSeconds: '300' }, /toleranceSeconds must be whole seconds/],
    ['an address that is no text', { url: 5 }, /url must be an https: address/],
  ])('refuses %s', (_, wrong, message) => {
    expect(() => createTestVerifier(wrong as never)).toThrow(refusal(message));
  });

  it('accepts null for whatever is optional', () => {
    const nothing = { toleranceSeconds: null, signedBody: null, now: null };
    expect(() => createTestVerifier(nothing as never)).not.toThrow();
  });
});

it('accepts the result of createPartnerApi as api', () => {
  const api = createPartnerApi({
    baseUrl: 'https://api.example',
    partnerId: 'p1',
    privateKey: vectors.keys.apiPrivateKey,
  });
  expect(() => createTestHandler({ api })).not.toThrow();
});
