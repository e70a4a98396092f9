import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  apiPrivateKey,
  countRequests,
  createTestApi,
  destroyConnection,
  envelope,
  expectRampError,
  quoteData,
  quoteQuery,
  respondWithBody,
  respondWithData,
  setUpUpstream,
  startUpstream,
} from '../../support/server/startUpstream.js';

const upstream = setUpUpstream();

const callApi = (options = {}, internals = {}) =>
  createTestApi(upstream, options, internals).quote(quoteQuery);

describe('createPartnerApi with an invalid response', () => {
  const big = Buffer.alloc(2_000_001, ' ');
  it.each([
    ['HTML', respondWithBody('<html><h1>Bad day</h1></html>'), 'is not JSON'],
    ['empty', respondWithBody(''), 'is not JSON'],
    ['not UTF-8', respondWithBody(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'is not JSON'],
    ['nested too deeply', respondWithBody('['.repeat(500_000)), 'is not JSON'],
    ['larger than 2 MB', respondWithBody(big), 'larger than 2 MB'],
    ['a list in place of an envelope', respondWithBody('[]'), 'section 2'],
    ['an envelope without its data', respondWithData('null'), 'section 2'],
    ['success with an error status', respondWithBody(envelope, 404), 'the status of an error'],
    [
      'a redirect',
      respondWithBody('', 302, { Location: 'https://evil.example/' }),
      'is a redirect',
    ],
    [
      'a permanent redirect',
      respondWithBody(envelope, 308, { Location: '/elsewhere' }),
      'is a redirect',
    ],
  ])('throws ERR_RESPONSE_INVALID after one attempt: %s', async (_, respond, words) => {
    upstream.respondWith(respond);
    await expect(callApi()).rejects.toThrow(expectRampError('ERR_RESPONSE_INVALID', words));
    expect(await countRequests(upstream, callApi)).toBe(1);
  });

  it('throws ERR_RESPONSE_INVALID for a body that exceeds 2 MB after decompression', async () => {
    const { gzipSync } = await import('node:zlib');
    upstream.respondWith(respondWithBody(gzipSync(big), 200, { 'Content-Encoding': 'gzip' }));
    await expect(callApi()).rejects.toThrow(
      expectRampError('ERR_RESPONSE_INVALID', 'larger than 2 MB'),
    );
  });

  it('throws ERR_RESPONSE_INVALID for a body that is truncated at any position', async () => {
    const api = createTestApi(upstream);
    for (let length = 0; length < envelope.length; length += 7) {
      upstream.respondWith(respondWithBody(envelope.slice(0, length)));
      await expect(api.quote(quoteQuery)).rejects.toThrow(expectRampError('ERR_RESPONSE_INVALID'));
    }
  });

  it('does not follow a redirect, which would send the signature to another host', async () => {
    const other = await startUpstream();
    onTestFinished(() => other.close());
    other.respondWith(respondWithData(quoteData));
    upstream.respondWith(
      respondWithBody('', 307, { Location: `${other.baseUrl}/open/api/onramp/price` }),
    );
    await expect(callApi()).rejects.toThrow('baseUrl');
    expect(other.requests).toHaveLength(0);
  });
});

describe('createPartnerApi with a refusal of the service', () => {
  it.each([
    ['10003', '"code":10003,"msg":"Signature error"', 'clock'],
    ['10002', '"code":"10002","msg":"incorrect params"', 'parameters'],
    ['20001', '"code":20001,"msg":"Partner suspended"', 'Partner suspended'],
  ])(
    'throws ERR_API_RESPONSE with the code %s after one attempt',
    async (apiCode, fields, words) => {
      upstream.respondWith(respondWithBody(`{${fields},"data":null}`));
      await expect(callApi()).rejects.toMatchObject({
        code: 'ERR_API_RESPONSE',
        apiCode,
        message: expect.stringContaining(words),
      });
      expect(await countRequests(upstream, callApi)).toBe(1);
    },
  );

  it('reports the clock skew for a refused signature', async () => {
    upstream.respondWith(respondWithBody('{"code":10003,"msg":"Signature error","data":null}'));
    const late = () => Date.now() - 600_000;
    await expect(callApi({}, { now: late })).rejects.toThrow(
      /clock of this server is (599|600|601) seconds behind/,
    );
    const early = () => Date.now() + 600_000;
    await expect(callApi({}, { now: early })).rejects.toThrow(/(599|600|601) seconds ahead of/);
    await expect(callApi()).rejects.not.toThrow('seconds');
  });
});

describe('createPartnerApi with a transient failure', () => {
  it.each([
    ['a connection that breaks before the response', destroyConnection, 'ERR_NETWORK'],
    [
      'the status 500',
      respondWithBody('{"code":99,"msg":"oops","data":null}', 500),
      'ERR_API_RESPONSE',
    ],
    ['the status 503 with HTML', respondWithBody('<html>', 503), 'ERR_RESPONSE_INVALID'],
    [
      'the status 429',
      respondWithBody('{"code":42,"msg":"slow down","data":null}', 429),
      'ERR_API_RESPONSE',
    ],
    [
      'a connection that breaks during the response',
      ((_, response) => {
        response.writeHead(200, { 'Content-Length': envelope.length });
        response.write(envelope.slice(0, 50), () => response.destroy());
      }) satisfies ReturnType<typeof respondWithBody>,
      'ERR_NETWORK',
    ],
  ])('makes three attempts: %s', async (_, respond, code) => {
    upstream.respondWith(respond);
    await expect(callApi()).rejects.toThrow(expectRampError(code));
    expect(await countRequests(upstream, callApi)).toBe(3);
  });

  it('returns the response of a later attempt', async () => {
    upstream.respondWith(destroyConnection, respondWithBody('', 500), respondWithData(quoteData));
    expect(await callApi()).toMatchObject({ fiatCurrency: 'USD' });
  });

  it('throws ERR_NETWORK with the cause when the connection is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const api = createTestApi({ baseUrl: `http://127.0.0.1:${port}` });
    await expect(api.fiatCurrencies()).rejects.toThrow(
      expectRampError('ERR_NETWORK', 'ECONNREFUSED'),
    );
  });

  it('waits for Retry-After, but at most for timeoutMs', async () => {
    upstream.respondWith(
      respondWithBody('', 503, { 'Retry-After': '0' }),
      respondWithData(quoteData),
    );
    expect(await countRequests(upstream, callApi)).toBe(2);
    upstream.respondWith(
      respondWithBody('', 429, { 'Retry-After': '60' }),
      respondWithData(quoteData),
    );
    expect(await countRequests(upstream, callApi)).toBe(1);
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    upstream.respondWith(
      respondWithBody('', 503, { 'Retry-After': inAnHour }),
      respondWithData(quoteData),
    );
    expect(await countRequests(upstream, callApi)).toBe(1);
  });
});

