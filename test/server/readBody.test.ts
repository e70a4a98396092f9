import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toExpress } from '../../src/server/express.js';
import { toNodeHandler, toRequest } from '../../src/server/node.js';
import { createTestHandler, origin } from '../support/server/createTestHandler.js';

const proposal = { widget: 'on-ramp', params: {} };
const headers = { origin, 'content-type': 'application/json' };

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/ramp/checkouts`;
}

const open = (url: string, body = JSON.stringify(proposal)) =>
  fetch(url, { method: 'POST', headers, body });

/** A request as an adapter of a platform creates it, without a connection. */
function createPlatformRequest(fields: object): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  return Object.assign(req, { method: 'POST', url: '/api/ramp/checkouts', ...fields });
}

/** Resolves with the status and the body of the response. */
async function send(listener: ReturnType<typeof toNodeHandler>, req: IncomingMessage) {
  const res = new ServerResponse(req);
  const chunks: Buffer[] = [];
  res.write = ((chunk: Buffer) => chunks.push(Buffer.from(chunk)) > 0) as never;
  res.end = ((chunk?: Buffer) => {
    if (chunk) chunks.push(Buffer.from(chunk));
    return res;
  }) as never;
  await listener(req, res);
  return { status: res.statusCode, json: JSON.parse(Buffer.concat(chunks).toString()) };
}

describe('a request whose body was read before', () => {
  it.each([
    ['express.json()', express.json()],
    ['express.text()', express.text({ type: '*/*' })],
    ['express.raw()', express.raw({ type: '*/*' })],
  ])('is taken from the body that %s has left', async (_, parser) => {
    const app = express().use(parser, toExpress(createTestHandler()));
    const response = await open(await listen(app));
    expect([response.status, Object.keys(await response.json())]).toEqual([
      201,
      ['reference', 'params', 'expiresInSeconds', 'isListed'],
    ]);
  });

  it('is taken from rawBody, as of Cloud Functions and Nest', async () => {
    const listener = toNodeHandler(createTestHandler());
    const url = await listen(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      Object.assign(req, { rawBody: Buffer.concat(chunks), body: { widget: 'nonsense' } });
      await listener(req, res);
    });
    expect((await open(url)).status).toBe(201);
  });

  it('still has to be small and JSON', async () => {
    const app = express().use(express.json({ limit: '1mb' }), toExpress(createTestHandler()));
    const url = await listen(app);
    const large = JSON.stringify({ ...proposal, params: { extra: 'x'.repeat(20_000) } });
    expect((await open(url, large)).status).toBe(413);
    const form = await fetch(url, { method: 'POST', headers: { origin }, body: 'widget=on-ramp' });
    expect(form.status).toBe(415);
  });

  it('is refused with the cause if nothing is left of it', async () => {
    const listener = toNodeHandler(createTestHandler());
    const url = await listen(async (req, res) => {
      for await (const _ of req);
      await listener(req, res);
    });
    const response = await open(url);
    expect(response.status).toBe(500);
    expect((await response.json()).error.message).toContain('neither rawBody nor body');
  });
});

describe('a request of an Express adapter for AWS Lambda', () => {
  it('is read although it has no raw headers', async () => {
    const listener = toNodeHandler(createTestHandler());
    const body = JSON.stringify(proposal);
    const length = { 'content-length': `${body.length}`, host: 'shop.example' };
    const req = createPlatformRequest({ headers: { ...headers, ...length } });
    req.push(body);
    req.push(null);
    expect(await send(listener, req)).toMatchObject({ status: 201 });
  });
});

describe('toRequest', () => {
  it('returns a Request with the method, path, query, headers and body', async () => {
    let received: unknown;
    const url = await listen(async (req, res) => {
      const request = toRequest(req);
      const { method, url, headers: given } = request;
      received = { method, url, json: await request.json(), origin: given.get('origin') };
      res.end();
    });
    await open(`${url}?a=%20b`);
    expect(received).toEqual({
      method: 'POST',
      url: `${url}?a=%20b`,
      json: proposal,
      origin,
    });
  });

  it('keeps each value of a repeated header', async () => {
    const req = createPlatformRequest({ method: 'GET', headers: { 'x-fp-nonce': ['1', '2'] } });
    expect(toRequest(req).headers.get('x-fp-nonce')).toBe('1, 2');
  });

  it('has the whole path where an app is mounted below another', async () => {
    const app = express().use('/api/ramp', (req, res) => {
      res.send(new URL(toRequest(req).url).pathname);
    });
    const response = await fetch(await listen(app));
    expect(await response.text()).toBe('/api/ramp/checkouts');
  });

  it('takes a request whose Host header is no host', () => {
    const req = createPlatformRequest({ method: 'GET', headers: { host: 'a b' } });
    expect(toRequest(req).url).toBe('http://localhost/api/ramp/checkouts');
  });

  it('lets a framework send the response, so that its cookies are part of it', async () => {
    const handler = createTestHandler();
    const app = express().use('/api/ramp', async (req, res) => {
      res.cookie('session', 'renewed');
      const response = await handler(toRequest(req));
      res
        .status(response.status)
        .type('json')
        .send(await response.text());
    });
    const response = await open(await listen(app));
    expect([response.status, response.headers.get('set-cookie')]).toEqual([
      201,
      expect.stringContaining('session=renewed'),
    ]);
  });
});
