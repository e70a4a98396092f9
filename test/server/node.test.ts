import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type NodeHandler, toNodeHandler } from '../../src/server/node.js';
import { createHandlerWithCheckout } from '../support/server/createHandlerWithCheckout.js';
import { createTestHandler, origin } from '../support/server/createTestHandler.js';

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const poll = '/api/ramp/checkouts?references=r1';
const withContext = createTestHandler<{ wallet: string }>({
  policy: ({ context }) => ({ params: { walletAddress: context.wallet } }),
});
const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/ramp/checkouts`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', ...headers },
    body: '{"widget":"on-ramp","params":{}}',
  });

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

  it('responds 500 and logs when a function around the handler throws', async () => {
    const error = new Error('no session store');
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const failing: typeof withContext = () => Promise.reject(error);
    const response = await post(
      await listen(toNodeHandler(failing, { context: () => ({ wallet: '' }) })),
    );
    expect([response.status, (await response.json()).error.code]).toEqual([500, 'ERR_INTERNAL']);
    expect(log.mock.calls).toEqual([['[partner-ramp]', error]]);
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

  it('responds over HTTP/2', async () => {
    const { handler } = await createHandlerWithCheckout();
    const server = createHttp2Server(toNodeHandler(handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    const stream = client.request({ ':path': poll });
    const [head] = await once(stream, 'response');
    expect([head[':status'], head['cache-control']]).toEqual([200, 'no-store']);
    let text = '';
    for await (const chunk of stream) text += chunk;
    expect(JSON.parse(text).named).toMatchObject([{ reference: 'r1', progress: 'waiting' }]);
  });
});