describe('createPartnerApi with a slow response', () => {
  const stages: readonly [string, ReturnType<typeof respondWithBody>][] = [
    ['never begins', () => {}],
    ['stops after its headers', (_, response) => response.writeHead(200).flushHeaders()],
    [
      'stops in its body',
      (_, response) => {
        response.writeHead(200);
        response.write(envelope.slice(0, 50));
      },
    ],
  ];
  it.each(stages)(
    'throws ERR_TIMEOUT after three attempts: the response %s',
    async (_, respond) => {
      upstream.respondWith(respond);
      const slow = () => callApi({ timeoutMs: 60 });
      await expect(slow()).rejects.toThrow(expectRampError('ERR_TIMEOUT', '60 ms'));
      expect(await countRequests(upstream, slow)).toBe(3);
    },
  );
});

describe('createPartnerApi with an aborted call', () => {
  it.each([
    ['while it waits for the response', () => {}],
    ['while it waits for another attempt', respondWithBody('', 503, { 'Retry-After': '2' })],
  ])('rejects immediately with the reason of the signal: %s', async (_, respond) => {
    const controller = new AbortController();
    const before = upstream.requests.length;
    upstream.respondWith((request, response) => {
      respond(request, response);
      setImmediate(() => controller.abort(new Error('no longer wanted')));
    });
    const call = createTestApi(upstream).quote(quoteQuery, { signal: controller.signal });
    await expect(call).rejects.toThrow('no longer wanted');
    expect(upstream.requests.length).toBe(before + 1);
  });

  it('sends no request if the signal is already aborted', async () => {
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    const call = () => createTestApi(upstream).fiatCurrencies({ signal });
    await expect(call()).rejects.toThrow('no longer wanted');
    expect(await countRequests(upstream, call)).toBe(0);
  });
});

describe('createPartnerApi with a fault of the client', () => {
  it.each([
    ['a clock of seconds', { now: () => Math.floor(Date.now() / 1000) }],
    ['a clock of dates', { now: () => new Date().toISOString() as never }],
  ])('throws ERR_CONFIG_INVALID before it sends a request: %s', async (_, runtime) => {
    upstream.respondWith(respondWithData(quoteData));
    await expect(callApi({}, runtime)).rejects.toThrow(expectRampError('ERR_CONFIG_INVALID'));
    expect(await countRequests(upstream, () => callApi({}, runtime))).toBe(0);
  });

  it.each([
    ['with undefined', () => Promise.reject()],
    [
      'synchronously',
      () => {
        throw new Error('no');
      },
    ],
    ['with an invalid response', () => Promise.resolve()],
  ])('throws ERR_NETWORK when the option fetch fails %s', async (_, fetch) => {
    await expect(callApi({ fetch })).rejects.toThrow(expectRampError('ERR_NETWORK'));
  });
});

describe('the errors of createPartnerApi', () => {
  it('never contain the key, a signature or a body', async () => {
    upstream.respondWith(respondWithBody('<b>secret-of-the-body</b>', 500));
    const reason = await callApi().catch((e) => e);
    const { inspect } = await import('node:util');
    const printed = inspect(reason, { depth: 9 }) + reason.message;
    expect(printed).not.toContain('secret-of-the-body');
    expect(printed).not.toContain(apiPrivateKey.split('\n')[1]);
    for (const { headers } of upstream.requests.slice(-3))
      expect(printed).not.toContain(headers['x-fp-signature']);
  });
});
