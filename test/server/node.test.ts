import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRampHandler, createWidgetSigner, memoryOrderStore } from '../../src/server/index.js';
import { type NodeHandler, toNodeHandler } from '../../src/server/node.js';
import { createHandlerWithCheckout } from '../support/server/createHandlerWithCheckout.js';
import { origin, secretKey } from '../support/server/createTestHandler.js';
import { abandonRequest, openEventStream } from '../support/server/openEventStream.js';

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const events = '/api/ramp/checkouts/r1/events';
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const withContext = createRampHandler<{ wallet: string }>({
  signer: createWidgetSigner({ partnerId: 'p1', secretKey }),
  allowedOrigins: [origin],
  policy: ({ context }) => ({ params: { walletAddress: context.wallet }, subject: 'u1' }),
});
const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/ramp/checkouts`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', ...headers },
    body: '{"widget":"on-ramp","params":{}}',
  });

/** Tries to open a stream up to 22 times. Returns 200 as soon as one opens, otherwise the last status. */
async function statusOfNext(url: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    const { response, leave } = await openEventStream(url + events);
    leave();
    if (response.status === 200 || tries > 20) return response.status;
    await pause(25);
  }
}

describe('toNodeHandler', () => {
  it('grants a checkout in node:http with the context of the request', async () => {
    const ramp = toNodeHandler(withContext, {
      context: (req) => ({ wallet: req.headers.cookie?.split('wallet=')[1] ?? '0xF0' }),
    });
    const response = await post(await listen(ramp), { cookie: 'a=b; wallet=0xA1' });
    expect(response.status).toBe(201);
    expect((await response.json()).params.walletAddress).toBe('0xA1');
  });

  it('sends every header and the length of a response', async () => {
    const ramp = toNodeHandler(withContext, { context: () => ({ wallet: '0xÄ' }) });
    const response = await post(await listen(ramp));
    const { length } = new Uint8Array(await response.clone().arrayBuffer());
    expect(response.status).toBe(400);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(length),
      'cache-control': 'no-store',
      'access-control-allow-origin': origin,
      vary: 'Origin',
    });
    expect((await response.json()).error.code).toBe('ERR_PARAMS_INVALID');
  });

  it('sends each cookie that a function around the handler sets', async () => {
    const withCookies: typeof withContext = async (request, context) => {
      const response = await withContext(request, context);
      response.headers.append('set-cookie', 'a=1');
      response.headers.append('set-cookie', 'b=2');
      return response;
    };
    const ramp = toNodeHandler(withCookies, { context: () => ({ wallet: '0xA1' }) });
    const response = await post(await listen(ramp));
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect((await response.json()).params.walletAddress).toBe('0xA1');
  });

  it('closes the stream of each client that disconnects', async () => {
    const { handler } = await createHandlerWithCheckout();
    const url = await listen(toNodeHandler(handler));
    for (let loads = 0; loads < 6; loads++) {
      const stream = await openEventStream(url + events);
      expect(stream.response.status).toBe(200);
      await stream.until('"waiting"');
      stream.leave();
      await pause(20);
    }
    expect(await statusOfNext(url)).toBe(200);
  });

  it('does not open a stream for a client that disconnects while its checkout is read', async () => {
    const inner = memoryOrderStore();
    const findCheckout = vi.fn(inner.findCheckout);
    const { handler } = await createHandlerWithCheckout({ store: { ...inner, findCheckout } });
    const url = await listen(toNodeHandler(handler));
    findCheckout.mockImplementation(async (reference) => {
      await pause(80);
      return inner.findCheckout(reference);
    });
    for (let loads = 0; loads < 4; loads++) await abandonRequest(url + events);
    await pause(150);
    findCheckout.mockImplementation(inner.findCheckout);
    expect(await statusOfNext(url)).toBe(200);
  });

  it('does not call the handler for a client that disconnects while its context is read', async () => {
    const { handler } = await createHandlerWithCheckout();
    const called = vi.fn(handler);
    let isSlow = true;
    const ramp = toNodeHandler(called, { context: () => pause(isSlow ? 80 : 0) });
    const url = await listen(ramp);
    for (let loads = 0; loads < 4; loads++) await abandonRequest(url + events);
    await pause(150);
    expect(called).not.toHaveBeenCalled();
    isSlow = false;
    expect(await statusOfNext(url)).toBe(200);
  });

  it('responds 500 and logs when the context rejects', async () => {
    const error = new Error('no session store');
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const ramp = toNodeHandler(withContext, { context: () => Promise.reject(error) });
    const response = await post(await listen(ramp));
    expect([response.status, (await response.json()).error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(log.mock.calls).toEqual([['[partner-ramp]', error]]);
  });

  it('passes an error of the context to next, if it is called with next', async () => {
    const error = new Error('no session store');
    const ramp = toNodeHandler(withContext, { context: () => Promise.reject(error) });
    const url = await listen((req, res) => {
      ramp(req, res, (passed) => res.writeHead(503).end(String(passed)));
    });
    const response = await post(url);
    expect([response.status, await response.text()]).toEqual([503, String(error)]);
  });

  it('reports that a body parser has read the request', async () => {
    const ramp: NodeHandler = toNodeHandler((await createHandlerWithCheckout()).handler);
    const url = await listen(async (req, res) => {
      for await (const _ of req);
      await ramp(req, res);
    });
    const response = await post(url);
    expect(response.status).toBe(500);
    expect((await response.json()).error.message).toContain('toNodeHandler');
  });

  it('does not call the handler for an HTTP/2 client that disconnects while its context is read', async () => {
    const called = vi.fn((await createHandlerWithCheckout()).handler);
    const server = createHttp2Server(toNodeHandler(called, { context: () => pause(60) }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    const stream = client.request({ ':path': events });
    stream.on('error', () => {});
    await pause(20);
    stream.close();
    await pause(100);
    expect(called).not.toHaveBeenCalled();
  });

  it('responds over HTTP/2', async () => {
    const { handler } = await createHandlerWithCheckout();
    const server = createHttp2Server(toNodeHandler(handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    const stream = client.request({ ':path': events });
    const [head] = await once(stream, 'response');
    expect(head[':status']).toBe(200);
    expect(head['cache-control']).toBe('no-store, no-transform');
    let text = '';
    for await (const chunk of stream) {
      text += chunk;
      if (text.includes('"waiting"')) break;
    }
    expect(text).toContain('event: checkout');
  });
});
