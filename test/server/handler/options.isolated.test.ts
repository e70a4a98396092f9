import { afterEach, describe, expect, it, vi } from 'vitest';
import { callHandler, createTestHandler, origin } from '../../support/server/createTestHandler.js';
import { createTestRamp } from '../../support/server/createTestRamp.js';
import { createTestVerifier } from '../../support/server/createTestVerifier.js';

const refusal = (message: RegExp) =>
  expect.objectContaining({
    name: 'RampError',
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringMatching(message),
  });

describe('createRamp with a store in memory', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  /** Loads a new copy of the package, because it reports a memory store only once in each process. */
  const fresh = async () => {
    vi.resetModules();
    const { createRamp, memoryOrderStore } = await import('../../../src/server/index.js');
    const { createRampOptions } = await import('../../support/server/createTestRamp.js');
    const make = (options: object) => createRamp({ ...createRampOptions(), ...options });
    return { make, memoryOrderStore };
  };
  const notice = refusal(/^createRamp has a memoryOrderStore\(\).*restart.*sqlOrderStore/);

  it('calls onError with a warning once per process', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { make, memoryOrderStore } = await fresh();
    const onError = vi.fn();
    for (let times = 0; times < 2; times++) make({ onError, store: memoryOrderStore() });
    expect(onError.mock.calls).toEqual([[notice]]);
  });

  it('warns on the console without onError, and still responds', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { make } = await fresh();
    const console_ = vi.spyOn(console, 'error').mockReturnValue();
    const { status } = await callHandler(make({}).handler as never);
    expect([status, console_.mock.calls.length]).toEqual([201, 1]);
    expect(console_.mock.calls[0]).toEqual([
      '[partner-ramp]',
      notice,
      expect.stringMatching(/errors\.md#err_config_invalid$/),
    ]);
  });

  it('does not warn with another store', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const onError = vi.fn();
    const { make, memoryOrderStore } = await fresh();
    make({ onError, store: { ...memoryOrderStore() } });
    expect(onError).not.toHaveBeenCalled();
  });

  it('does not warn in development', async () => {
    const onError = vi.fn();
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    (await fresh()).make({ onError });
    expect([onError.mock.calls, warn.mock.calls]).toEqual([[], []]);
  });
});

describe('the handler options of createRamp', () => {
  it.each<readonly [string, object, RegExp]>([
    ['no policy', { policy: undefined }, /needs policy: your function/],
    ['a policy that is not a function', { policy: {} }, /needs policy/],
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
    ['another object as store', { store: new Map() }, /needs a store: sqlOrderStore\(kysely\)/],
    [
      'text as getShopper',
      { getShopper: 'anyone' },
      /needs getShopper: your function that returns/,
    ],
    ['a string as onError', { onError: 'log' }, /expects a function as onError/],
    ['a base path without a slash', { basePath: 'api/ramp' }, /needs a basePath that begins with/],
    ['a base path with a query', { basePath: '/api?x' }, /needs a basePath/],
    ['a base path with ..', { basePath: '/api/../ramp' }, /needs a basePath/],
    ['a base path that parses as a port', { basePath: ':x' }, /needs a basePath/],
    ['an empty base path', { basePath: '' }, /needs a basePath/],
    ['a number as base path', { basePath: 5 }, /needs a basePath/],
    ['an array as base path', { basePath: ['/api'] }, /needs a basePath/],
    [
      'a lifetime of 0 seconds',
      { checkoutSeconds: 0 },
      /expects whole seconds from 1 as checkoutSeconds/,
    ],
    [
      'a lifetime as text',
      { checkoutSeconds: '60' },
      /expects whole seconds from 1 as checkoutSeconds/,
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
  ])('refuse %s', (_, wrong, message) => {
    expect(() => createTestRamp(wrong)).toThrow(refusal(message));
  });

  it('may have a signature lifetime of 299 seconds', async () => {
    const { handler } = createTestRamp({ signatureSeconds: 299 });
    expect((await callHandler(handler as never)).json.expiresInSeconds).toBe(299);
  });

  it('may have http: origins for development', async () => {
    const local = 'http://localhost:5173';
    const { handler } = createTestRamp({ allowedOrigins: [local, origin] });
    const sent = { headers: { origin: local } };
    expect((await callHandler(handler as never, sent)).status).toBe(201);
  });
});

describe('the handler', () => {
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
});

describe('createWebhookVerifier', () => {
  it('accepts null for optional options', () => {
    const nothing = { toleranceSeconds: null, signedBody: null };
    expect(() => createTestVerifier(nothing as never)).not.toThrow();
  });
});
