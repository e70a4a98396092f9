import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import {
  createPartnerApi,
  createWidgetSigner,
  memoryOrderStore,
  type SignedWidget,
  type SignMessage,
  signRsaSha256,
} from '../../../src/server/index.js';
import { callHandler, secretKey, wallet } from '../../support/server/createTestHandler.js';
import { createTestRamp } from '../../support/server/createTestRamp.js';
import { testRuntime } from '../../support/server/testRuntime.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const { apiPrivateKey } = vectors.keys;
const privateKey = createPrivateKey(apiPrivateKey);

/** Stand for a key management service: they have the key, and return only signatures. */
const hmacService: SignMessage = async (message) =>
  createHmac('sha256', secretKey).update(message).digest();
const rsaService: SignMessage = async (message) => sign('sha256', message, privateKey);

const params = { walletAddress: wallet, ext: 'r1' };
const fixed = testRuntime({ now: () => 1_790_000_000_000, randomInt: () => 123_456 });

/** Signs a widget URL with this function as secretKey. */
const signWidget = async (key: SignMessage): Promise<SignedWidget> =>
  createWidgetSigner({ partnerId: 'p1', secretKey: key }, fixed).sign('on-ramp', params);

/** Requests the currencies with this function as privateKey, and returns the headers that were sent. */
async function signRequest(key: SignMessage | string, signal?: AbortSignal) {
  const fetch = vi.fn(async (_: unknown, __?: RequestInit) =>
    Response.json({ code: 10000, msg: 'success', data: [] }),
  );
  const api = createPartnerApi(
    { baseUrl: 'https://api.example', partnerId: 'p1', privateKey: key, fetch: fetch as never },
    testRuntime({ now: () => 1_790_000_000_000 }),
  );
  await api.fiatCurrencies({ signal });
  return Object.fromEntries(new Headers(fetch.mock.calls[0]?.[1]?.headers));
}

describe('a function as secretKey', () => {
  it('makes the same signature as the key itself', async () => {
    const withKey = createWidgetSigner({ partnerId: 'p1', secretKey }, fixed);
    expect(await signWidget(hmacService)).toEqual(withKey.sign('on-ramp', params));
  });

  it('gets the bytes of the signed text, and may return its signature without a promise', async () => {
    const key = vi.fn((_: Uint8Array) => new Uint8Array(32));
    const { payload, params } = await signWidget(key);
    expect(Buffer.from(key.mock.calls[0]?.[0] ?? []).toString()).toBe(payload);
    expect(params.signature).toBe(Buffer.alloc(32).toString('base64'));
  });

  it('may return a part of a larger buffer, as pools of buffers do', async () => {
    const pool = Buffer.alloc(64, 1);
    const { params } = await signWidget(() => pool.subarray(16, 48));
    expect(params.signature).toBe(Buffer.alloc(32, 1).toString('base64'));
  });

  it('rejects wrong parameters before it is called', async () => {
    const key = vi.fn(hmacService);
    const signer = createWidgetSigner({ partnerId: 'p1', secretKey: key });
    const signed = signer.sign('on-ramp', { walletAddress: 'a&b' });
    await expect(signed).rejects.toMatchObject({
      code: 'ERR_PARAMS_INVALID',
      issues: [{ param: 'walletAddress' }],
    });
    expect(key).not.toHaveBeenCalled();
  });
});

describe('a function as privateKey of createPartnerApi', () => {
  it('makes the same signature as the key itself', async () => {
    const { 'x-fp-signature': signature, ...headers } = await signRequest(rsaService);
    const url = 'https://api.example/open/api/onramp/currency';
    const text = buildRequestPayload({ method: 'GET', url, headers });
    expect(signature).toBe(signRsaSha256(text, privateKey));
  });

  it('is called again for each request', async () => {
    const key = vi.fn(rsaService);
    await signRequest(key);
    await signRequest(key);
    expect(key).toHaveBeenCalledTimes(2);
  });

  it('is not waited for after the caller has aborted', async () => {
    const controller = new AbortController();
    const request = signRequest(() => new Promise(() => {}), controller.signal);
    const reason = new Error('the page is gone');
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
  });
});

describe.each([
  ['secretKey', signWidget, 32],
  ['apiPrivateKey', signRequest, 256],
] as const)('a wrong function as %s', (name, call, bytes) => {
  const base64 = Buffer.alloc(bytes).toString('base64');

  it.each<readonly [string, unknown, string]>([
    ['base64 text', base64, 'returned string: it must return the bytes of the signature'],
    ['nothing', undefined, 'returned undefined: it must return the bytes'],
    ['an ArrayBuffer', new ArrayBuffer(bytes), 'returned object: it must return the bytes'],
    ['an object of bytes', { 0: 1, byteLength: bytes }, 'returned object: it must return'],
    ['too few bytes', new Uint8Array(bytes - 1), `returned ${bytes - 1} bytes: a signature of`],
    ['no bytes', new Uint8Array(), 'returned 0 bytes'],
  ])('is refused if it returns %s', async (_, returned, message) => {
    for (const key of [() => returned, async () => returned])
      await expect(call(key as never)).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringContaining(`${name} ${message}`),
      });
  });

  it.each([
    [
      'throws',
      (cause: Error) => {
        throw cause;
      },
    ],
    ['rejects', (cause: Error) => Promise.reject(cause)],
  ])('is reported with the cause if it %s', async (_, fail) => {
    const cause = new Error('no permission to use arn:aws:kms:key');
    const error = await call(() => fail(cause)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'ERR_INTERNAL', cause });
    expect((error as Error).message).toBe(`The function ${name} failed to sign: see the cause.`);
  });

  describe('with fake timers', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('has three seconds, and is not called again', async () => {
      const key = vi.fn(() => new Promise<never>(() => {}));
      const error = call(key).catch((error: unknown) => error);
      let isOver = false;
      void error.then(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(2999);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await error).toMatchObject({
        code: 'ERR_TIMEOUT',
        message: expect.stringMatching(`^The function ${name} did not sign within 3000 ms`),
      });
      expect(key).toHaveBeenCalledOnce();
    });
  });
});

describe('createRamp with functions that sign', () => {
  it('opens a checkout, and requests prices', async () => {
    const store = memoryOrderStore();
    const fetch = vi.fn(async () => Response.json({ code: 10000, msg: 'success', data: [] }));
    const options = { store, secretKey: hmacService, apiPrivateKey: rsaService };
    const { handler } = createTestRamp(options, { fetch });
    const { status, json } = await callHandler(handler as never);
    expect([status, json.params.signature.length]).toEqual([201, 44]);
    const sent = { method: 'GET', path: '/api/ramp/currencies' };
    expect((await callHandler(handler as never, sent)).status).toBe(200);
    expect(await store.findCheckout(json.reference)).toBeDefined();
  });

  it('stores nothing if the signature fails, and tells only onError why', async () => {
    const onError = vi.fn();
    const store = memoryOrderStore();
    const saveCheckout = vi.spyOn(store, 'saveCheckout');
    const cause = new Error('no permission to use arn:aws:kms:key');
    const { handler } = createTestRamp({ store, onError, secretKey: () => Promise.reject(cause) });
    const { status, json } = await callHandler(handler as never);
    expect([status, json.error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(JSON.stringify(json)).not.toContain('arn:aws');
    expect(onError.mock.calls).toMatchObject([[{ cause: { cause } }]]);
    expect(saveCheckout).not.toHaveBeenCalled();
  });
});
