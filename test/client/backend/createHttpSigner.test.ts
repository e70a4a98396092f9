import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpSigner, type RampError } from '../../../src/index.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function backend(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await new Promise((done) => server.once('listening', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ramp`;
}

const proposal = { widget: 'on-ramp' as const, params: { walletAddress: '0xF0' } };
const sign = (url: string, options = {}) =>
  createHttpSigner({ url, ...options })(proposal, { signal: new AbortController().signal });

const failure = async (url: string): Promise<RampError> => {
  try {
    await sign(url);
  } catch (error) {
    return error as RampError;
  }
  throw new Error('The call did not reject.');
};

describe('createHttpSigner', () => {
  it.each([
    ['returns headers', (n: number) => ({ 'X-Token': `t${n}`, 'content-type': 'text/plain' })],
    ['resolves to headers', async (n: number) => ({ 'X-Token': `t${n}` })],
  ])('calls a headers function that %s for each request', async (_, tokenOf) => {
    const seen: unknown[] = [];
    const url = await backend((req, res) => {
      seen.push([req.headers['x-token'], req.headers['content-type']]);
      res.end('{"params":{"signature":"x"}}');
    });
    let count = 0;
    const signer = createHttpSigner({ url, headers: () => tokenOf(++count) });
    const { signal } = new AbortController();
    await signer(proposal, { signal });
    await signer(proposal, { signal });
    expect(seen).toEqual([
      ['t1', 'application/json'],
      ['t2', 'application/json'],
    ]);
  });

  it('sends the proposal once more after a 401, with headers of a new call', async () => {
    const seen: unknown[] = [];
    const url = await backend(async (req, res) => {
      const body = await new Response(req as never).text();
      seen.push([req.headers['x-token'], req.headers['content-type'], body]);
      res.statusCode = req.headers['x-token'] === 't2' ? 201 : 401;
      res.end('{"params":{"signature":"x"}}');
    });
    let count = 0;
    const signed = await sign(url, { headers: async () => ({ 'X-Token': `t${++count}` }) });
    expect(signed).toEqual({ params: { signature: 'x' } });
    const body = JSON.stringify(proposal);
    expect(seen).toEqual([
      ['t1', 'application/json', body],
      ['t2', 'application/json', body],
    ]);
  });

  it('sends its requests with the given fetch', async () => {
    const send = vi.fn(async () => Response.json({ params: { signature: 'x' } }));
    await sign('https://shop.example/ramp', { fetch: send, credentials: 'omit' });
    expect(send.mock.calls).toEqual([
      [
        'https://shop.example/ramp/checkouts',
        expect.objectContaining({ method: 'POST', credentials: 'omit' }),
      ],
    ]);
  });

  it('posts the proposal as JSON with the given headers', async () => {
    let seen = {};
    const url = await backend((req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        seen = {
          method: req.method,
          path: req.url,
          type: req.headers['content-type'],
          csrf: req.headers['x-csrf'],
          body: JSON.parse(body),
        };
        res.writeHead(201, { 'content-type': 'application/json' });
        res.end('{"reference":"r","params":{"signature":"s"},"expiresInSeconds":240}');
      });
    });
    const answer = await sign(url, { headers: { 'X-Csrf': 't' } });
    expect(answer).toEqual({ reference: 'r', params: { signature: 's' }, expiresInSeconds: 240 });
    expect(seen).toEqual({
      method: 'POST',
      path: '/ramp/checkouts',
      type: 'application/json',
      csrf: 't',
      body: proposal,
    });
  });

  it("throws the backend's own error with its issues", async () => {
    const url = await backend((_, res) => {
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(
        '{"error":{"code":"ERR_PARAMS_INVALID","message":"No.","issues":[{"param":"amount","message":"is odd"}]}}',
      );
    });
    const error = await failure(url);
    expect(error).toMatchObject({
      code: 'ERR_PARAMS_INVALID',
      message: 'No.',
      issues: [{ param: 'amount', message: 'is odd' }],
    });
  });

  it.each([
    ['an HTML page with status 200', 200, '<html>'],
    ['a proxy error', 502, '<html>Bad gateway'],
    ['an empty response', 204, ''],
    ['JSON of another shape', 500, '{"message":"x"}'],
    ['JSON null', 200, 'null'],
  ])('throws ERR_SIGNER for %s', async (_, status, body) => {
    const url = await backend((_, res) => {
      res.writeHead(status);
      res.end(body);
    });
    expect((await failure(url)).code).toBe('ERR_SIGNER');
  });

  it('throws ERR_NETWORK when the backend cannot be reached', async () => {
    const url = await backend(() => {});
    closers.pop()?.();
    expect((await failure(url)).code).toBe('ERR_NETWORK');
  });

  it('rejects when its signal is aborted', async () => {
    const url = await backend(() => {});
    const controller = new AbortController();
    const signed = createHttpSigner({ url })(proposal, { signal: controller.signal });
    controller.abort();
    await expect(signed).rejects.toThrow();
  });

  it('sends a proposal once, also if the backend refuses it', async () => {
    const proposals: unknown[] = [];
    const url = await backend(async (req, res) => {
      let body = '';
      for await (const chunk of req) body += chunk;
      proposals.push(JSON.parse(body));
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ error: { code: 'ERR_PARAMS_INVALID', message: 'No.' } }));
    });
    const sent = { ...proposal, selection: { defaultCurrency: 'ETH', amount: '100' } };
    const signed = createHttpSigner({ url })(sent, { signal: new AbortController().signal });
    await expect(signed).rejects.toMatchObject({ status: 400, message: 'No.' });
    expect(proposals).toEqual([sent]);
  });
});
