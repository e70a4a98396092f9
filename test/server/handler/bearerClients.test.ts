import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { memoryOrderStore } from '../../../src/server/index.js';
import { toNodeHandler } from '../../../src/server/node.js';
import { createTestHandler, origin } from '../../support/server/createTestHandler.js';

type Options = Partial<RampHandlerOptions<unknown>>;

const bearer: Options = { allowBearer: true };
const token = { authorization: 'Bearer abc.DEF-1_2~3+4/5=' };

/** Sends the request of an app: unlike a page, without an `Origin`. */
async function send(
  headers: Readonly<Record<string, string>>,
  {
    options = bearer,
    path = '/checkouts',
    method = 'POST',
  }: { options?: Options; path?: string; method?: string } = {},
) {
  const handler = createTestHandler({ onError: () => {}, ...options });
  const response = await handler(
    new Request(`https://shop.example/api/ramp${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '{"widget":"on-ramp"}' }),
    }),
  );
  const text = await response.text();
  return { response, status: response.status, json: text ? JSON.parse(text) : undefined };
}

describe('the handler with allowBearer', () => {
  it.each([
    ['a token', token],
    ['the scheme in lower case', { authorization: 'bearer abc' }],
    ['the scheme in upper case, and two spaces', { authorization: 'BEARER  abc' }],
    ['a token with a character that RFC 6750 forbids', { authorization: 'Bearer 17|abc' }],
    ['Sec-Fetch-Site: none', { ...token, 'sec-fetch-site': 'none' }],
    ['Sec-Fetch-Site: same-origin', { ...token, 'sec-fetch-site': 'same-origin' }],
  ])('signs a request without an Origin that has %s', async (_, headers) => {
    expect((await send(headers)).status).toBe(201);
  });

  it.each([
    ['no Authorization', {}],
    ['the scheme Basic', { authorization: 'Basic dTpw' }],
    ['the scheme Negotiate, which browsers answer by themselves', { authorization: 'Negotiate x' }],
    ['a scheme that begins with Bearer', { authorization: 'BearerX abc' }],
    ['a token without a scheme', { authorization: 'abc' }],
    ['another scheme before the token', { authorization: 'Basic bearer abc' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['two tokens', { authorization: 'Bearer abc, Bearer def' }],
    ['a token and another scheme', { authorization: 'Bearer abc, Basic dTpw' }],
    ['a token of two words', { authorization: 'Bearer abc def' }],
    ['another Origin', { ...token, origin: 'https://evil.example' }],
    ['the Origin null', { ...token, origin: 'null' }],
    ['an empty Origin', { ...token, origin: '' }],
    ['an Origin with an allowed one as its prefix', { ...token, origin: `${origin}.evil.example` }],
    ['Sec-Fetch-Site: cross-site', { ...token, 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { ...token, 'sec-fetch-site': 'same-site' }],
    ['an unknown Sec-Fetch-Site', { ...token, 'sec-fetch-site': 'nested' }],
    ['a Sec-Fetch-Site that begins with none', { ...token, 'sec-fetch-site': 'none-x' }],
    ['a Sec-Fetch-Site that ends in none', { ...token, 'sec-fetch-site': 'x-none' }],
    ['a cookie', { ...token, cookie: 'sid=1' }],
    ['a cookie of a load balancer', { ...token, cookie: 'AWSALB=1' }],
    ['an empty cookie', { ...token, cookie: '' }],
  ])('refuses a request with %s, before the policy runs', async (_, headers) => {
    const policy = vi.fn();
    const { status, json } = await send(headers, { options: { ...bearer, policy } });
    expect([status, json.error.code]).toEqual([403, 'ERR_ORIGIN_REFUSED']);
    expect(policy).not.toHaveBeenCalled();
  });

  it('names the fix for a bearer token that comes with a cookie, and repeats neither', async () => {
    const { json } = await send({ ...token, cookie: 'sid=secret-session' });
    expect(json.error.message).toMatch(/must not have a cookie.*credentials: 'omit'/);
    expect(json.error.message).not.toMatch(/secret-session|abc/);
  });

  it('names the header that a client without an Origin must send', async () => {
    expect((await send({})).json.error.message).toContain('Authorization: Bearer');
  });

  it('requires JSON of a bearer client too', async () => {
    const { status } = await send({ ...token, 'content-type': 'text/plain' });
    expect(status).toBe(415);
  });

  it('still signs for a page of allowedOrigins, which may have a token and a cookie', async () => {
    expect((await send({ origin })).status).toBe(201);
    expect((await send({ ...token, origin, cookie: 'sid=1' })).status).toBe(201);
  });

  it('passes the request to getShopper, which identifies the caller', async () => {
    const store = memoryOrderStore();
    const getShopper: Options['getShopper'] = ({ request }) => ({
      id: `${request.headers.get('authorization')}`,
    });
    const { json } = await send(token, { options: { ...bearer, store, getShopper } });
    const checkout = await store.findCheckout(json.reference);
    expect(checkout?.subject).toBe(token.authorization);
  });

  it('returns 401 to an app whose token belongs to nobody, before the policy runs', async () => {
    const policy = vi.fn();
    const options = { ...bearer, policy, getShopper: () => undefined };
    const { status, json } = await send(token, { options });
    expect([status, json.error.code]).toEqual([401, 'ERR_SIGNED_OUT']);
    expect(policy).not.toHaveBeenCalled();
  });

  it('protects the continuation of a checkout in the same way', async () => {
    const options = { ...bearer, store: memoryOrderStore() };
    const path = '/checkouts/q1Jz8sUjXo2dR4TkWb7n9A/continue';
    expect((await send(token, { options, path })).status).toBe(404);
    expect((await send({ ...token, cookie: 'sid=1' }, { options, path })).status).toBe(403);
    expect((await send({}, { options, path })).status).toBe(403);
  });

  it.each(['GET', 'HEAD'])(
    'reads with %s as before: without an Origin, whatever identifies the caller',
    async (method) => {
      const options: Options = {
        ...bearer,
        store: memoryOrderStore(),
        getShopper: ({ request }) =>
          request.headers.get('authorization') ? { id: 'u1' } : undefined,
      };
      const handler = createTestHandler({ onError: () => {}, ...options });
      const request = (path: string, init: RequestInit) =>
        handler(new Request(`https://shop.example/api/ramp${path}`, init));
      const body = '{"widget":"on-ramp"}';
      const headers = { ...token, 'content-type': 'application/json' };
      const opened = await request('/checkouts', { method: 'POST', headers, body });
      const { reference } = await opened.json();
      for (const path of [
        '/checkouts',
        `/checkouts/${reference}`,
        `/checkouts?references=${reference}`,
      ])
        for (const more of [{}, { cookie: 'AWSALB=1' }]) {
          const { status, body } = await request(path, { method, headers: { ...token, ...more } });
          await body?.cancel();
          expect([path, status]).toEqual([path, 200]);
        }
      expect((await request(`/checkouts/${reference}`, { method })).status).toBe(404);
    },
  );

  it('signs a request over HTTP, as the fetch of an app sends it', async () => {
    const handle = toNodeHandler(createTestHandler({ onError: () => {}, ...bearer }));
    const server = createServer(handle).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const post = (headers: HeadersInit) =>
      fetch(`http://127.0.0.1:${port}/api/ramp/checkouts`, {
        method: 'POST',
        headers: new Headers([['Content-Type', 'application/json'], ...new Headers(headers)]),
        body: '{"widget":"on-ramp"}',
        credentials: 'omit',
      });
    expect((await post(token)).status).toBe(201);
    expect((await post({ ...token, Cookie: 'a=1' })).status).toBe(403);
    expect((await post({})).status).toBe(403);
  });

  it('allows no other origin to send the token: the preflight of its browser fails', async () => {
    const { response } = await send(
      {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
      { method: 'OPTIONS' },
    );
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('sends an app without an Origin no CORS header for one', async () => {
    const { response } = await send(token);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the handler without allowBearer', () => {
  it.each([
    ['no option allowBearer', {}],
    ['allowBearer: false', { allowBearer: false }],
  ])('refuses a bearer token without an Origin: %s', async (_, options) => {
    const { status, json } = await send(token, { options });
    expect([status, json.error.code]).toEqual([403, 'ERR_ORIGIN_REFUSED']);
    expect(json.error.message).not.toContain('Bearer');
  });
});
