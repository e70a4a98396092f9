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

const ask = (options = {}, internals = {}) =>
  createTestApi(upstream, options, internals).quote(quoteQuery);

describe('an answer that is none', () => {
  const big = Buffer.alloc(2_000_001, ' ');
  it.each([
    ['HTML', respondWithBody('<html><h1>Bad day</h1></html>'), 'is not JSON'],
    ['empty', respondWithBody(''), 'is not JSON'],
    ['not UTF-8', respondWithBody(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'is not JSON'],
    ['nested beyond measure', respondWithBody('['.repeat(500_000)), 'is not JSON'],
    ['larger than 2 MB', respondWithBody(big), 'larger than 2 MB'],
    ['no envelope', respondWithBody('[]'), 'section 2'],
    ['an envelope without its data', respondWithData('null'), 'section 2'],
    ['success with an error status', respondWithBody(envelope, 404), 'no success'],
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
  ])('ends in ERR_RESPONSE_INVALID after one try: %s', async (_, answer, words) => {
    upstream.respondWith(answer);
    await expect(ask()).rejects.toThrow(expectRampError('ERR_RESPONSE_INVALID', words));
    expect(await countRequests(upstream, ask)).toBe(1);
  });

  it('ends in ERR_RESPONSE_INVALID when it is larger than 2 MB only once it is unpacked', async () => {
    const { gzipSync } = await import('node:zlib');
    upstream.respondWith(respondWithBody(gzipSync(big), 200, { 'Content-Encoding': 'gzip' }));
    await expect(ask()).rejects.toThrow(
      expectRampError('ERR_RESPONSE_INVALID', 'larger than 2 MB'),
    );
  });

  it('ends in ERR_RESPONSE_INVALID wherever its text is cut off', async () => {
    const api = createTestApi(upstream);
    for (let length = 0; length < envelope.length; length += 7) {
      upstream.respondWith(respondWithBody(envelope.slice(0, length)));
      await expect(api.quote(quoteQuery)).rejects.toThrow(expectRampError('ERR_RESPONSE_INVALID'));
    }
  });

  it('is not followed to another host, where its signature would go', async () => {
    const other = await startUpstream();
    onTestFinished(() => other.close());
    other.respondWith(respondWithData(quoteData));
    upstream.respondWith(
      respondWithBody('', 307, { Location: `${other.baseUrl}/open/api/onramp/price` }),
    );
    await expect(ask()).rejects.toThrow('baseUrl');
    expect(other.requests).toHaveLength(0);
  });
});

describe('a refusal of the service', () => {
  it.each([
    ['10003', '"code":10003,"msg":"Signature error"', 'clock'],
    ['10002', '"code":"10002","msg":"incorrect params"', 'parameters'],
    ['20001', '"code":20001,"msg":"Partner suspended"', 'Partner suspended'],
  ])('is ERR_API_RESPONSE with its code %s, after one try', async (apiCode, fields, words) => {
    upstream.respondWith(respondWithBody(`{${fields},"data":null}`));
    await expect(ask()).rejects.toMatchObject({
      code: 'ERR_API_RESPONSE',
      apiCode,
      message: expect.stringContaining(words),
    });
    expect(await countRequests(upstream, ask)).toBe(1);
  });

  it('says by how much the clock of this server is wrong, when it may be that', async () => {
    upstream.respondWith(respondWithBody('{"code":10003,"msg":"Signature error","data":null}'));
    const late = () => Date.now() - 600_000;
    await expect(ask({ now: late })).rejects.toThrow(
      /clock of this server is (599|600|601) seconds behind/,
    );
    const early = () => Date.now() + 600_000;
    await expect(ask({ now: early })).rejects.toThrow(/(599|600|601) seconds ahead of/);
    await expect(ask()).rejects.not.toThrow('seconds');
  });
});

describe('a failure that may pass', () => {
  it.each([
    ['a connection that breaks before the answer', destroyConnection, 'ERR_NETWORK'],
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
      'a connection that breaks within the answer',
      ((_, response) => {
        response.writeHead(200, { 'Content-Length': envelope.length });
        response.write(envelope.slice(0, 50), () => response.destroy());
      }) satisfies ReturnType<typeof respondWithBody>,
      'ERR_NETWORK',
    ],
  ])('is tried three times: %s', async (_, answer, code) => {
    upstream.respondWith(answer);
    await expect(ask()).rejects.toThrow(expectRampError(code));
    expect(await countRequests(upstream, ask)).toBe(3);
  });

  it('is forgotten when a later try goes well', async () => {
    upstream.respondWith(destroyConnection, respondWithBody('', 500), respondWithData(quoteData));
    expect(await ask()).toMatchObject({ fiatCurrency: 'USD' });
  });

  it('is ERR_NETWORK where nobody listens, and says why', async () => {
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

  it('waits as long as the service asks for, but not longer than a try may take', async () => {
    upstream.respondWith(
      respondWithBody('', 503, { 'Retry-After': '0' }),
      respondWithData(quoteData),
    );
    expect(await countRequests(upstream, ask)).toBe(2);
    upstream.respondWith(
      respondWithBody('', 429, { 'Retry-After': '60' }),
      respondWithData(quoteData),
    );
    expect(await countRequests(upstream, ask)).toBe(1);
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    upstream.respondWith(
      respondWithBody('', 503, { 'Retry-After': inAnHour }),
      respondWithData(quoteData),
    );
    expect(await countRequests(upstream, ask)).toBe(1);
  });
});

describe('an answer that is slow', () => {
  const stages: readonly [string, ReturnType<typeof respondWithBody>][] = [
    ['never begins', () => {}],
    ['stops after its head', (_, response) => response.writeHead(200).flushHeaders()],
    [
      'stops in its body',
      (_, response) => {
        response.writeHead(200);
        response.write(envelope.slice(0, 50));
      },
    ],
  ];
  it.each(stages)('ends in ERR_TIMEOUT, after three tries: it %s', async (_, answer) => {
    upstream.respondWith(answer);
    const slow = () => ask({ timeoutMs: 60 });
    await expect(slow()).rejects.toThrow(expectRampError('ERR_TIMEOUT', '60 ms'));
    expect(await countRequests(upstream, slow)).toBe(3);
  });
});

describe('a caller who gives up', () => {
  it.each([
    ['while it waits for the answer', () => {}],
    ['while it waits for another try', respondWithBody('', 503, { 'Retry-After': '2' })],
  ])('is let go at once, with the reason of the signal: %s', async (_, answer) => {
    const controller = new AbortController();
    const before = upstream.requests.length;
    upstream.respondWith((request, response) => {
      answer(request, response);
      setImmediate(() => controller.abort(new Error('no longer wanted')));
    });
    const call = createTestApi(upstream).quote(quoteQuery, { signal: controller.signal });
    await expect(call).rejects.toThrow('no longer wanted');
    expect(upstream.requests.length).toBe(before + 1);
  });

  it('before it begins asks nothing', async () => {
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    const call = () => createTestApi(upstream).fiatCurrencies({ signal });
    await expect(call()).rejects.toThrow('no longer wanted');
    expect(await countRequests(upstream, call)).toBe(0);
  });
});

describe('what is at fault here and not there', () => {
  it.each([
    ['a nonce that is none', {}, { nonce: () => '' }],
    ['a nonce of other length', {}, { nonce: () => '12345' }],
    ['a clock of seconds', { now: () => Math.floor(Date.now() / 1000) }, {}],
  ])('is ERR_CONFIG_INVALID before anything is sent: %s', async (_, options, internals) => {
    upstream.respondWith(respondWithData(quoteData));
    await expect(ask(options, internals)).rejects.toThrow(expectRampError('ERR_CONFIG_INVALID'));
    expect(await countRequests(upstream, () => ask(options, internals))).toBe(0);
  });

  it.each([
    ['with nothing', () => Promise.reject()],
    [
      'at once',
      () => {
        throw new Error('no');
      },
    ],
    ['with an answer that is none', () => Promise.resolve()],
  ])("is ERR_NETWORK where a fetch of one's own fails %s", async (_, fetch) => {
    await expect(ask({ fetch })).rejects.toThrow(expectRampError('ERR_NETWORK'));
  });
});

describe('what an error says', () => {
  it('never holds the key, a signature or a body', async () => {
    upstream.respondWith(respondWithBody('<b>secret-of-the-body</b>', 500));
    const reason = await ask().catch((e) => e);
    const { inspect } = await import('node:util');
    const said = inspect(reason, { depth: 9 }) + reason.message;
    expect(said).not.toContain('secret-of-the-body');
    expect(said).not.toContain(apiPrivateKey.split('\n')[1]);
    for (const { headers } of upstream.requests.slice(-3))
      expect(said).not.toContain(headers['x-fp-signature']);
  });
});
