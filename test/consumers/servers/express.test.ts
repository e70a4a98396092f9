import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express5 from 'express';
import express4 from 'express4';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toExpress } from '../../../src/server/express.js';
import { createHandlerWithCheckout } from '../../support/server/createHandlerWithCheckout.js';
import { createTestHandler, origin } from '../../support/server/createTestHandler.js';

interface Cookies {
  readonly wallet: string;
}

const withContext = createTestHandler({
  policy: ({ context }) => ({ params: { walletAddress: (context as Cookies).wallet } }),
});
const mounted = toExpress(withContext, {
  context: (req) => ({ wallet: /wallet=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? '0xF0' }),
});

// The types of Express 4 and 5 differ, so this file uses those of Express 5 for both. types.test.ts tests the types.
const majors = [
  ['4', express4 as unknown as typeof express5],
  ['5', express5],
] as const;

describe.each(majors)('toExpress in Express %s', (major, express) => {
  async function listen(app: express5.Express): Promise<string> {
    const server = createServer(app).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const post = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/checkouts`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: '{"widget":"on-ramp","params":{}}',
    });

  it('runs with the major version of the title', () => {
    // Express 5 removed app.del().
    expect(typeof (express() as { del?: unknown }).del).toBe(
      major === '4' ? 'function' : 'undefined',
    );
  });

  it.each(['/api/ramp', '/shop/eu/pay', '/'])('works under %s and reads cookies', async (path) => {
    const url = await listen(express().use(path, mounted));
    const response = await post(url + (path === '/' ? '' : path), { cookie: 'a=b; wallet=0xA1' });
    expect(response.status).toBe(201);
    expect((await response.json()).params.walletAddress).toBe('0xA1');
  });

  it('works inside a router and beside other routes', async () => {
    const app = express().use('/v2', express.Router().use('/ramp', mounted));
    app.get('/hello', (_, res) => void res.send('hi'));
    const url = await listen(app);
    expect((await post(`${url}/v2/ramp`)).status).toBe(201);
    expect(await (await fetch(`${url}/hello`)).text()).toBe('hi');
  });

  it.each(['json', 'text', 'raw'] as const)(
    'takes the body that express.%s() has read before',
    async (parser) => {
      const app = express().use(express[parser]({ type: '*/*' }), mounted);
      expect((await post(await listen(app))).status).toBe(201);
    },
  );

  it('refuses a body that express.urlencoded() has taken for a form', async () => {
    const app = express().use(express.urlencoded({ type: '*/*', extended: false }), mounted);
    expect((await post(await listen(app))).status).toBe(400);
  });

  it('serves a poll behind a body parser', async () => {
    const { handler } = await createHandlerWithCheckout();
    const app = express().use(express.json()).use('/pay', toExpress(handler));
    const response = await fetch(`${await listen(app)}/pay/checkouts?references=r1`);
    expect((await response.json()).named).toMatchObject([{ progress: 'waiting' }]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no session store');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no session store'))],
  ])('passes the error to the error handler when `context` %s', async (_, context) => {
    const app = express().use(toExpress(withContext, { context }));
    app.use(((error, _req, res, _next) => {
      res.status(503).send(error.message);
    }) as express5.ErrorRequestHandler);
    const response = await post(await listen(app));
    expect([response.status, await response.text()]).toEqual([503, 'no session store']);
  });
});
