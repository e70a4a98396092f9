import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type Express } from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toExpress } from '../../src/server/express.js';
import {
  createWebhookVerifier,
  memoryOrderStore,
  type WebhookError,
} from '../../src/server/index.js';
import { createFakeTracker } from '../support/server/createFakeTracker.js';
import { createTestHandler } from '../support/server/createTestHandler.js';
import {
  createWebhook,
  type TestWebhook,
  webhookPublicKey,
  webhookTime,
  webhookUrl,
} from '../support/server/createWebhook.js';
import { onRampCheckout } from '../support/server/orderFixtures.js';
import { testRuntime } from '../support/server/testRuntime.js';

const origin = 'https://shop.example';
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const handler = createTestHandler<{ wallet: string }>({
  policy: ({ context }) => ({ params: { walletAddress: context.wallet } }),
});
const mounted = toExpress(handler, {
  context: (req) => ({ wallet: req.get('x-demo-wallet') ?? '0xF0' }),
});

async function listen(app: Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await new Promise((done) => server.once('listening', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, body = '{"widget":"on-ramp","params":{}}') =>
  fetch(url, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'x-demo-wallet': '0xA1' },
    body,
  });

describe('a handler without an adapter', () => {
  it.each<[string, (ramp: never) => Express]>([
    ['Express', (ramp) => express().use('/api/ramp', ramp)],
    ['node:http', (ramp) => ramp],
  ])('responds to each request of %s with the name of the adapter', async (_, mount) => {
    const onError = vi.fn();
    const url = `${await listen(mount(createTestHandler({ onError }) as never))}/api/ramp`;
    for (const send of [() => post(`${url}/checkouts`), () => fetch(`${url}/currencies`)]) {
      const response = await send();
      const { error } = await response.json();
      expect([response.status, error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
      expect(error.message).toMatch(/toExpress\(\).*toNodeHandler\(\)/);
    }
    expect(onError).toHaveBeenCalledOnce();
  });

  it('returns that response to a server that passes its own context', async () => {
    const onError = vi.fn();
    const response = await createTestHandler({ onError })({ url: '/', headers: {} } as never);
    expect([response.status, onError.mock.calls.length]).toEqual([500, 1]);
  });
});

describe('toExpress', () => {
  it.each(['/api/ramp', '/shop/eu/pay', '/'])(
    'responds under %s and passes the context',
    async (path) => {
      const url = await listen(express().use(path, mounted));
      const response = await post(`${url}${path === '/' ? '' : path}/checkouts`);
      expect(response.status).toBe(201);
      expect((await response.json()).params.walletAddress).toBe('0xA1');
    },
  );

  it('responds inside a router and beside other routes', async () => {
    const app = express();
    app.use('/v2', express.Router().use('/ramp', mounted));
    app.get('/hello', (_, res) => res.send('hi'));
    const url = await listen(app);
    expect((await post(`${url}/v2/ramp/checkouts`)).status).toBe(201);
    expect(await (await fetch(`${url}/hello`)).text()).toBe('hi');
  });

  it('reports that a parser has read the body and kept nothing, and once to onError', async () => {
    const onError = vi.fn();
    const ramp = toExpress(createTestHandler({ onError }));
    const app = express();
    app.use((req, _, next) => void req.resume().on('end', () => next()));
    app.use('/api/ramp', ramp);
    const url = `${await listen(app)}/api/ramp/checkouts`;
    await post(url);
    const response = await post(url);
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({
          message: expect.stringContaining('left neither rawBody nor body'),
        }),
      ],
    ]);
    expect(response.status).toBe(500);
    const { error } = await response.json();
    expect(error.code).toBe('ERR_CONFIG_INVALID');
    expect(error.message).toContain('left neither rawBody nor body');
  });

  // Express 4 and 5 write a wildcard differently.
  const everyPath = /^\/api\/ramp\//;
  it.each<[string, (app: Express, ramp: express.RequestHandler) => unknown, string | undefined]>([
    ['post', (app, ramp) => app.post(everyPath, ramp), 'POST'],
    ['get', (app, ramp) => app.get(everyPath, ramp), 'GET'],
    ['all', (app, ramp) => app.all(everyPath, ramp), undefined],
    ['use', (app, ramp) => app.use('/api/ramp', ramp), undefined],
    ['route', (app, ramp) => app.route(everyPath).get(ramp).post(ramp), undefined],
    [
      'use after app.post',
      (app, ramp) => app.post(everyPath, (_, _response, next) => next()).use('/api/ramp', ramp),
      undefined,
    ],
  ])('reports once if app.%s passes only some methods on', async (_, mount, methods) => {
    const onError = vi.fn();
    const app = express();
    mount(app, toExpress(createTestHandler({ onError })));
    const url = `${await listen(app)}/api/ramp`;
    for (let i = 0; i < 2; i++) {
      await post(`${url}/checkouts`);
      await fetch(`${url}/currencies`);
    }
    const words = expect.stringMatching(
      new RegExp(`^toExpress\\(\\) is mounted for ${methods} req`),
    );
    expect(onError.mock.calls).toEqual(
      methods ? [[expect.objectContaining({ message: words })]] : [],
    );
  });

  it.each([
    ['accepts a body', ['{"widget":"on-', 'ramp","params"', ':{}}'], 201],
    ['refuses a large body', Array(20).fill('x'.repeat(1024)), 413],
  ])('%s that arrives in chunks', async (_, pieces, expected) => {
    const url = new URL(`${await listen(express().use('/api/ramp', mounted))}/api/ramp/checkouts`);
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(url, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      for (const piece of pieces) request.write(piece);
      request.end();
    });
    expect(status).toBe(expected);
  });

  it('passes a webhook on unchanged: its raw body, its query, and a duplicate header', async () => {
    const tracker = createFakeTracker();
    const refused: unknown[] = [];
    const store = memoryOrderStore();
    const webhooks = createWebhookVerifier(
      { publicKey: webhookPublicKey, url: webhookUrl },
      testRuntime({ now: () => webhookTime * 1000 }),
    );
    const ramp = createTestHandler({
      store,
      webhooks,
      tracker,
      onError: (error) => refused.push((error as WebhookError).reason),
    });
    const url = await listen(express().use('/pay', toExpress(ramp)));
    const query = '?a=%E2%82%AC%20b&c=%2526';
    const deliver = ({ headers, body }: TestWebhook, also: readonly string[] = []) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { host } = new URL(url);
        const raw = ['Host', host, ...Object.entries(headers).flat(), ...also];
        const request = httpRequest(`${url}/pay/webhook${query}`, {
          method: 'POST',
          headers: [...raw, 'Content-Length', `${body.length}`] as never,
        });
        request.on('response', (response) => resolve(response.resume().statusCode));
        request.on('error', reject);
        request.end(body);
      });
    await store.saveCheckout(onRampCheckout());
    expect(await deliver(createWebhook({ query, body: { ext: 'r1' } }))).toBe(200);
    expect(await store.findCheckout('r1')).toHaveProperty('announcedAt');
    for (const name of ['x-fp-nonce', 'X-FP-TIMESTAMP', 'X-Fp-Signature'])
      expect(await deliver(createWebhook({ query }), [name, '1'])).toBe(401);
    expect(refused).toEqual(Array(3).fill('header-repeated'));
    expect(tracker.requestSync).toHaveBeenCalledOnce();
  });

  it('passes an error of the context to Express', async () => {
    const app = express();
    app.use(
      toExpress(handler, {
        context: () => {
          throw new Error('no session store');
        },
      }),
    );
    app.use(((error, _req, res, _next) => {
      res.status(503).send(error.message);
    }) as express.ErrorRequestHandler);
    const response = await post(`${await listen(app)}/checkouts`);
    expect([response.status, await response.text()]).toEqual([503, 'no session store']);
  });

  it('responds 400 to a request with an invalid Host header', async () => {
    const { port } = new URL(await listen(express().use('/api/ramp', mounted)));
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
      socket.write(
        'POST /api/ramp/checkouts HTTP/1.1\r\nHost: a b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      );
    });
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toContain('ERR_REQUEST');
  });

  it('does not call context for a preflight, which has no cookie', async () => {
    const app = express().use(
      toExpress(handler, {
        context: () => {
          throw new Error('not signed in');
        },
      }),
    );
    const response = await fetch(`${await listen(app)}/checkouts`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('does not replace the global Request and Response', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await post(`${await listen(express().use(mounted))}/checkouts`);
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
    expect(globalThis.Response).toBe(before[1]);
  });
});
