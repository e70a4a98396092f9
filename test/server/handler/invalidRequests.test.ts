import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { memoryOrderStore } from '../../../src/server/index.js';
import {
  callHandler,
  createTestHandler,
  origin,
  type TestRequest,
} from '../../support/server/createTestHandler.js';

const isForeign = (from: string | undefined) => Boolean(from) && from !== origin;

describe('the handler with invalid requests', () => {
  const refused = async (sent: TestRequest, options?: Partial<RampHandlerOptions<unknown>>) => {
    const onError = vi.fn();
    const { status, json, response } = await callHandler(
      createTestHandler({ ...options, onError }),
      sent,
    );
    // Only a foreign origin is reported to onError, because its page cannot read the error in the response.
    expect(onError).toHaveBeenCalledTimes(isForeign(sent.headers?.origin) ? 1 : 0);
    expect(json.error.message).toMatch(/\.$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    return [status, json.error.code];
  };

  it.each([
    ['another origin', { headers: { origin: 'https://evil.example' } }, 403, 'ERR_ORIGIN_REFUSED'],
    ['no origin', { headers: { origin: '' } }, 403, 'ERR_ORIGIN_REFUSED'],
    ['origin null', { headers: { origin: 'null' } }, 403, 'ERR_ORIGIN_REFUSED'],
    [
      'an origin with an allowed origin as its prefix',
      { headers: { origin: `${origin}.evil.example` } },
      403,
      'ERR_ORIGIN_REFUSED',
    ],
    [
      'the content type of a form',
      { headers: { 'content-type': 'text/plain' } },
      415,
      'ERR_CONTENT_TYPE',
    ],
    [
      'a content type with application/json as its prefix',
      { headers: { 'content-type': 'application/jsonp' } },
      415,
      'ERR_CONTENT_TYPE',
    ],
    ['malformed JSON', { body: '{"widget":' }, 400, 'ERR_REQUEST'],
    ['no body', { body: '' }, 400, 'ERR_REQUEST'],
    ['an unknown route', { path: '/api/ramp/nowhere' }, 404, 'ERR_NOT_FOUND'],
    ['another method', { method: 'PUT' }, 405, 'ERR_METHOD_NOT_ALLOWED'],
    [
      'a body over 16 KB',
      { body: JSON.stringify({ widget: 'on-ramp', params: { ext: 'x'.repeat(17_000) } }) },
      413,
      'ERR_BODY_TOO_LARGE',
    ],
  ])('refuses %s', async (_, sent, status, code) => {
    expect(await refused(sent as TestRequest)).toEqual([status, code]);
  });

  it.each([
    ['another widget', { widget: 'swap', params: {} }, 'widget'],
    ['no widget', { params: {} }, 'widget'],
    ['an unknown parameter', { widget: 'on-ramp', params: { wallet: 'x' } }, 'wallet'],
    ['a signature', { widget: 'on-ramp', params: { signature: 'x' } }, 'signature'],
    ['an ext, which is the reference', { widget: 'on-ramp', params: { ext: 'x' } }, 'ext'],
    [
      'a value that is not text',
      { widget: 'on-ramp', params: { walletAddress: 5 } },
      'walletAddress',
    ],
    ['a list', [], ''],
    ['null', 'null', ''],
  ])('refuses %s with an issue', async (_, body, param) => {
    const { status, json } = await callHandler(createTestHandler(), { body });
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues[0].param).toBe(param);
  });

  it.each([
    [
      'another origin',
      { headers: { origin: 'http://127.0.0.1' } },
      /allowedOrigins.*port.*localhost/,
    ],
    ['an unknown route', { path: '/api/ramp/checkouts/checkouts' }, /api of the page.*basePath/],
  ])('returns for %s a message with the fix', async (_, sent: TestRequest, expected) => {
    expect((await callHandler(createTestHandler(), sent)).json.error.message).toMatch(expected);
  });

  it('names the allowed methods in Allow', async () => {
    const { response } = await callHandler(createTestHandler(), { method: 'PUT' });
    expect(response.headers.get('allow')).toBe('GET, POST');
  });

  it('responds to any body', async () => {
    const handler = createTestHandler();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
        expect((await callHandler(handler, { body })).status).toBe(400);
      }),
      { numRuns: 300 },
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const failing = (reason: unknown) => ({
    ...memoryOrderStore(),
    saveCheckout: () => Promise.reject(reason),
  });
  it.each([
    ['a store that throws text', { store: failing('down') }, 500, 'ERR_INTERNAL'],
    [
      'a listener that throws',
      {
        store: failing(new Error('down')),
        onError: () => {
          throw new Error('logger down');
        },
      },
      500,
      'ERR_INTERNAL',
    ],
    [
      'a listener that rejects',
      {
        store: failing(new Error('down')),
        onError: (async () => {
          throw new Error('logger down');
        }) as () => void,
      },
      500,
      'ERR_INTERNAL',
    ],
    [
      'a policy that throws an error with the name RampError and another code',
      {
        policy: () => {
          throw Object.assign(new Error('x'), { name: 'RampError', code: 'constructor' });
        },
      },
      403,
      'ERR_POLICY_REFUSED',
    ],
    [
      'a store that throws an error with the name RampError and another code',
      { store: failing(Object.assign(new Error('x'), { name: 'RampError', code: 'constructor' })) },
      500,
      'ERR_INTERNAL',
    ],
  ])('responds with an error to %s', async (_, options, status, code) => {
    const result = await callHandler(createTestHandler({ onError: () => {}, ...options } as never));
    expect([result.status, result.json.error.code]).toEqual([status, code]);
    expect(result.json.error.message).not.toMatch(/down|^x$/);
  });

  it('calls onError with an Error that has the thrown value as its cause', async () => {
    const onError = vi.fn();
    await callHandler(createTestHandler({ store: failing('down') as never, onError }));
    const message = 'A value that is not an Error was thrown; see the cause.';
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message, cause: 'down' })]]);
    expect(onError.mock.calls[0]?.[0]).toBeInstanceOf(Error);
  });

  it('limits the issues of a request with many invented names', async () => {
    const params = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`name${i}`, '']));
    for (const name of Object.keys(params)) params[name] = 'x';
    const { json } = await callHandler(createTestHandler(), {
      body: { widget: 'on-ramp', params },
    });
    expect(json.error.issues).toHaveLength(20);
  });

  it('accepts an incomplete proposal, which the policy completes', async () => {
    const body = { widget: 'on-ramp', params: { walletAddressLocked: '1' } };
    expect((await callHandler(createTestHandler(), { body })).status).toBe(201);
  });

  it('returns 500 with a general message when the store fails', async () => {
    const store = memoryOrderStore();
    store.saveCheckout = async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7');
    };
    const reported: unknown[] = [];
    const result = await callHandler(
      createTestHandler({ store, onError: (error) => reported.push(error) }),
    );
    expect([result.status, result.json.error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(JSON.stringify(result.json)).not.toContain('10.0.0.7');
    expect(reported).toHaveLength(1);
  });
});
