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
  ])('refuses %s, because no paid order would match its checkout', (_, options, message) => {
    expect(() => createTestHandler(options as never)).toThrow(refusal(message));
    expect(() =>
      createTestHandler({ ...options, store: memoryOrderStore() } as never),
    ).not.toThrow();
  });

  it('refuses webhooks without a tracker, because they would have no effect', () => {
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

    it('calls onError with a warning once per process', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const make = await fresh();
      const onError = vi.fn();
      make({ onError });
      make({ onError });
      expect(onError.mock.calls).toEqual([
        [refusal(/^createRampHandler has no store.*restart.*sqlOrderStore/)],
      ]);
    });

    it('warns on the console without onError, and still responds', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const make = await fresh();
      const console_ = vi.spyOn(console, 'error').mockReturnValue();
      const { status } = await callHandler(make({}) as never);
      expect([status, console_.mock.calls.length]).toEqual([201, 1]);
      expect(console_.mock.calls[0]).toEqual([
        '[partner-ramp]',
        refusal(/has no store/),
        expect.stringMatching(/errors\.md#err_config_invalid$/),
      ]);
      console_.mockRestore();
    });

    it('warns in production about a memory store too', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const onError = vi.fn();
      const make = await fresh();
      const { memoryOrderStore } = await import('../../../src/server/index.js');
      for (let handlers = 0; handlers < 2; handlers++) make({ onError, store: memoryOrderStore() });
      expect(onError.mock.calls).toEqual([
        [refusal(/^createRampHandler has a memoryOrderStore\(\).*restart.*sqlOrderStore/)],
      ]);
    });

    it('does not warn with another store', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const onError = vi.fn();
      (await fresh())({ onError, store: { ...memoryOrderStore() } });
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
    ['a policy that is not a function', { policy: {} }, /needs a policy/],
    ['no signer', { signer: undefined }, /needs a signer/],
    ['an empty object as signer', { signer: {} }, /needs a signer/],
    ['no origins', { allowedOrigins: [] }, /needs allowedOrigins: a list/],
    [
      'origins as one string',
      { allowedOrigins: origin },
      /was given one text\. Write \[.*split\(','\)/,
    ],
    [
      'several origins in one text',
      { allowedOrigins: [`${origin},https://b.example`] },
      /entry 1 is not one\. It is several origins in one text: split it.*split\(','\)/,
    ],
    [
      'an origin after a space',
      { allowedOrigins: [origin, ` ${origin}`] },
      /entry 2 is not one\. Remove the white space/,
    ],
    [
      'an origin in quotation marks',
      { allowedOrigins: [`'${origin}'`] },
      /entry 1 is not one\. It has quotation marks around it.*Remove them/,
    ],
    [
      'an origin with a path',
      { allowedOrigins: [origin, `${origin}/`] },
      /entry 2 is not one\. Write it as https:\/\/shop\.example, without/,
    ],
    ['a wildcard', { allowedOrigins: ['*'] }, /entry 1 is not one\. A wildcard is not allowed/],
    [
      'an undefined origin',
      { allowedOrigins: [undefined] },
      /entry 1 is not one\. Write the scheme/,
    ],
    ['the origin of a file', { allowedOrigins: ['null'] }, /is not one\. Write the scheme/],
    [
      'the origin of a WebSocket',
      { allowedOrigins: ['ws://shop.example'] },
      /is not one\. Write the scheme/,
    ],
    [
      'the origin of an FTP server',
      { allowedOrigins: ['ftp://https'] },
      /is not one\. Write the scheme/,
    ],
    ['an api without prices', { api: { quote: () => {} } }, /createPartnerApi\(\) as api/],
    [
      'another object as tracker',
      { store, tracker: { requestSync: () => {} } },
      /createOrderTracker\(\)/,
    ],
    [
      'another object as webhooks',
      { store, webhooks: {} },
      /createWebhookVerifier\(\) as webhooks/,
    ],
    ['another object as store', { store: new Map() }, /expects an OrderStore as store, such as/],
    [
      'a misspelt value of getSubject',
      { getSubject: 'Anyone' },
      /expects a function or 'anyone' as getSubject/,
    ],
    [
      'a boolean as getSubject',
      { getSubject: true },
      /expects a function or 'anyone' as getSubject/,
    ],
    ['a number as now', { now: 5 }, /expects a function as now/],
    ['a string as onError', { onError: 'log' }, /expects a function as onError/],
    [
      'an option newReference',
      { newReference: () => 'x' },
      /has no option newReference\. It has signer/,
    ],
    ['a base path without a slash', { basePath: 'api/ramp' }, /needs a basePath that begins with/],
    ['a base path with a query', { basePath: '/api?x' }, /needs a basePath/],
    ['a base path with ..', { basePath: '/api/../ramp' }, /needs a basePath/],
    ['a base path that parses as a port', { basePath: ':x' }, /needs a basePath/],
    ['an empty base path', { basePath: '' }, /needs a basePath/],
    ['a number as base path', { basePath: 5 }, /needs a basePath/],
    ['an array as base path', { basePath: ['/api'] }, /needs a basePath/],
    [
      'a lifetime of 0 seconds',
      { intentSeconds: 0 },
      /expects whole seconds from 1 as intentSeconds/,
    ],
    [
      'a lifetime as text',
      { intentSeconds: '60' },
      /expects whole seconds from 1 as intentSeconds/,
    ],
    [
      'a signature lifetime of NaN',
      { signatureSeconds: Number.NaN },
      /from 1 to 299 as signatureSeconds/,
    ],
    [
      'a signature lifetime above the limit of the service',
      { signatureSeconds: 300 },
      /from 1 to 299/,
    ],
  ])('refuses %s', (_, wrong, message) => {
    const make = () =>
      wrong === 'nothing'
        ? createRampHandler(undefined as never)
        : createTestHandler(wrong as never);
    expect(make).toThrow(refusal(message));
  });

  it('accepts null for optional options, and a signature lifetime of 299 seconds', async () => {
    const options = ['api', 'webhooks', 'tracker', 'store', 'getSubject'];
    const others = ['basePath', 'intentSeconds', 'onError', 'now'];
    const nothing = Object.fromEntries([...options, ...others].map((name) => [name, null]));
    const handler = createTestHandler({ ...nothing, signatureSeconds: 299 } as never);
    expect((await callHandler(handler)).json.expiresInSeconds).toBe(299);
  });

  it('accepts http: origins for development', async () => {
    const local = 'http://localhost:5173';
    const handler = createTestHandler({ allowedOrigins: [local, origin] });
    expect((await callHandler(handler, { headers: { origin: local } })).status).toBe(201);
  });

  it('measures the age of prices with a monotonic clock', async () => {
    const currency = { fiatCurrency: 'USD', paymentOptions: [] };
    const unused = { cryptoCurrencies() {}, quote() {}, readOrders() {} };
    const api = { ...unused, fiatCurrencies: async () => [currency] };
    const wallClock = vi.spyOn(Date, 'now');
    const monotonic = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const handler = createTestHandler({ api: api as never });
    const readCurrencies = async () =>
      (await callHandler(handler, { path: '/api/ramp/currencies', method: 'GET' })).json;
    expect(await readCurrencies()).toEqual({ currencies: [currency], ageSeconds: 0, stale: false });
    monotonic.mockReturnValue(8000);
    wallClock.mockReturnValue(0);
    expect((await readCurrencies()).ageSeconds).toBe(7);
    vi.restoreAllMocks();
  });

  it('accepts null for optional options', () => {
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

describe('createRampHandler with a signer and an api of different partners', () => {
  const apiOf = (partnerId: string) =>
    createPartnerApi({
      baseUrl: 'https://api.example',
      partnerId,
      privateKey: vectors.keys.apiPrivateKey,
    });

  it('refuses them, and names no partner', () => {
    expect(() => createTestHandler({ api: apiOf('other-partner') })).toThrow(
      refusal(/^createRampHandler has a signer and an api of different partners.*partnerId/),
    );
    expect(() => createTestHandler({ api: apiOf('other-partner') })).not.toThrow(/other-partner/);
  });

  it('accepts an api that does not know its partner', () => {
    const { partnerId: _, ...wrapped } = apiOf('other-partner');
    expect(() => createTestHandler({ api: wrapped as never })).not.toThrow();
  });
});
