import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { listShopVariables } from '../../src/sandbox/variables.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { startWebhookReceiver } from '../support/sandbox/startWebhookReceiver.js';

/**
 * The environment variables of a server under test: those of every example, and the secret of scheduled jobs. The
 * server listens on `PORT` of 127.0.0.1. `RAMP_WEBHOOK_URL` leads to the test, which forwards webhooks as it likes.
 */
export type ConformanceEnvironment = ReturnType<typeof listShopVariables> & {
  readonly CRON_SECRET: string;
};

interface ConformanceHost {
  close(): Promise<unknown>;
}

interface ConformanceFeatures {
  /** Whether the cookie `user=…` names the user, and a bearer token too. Otherwise everybody is one user. @default true */
  readonly hasUsers?: boolean;
  /** Whether the policy has an EVM and a Bitcoin wallet, and chooses by the selection. @default true */
  readonly choosesWallet?: boolean;
  /** Whether the server has a `syncSecret`. @default true */
  readonly syncs?: boolean;
  /** Whether the server passes preflights and unknown methods to the handler. @default true */
  readonly passesMethods?: boolean;
  /** Whether the server passes a form without an `Origin`, or from another origin, to the handler. @default true */
  readonly passesForms?: boolean;
  /** Whether the server calls `respond` of conformanceBackend.mjs, which renews a session. @default false */
  readonly renewsSession?: boolean;
  /** Whether the server passes malformed JSON to the handler. Otherwise it responds with 400 itself. @default true */
  readonly passesMalformedJson?: boolean;
}

/** An origin of pages that are not on the server itself. */
const otherPage = 'https://shop.example';
const CRON_SECRET = 'conformance-secret-of-32-characters-or-more';
const JSON_TYPE = 'application/json';
/** The longest time for a server to be built and to start. */
const START_MS = 300_000;

/** The codes of refused requests, unless a test names another one. */
const codeOfStatus: Readonly<Record<number, string>> = {
  400: 'ERR_REQUEST',
  401: 'ERR_SYNC_SECRET',
  403: 'ERR_ORIGIN_REFUSED',
  404: 'ERR_NOT_FOUND',
  405: 'ERR_METHOD_NOT_ALLOWED',
  413: 'ERR_BODY_TOO_LARGE',
  415: 'ERR_CONTENT_TYPE',
};

/**
 * Tests over HTTP what every mounted handler must do, whatever server or runtime it is mounted in.
 *
 * @param start - Starts a server with these environment variables. Resolves when the server listens.
 * @param features - What the backend of this server has. Tests of other features are skipped.
 */
export function testHandlerConformance(
  start: (env: ConformanceEnvironment, url: string) => Promise<ConformanceHost>,
  {
    hasUsers = true,
    choosesWallet = true,
    syncs = true,
    passesMethods = true,
    passesForms = true,
    passesMalformedJson = true,
    renewsSession = false,
  }: ConformanceFeatures = {},
): void {
  let url: string;
  let sandbox: Sandbox;
  let webhooks: WebhookRecorder;
  let host: ConformanceHost | undefined;
  let users = 0;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await findFreePort()}`;
    webhooks = await startWebhookRecorder();
    sandbox = await startSandbox({ stepMs: 0, webhookUrl: webhooks.url, log: () => {} });
    const env = {
      ...listShopVariables(sandbox, url),
      SHOP_ORIGIN: `${url},${otherPage}`,
      RAMP_WEBHOOK_URL: webhooks.url,
      CRON_SECRET,
    };
    host = await start(env, url);
  }, START_MS);
  afterAll(async () => {
    await host?.close();
    await sandbox?.close();
    await webhooks?.close();
  });

  const send = (path: string, message: Message = {}) =>
    sendMessage(`${url}/api/ramp${path}`, message);
  /** Returns the headers of a new user, so that tests do not see the checkouts of each other. */
  const createUser = (): Record<string, string> =>
    hasUsers ? { cookie: `theme=dark; user=u${++users}` } : {};
  const propose = (headers: Record<string, string> = createUser(), body: unknown = proposal) =>
    send('/checkouts', {
      method: 'POST',
      headers: { origin: url, 'content-type': JSON_TYPE, ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  async function openCheckout(user = createUser()) {
    const response = await propose(user);
    expect(response.status, response.text).toBe(201);
    const { reference, params } = response.json();
    return { reference, params, user, path: `/checkouts/${reference}` };
  }
  type Checkout = Awaited<ReturnType<typeof openCheckout>>;
  const reportOpened = ({ path, user }: Pick<Checkout, 'path' | 'user'>) =>
    send(`${path}/opened`, { method: 'POST', headers: { origin: url, ...user } });
  const readState = async ({ path, user }: Checkout) =>
    (await send(path, { headers: user })).json();
  const expectProgress = (checkout: Checkout, progress: string) =>
    expect
      .poll(async () => (await readState(checkout)).progress, { timeout: 25_000, interval: 500 })
      .toBe(progress);

  /** Buys in the sandbox's widget with signed parameters. Returns the webhook, which the server has not received. */
  async function pay(params: Record<string, string>): Promise<Webhook> {
    const client = createSandboxClient(sandbox, Date.now);
    const { session } = await client.data(
      `${sandbox.widgetUrl}/home?${new URLSearchParams(params)}`,
    );
    const choice = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    await client.post('/home/quote', { session, ...choice });
    const order = { session, ...choice, email: 'shopper@example.com' };
    expect((await client.post('/home/orders', order)).status).toBe(201);
    return webhooks.next(params.ext ?? '');
  }
  const forward = ({ headers, body }: Webhook, message: Message = {}) =>
    send('/webhook', { method: 'POST', headers, body, ...message });
  const expectError = (response: Reply, status: number, code = codeOfStatus[status]) =>
    expect([response.status, response.json().error?.code]).toEqual([status, code]);

  describe('POST /checkouts', () => {
    it('signs a checkout that the service accepts', async () => {
      const response = await propose();
      expect(response.status).toBe(201);
      expect(response.headers).toMatchObject({
        'content-type': expect.stringContaining(JSON_TYPE),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const { reference, params, expiresInSeconds } = response.json();
      expect(reference).toMatch(/^[\w-]{22}$/);
      expect(expiresInSeconds).toBe(240);
      const widget = await fetch(`${sandbox.widgetUrl}/home?${new URLSearchParams(params)}`);
      expect(widget.status).toBe(200);
    });

    it("signs the policy's wallet, whatever wallet the page proposes", async () => {
      const walletAddress = '0x000000000000000000000000000000000000dEaD';
      const response = await propose(createUser(), {
        widget: 'on-ramp',
        params: { walletAddress },
      });
      expect(response.status).toBe(201);
      expect(response.json().params.walletAddress).toMatch(/^0x53e942Be/);
    });

    it.runIf(choosesWallet)('passes the selection to the policy', async () => {
      const select = async (cryptoCurrency: string) => {
        const response = await propose(createUser(), {
          ...proposal,
          selection: { cryptoCurrency },
        });
        return response.json().params.walletAddress;
      };
      expect(await select('BTC')).toMatch(/^bc1/);
      expect(await select('ETH')).toMatch(/^0x/);
    });

    it.each([
      ['an unknown widget', { widget: 'off-ramp' }],
      ['an unknown parameter', { widget: 'on-ramp', params: { signature: 'x' } }],
      ['a forged reference', { widget: 'on-ramp', params: { ext: 'another' } }],
      ['a forged selection', { ...{ widget: 'on-ramp' }, selection: { amountFixed: '1 or 2' } }],
    ])('refuses %s with 400 and ERR_PARAMS_INVALID', async (_, body) => {
      expectError(await propose(createUser(), body), 400, 'ERR_PARAMS_INVALID');
    });

    it('refuses a body with no JSON with 400', async () => {
      const response = await propose(createUser(), '{"widget":');
      if (passesMalformedJson) expectError(response, 400);
      else expect(response.status).toBe(400);
    });

    it('refuses a body with bytes that are not UTF-8 with 400', async () => {
      expectError(await propose(createUser(), Buffer.from('7b2261223a22ff227d', 'hex')), 400);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
      'refuses the content type %s with 415',
      async (type) => {
        expectError(await propose({ ...createUser(), 'content-type': type }), 415);
      },
    );

    it('reads a body that arrives byte by byte', async () => {
      const body = Buffer.from(JSON.stringify({ ...proposal, note: 'Zürich 东京' }));
      const response = await send('/checkouts', {
        method: 'POST',
        headers: { origin: url, 'content-type': `${JSON_TYPE}; charset=utf-8`, ...createUser() },
        chunks: splitBytes(body),
      });
      expect(response.status).toBe(201);
    });

    it('reads 16 KB, and refuses a larger body with 413', async () => {
      const text = JSON.stringify(proposal);
      expect((await propose(createUser(), text.padEnd(16_384))).status).toBe(201);
      expectError(await propose(createUser(), text.padEnd(16_385)), 413);
      expect((await propose()).status).toBe(201);
    });

    it('refuses a large body of unknown length', async () => {
      const response = await send('/checkouts', {
        method: 'POST',
        headers: { origin: url, 'content-type': JSON_TYPE, ...createUser() },
        chunks: [JSON.stringify(proposal), ...Array(40).fill(' '.repeat(1024))].map((each) =>
          Buffer.from(each),
        ),
      }).catch((error: NodeJS.ErrnoException) => error);
      // A server may close the connection instead of reading the rest, before the client has read the response.
      if (response instanceof Error) expect(response.code).toMatch(/ECONNRESET|EPIPE/);
      else expectError(response, 413);
      expect((await propose()).status).toBe(201);
    });

    it('survives clients that disconnect within their body', async () => {
      for (let times = 0; times < 5; times++) await breakOff(`${url}/api/ramp/checkouts`, url);
      expect((await propose()).status).toBe(201);
    });

    it.runIf(renewsSession)('keeps the cookie with which a session is renewed', async () => {
      const user = { cookie: `${createUser().cookie}; rolling=1` };
      const { path } = await openCheckout(user);
      const known = await send(path, { headers: user });
      const etag = `${known.headers.etag}`;
      const responses = [
        await propose(user),
        await reportOpened({ path, user }),
        known,
        await send(path, { headers: { ...user, 'if-none-match': etag } }),
        await propose(user, '{}'),
      ];
      expect(responses.map(({ status, headers }) => [status, headers['set-cookie']])).toEqual(
        [201, 204, 200, 304, 400].map((status) => [status, ['rolling=renewed; Path=/; HttpOnly']]),
      );
    });

    it('serves concurrent requests, each with its own user', async () => {
      const opened = await Promise.all(Array.from({ length: 10 }, () => openCheckout()));
      expect(new Set(opened.map(({ reference }) => reference)).size).toBe(10);
      const states = await Promise.all(opened.map(readState));
      expect(states.map(({ reference }) => reference)).toEqual(
        opened.map(({ reference }) => reference),
      );
    });
  });

  describe('pages of other sites', () => {
    it.each([
      ['another origin', { origin: 'https://evil.example' }],
      ['the origin null', { origin: 'null' }],
      ['another port', { origin: 'http://127.0.0.1:1' }],
    ])('get a 403 with %s', async (_, headers) => {
      const response = await propose({ ...createUser(), ...headers });
      expectError(response, 403);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('get a 403 without an origin', async () => {
      const response = await send('/checkouts', {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, 'sec-fetch-site': 'cross-site', ...createUser() },
        body: JSON.stringify(proposal),
      });
      expectError(response, 403);
    });

    it.runIf(passesMethods)('get no permission from a preflight', async () => {
      const response = await preflight('https://evil.example');
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    });
  });

  const preflight = (origin: string) =>
    send('/checkouts', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-csrf',
      },
    });

  describe('pages of another listed origin', () => {
    it('open checkouts, and can read the response', async () => {
      const response = await propose({ ...createUser(), origin: otherPage });
      expect(response.status).toBe(201);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': otherPage,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'ETag, Retry-After',
        vary: expect.stringContaining('Origin'),
      });
    });

    it.runIf(passesMethods)('get every permission that they need from a preflight', async () => {
      const response = await preflight(otherPage);
      expect([response.status, response.text]).toEqual([204, '']);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': otherPage,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'content-type,x-csrf',
      });
    });
  });

  describe.runIf(hasUsers)('bearer clients', () => {
    const call = (headers: Record<string, string>) =>
      send('/checkouts', {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, ...headers },
        body: JSON.stringify(proposal),
      });

    it('open checkouts without an origin, and see their own', async () => {
      const user = { authorization: 'Bearer app1' };
      const response = await call(user);
      expect(response.status).toBe(201);
      const path = `/checkouts/${response.json().reference}`;
      expect((await send(path, { headers: user })).status).toBe(200);
      expectError(
        await send(path, { headers: { authorization: 'Bearer app2' } }),
        404,
        'ERR_CHECKOUT_NOT_FOUND',
      );
    });

    it.each([
      ['without a token', {}],
      ['with another scheme', { authorization: 'Basic YTpi' }],
      ['with a cookie', { authorization: 'Bearer app1', cookie: 'a=b' }],
      [
        'from a page of another site',
        { authorization: 'Bearer app1', 'sec-fetch-site': 'cross-site' },
      ],
      [
        'with an origin that is not listed',
        { authorization: 'Bearer app1', origin: 'https://evil.example' },
      ],
    ])('are refused %s', async (_, headers) => {
      expectError(await call(headers as Record<string, string>), 403);
    });
  });

  describe('GET /checkouts/:reference', () => {
    it('returns the state, and 304 if the page knows it', async () => {
      const { path, reference, user } = await openCheckout();
      const response = await send(path, { headers: user });
      expect(response.json()).toEqual({
        reference,
        widget: 'on-ramp',
        progress: 'waiting',
        orders: [],
        pollAfterSeconds: 3,
      });
      const { etag = '' } = response.headers;
      expect(etag).toMatch(/^(?:W\/)?"[\w-]{22}"$/);
      for (const known of [etag, `W/${etag.replace('W/', '')}`, `"other", ${etag}`]) {
        const again = await send(path, { headers: { ...user, 'if-none-match': known } });
        expect([again.status, again.text]).toEqual([304, '']);
      }
      const other = await send(path, { headers: { ...user, 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
    });

    it('returns only the headers to HEAD', async () => {
      const { path, user } = await openCheckout();
      const response = await send(path, { method: 'HEAD', headers: user });
      expect([response.status, response.text]).toEqual([200, '']);
    });

    it.runIf(hasUsers)(
      'returns the same 404 for a checkout of another user and for none',
      async () => {
        const { path } = await openCheckout();
        const foreign = await send(path, { headers: createUser() });
        const missing = await send(`/checkouts/${'x'.repeat(22)}`, { headers: createUser() });
        expectError(foreign, 404, 'ERR_CHECKOUT_NOT_FOUND');
        expect(missing.text).toBe(foreign.text);
      },
    );

    it.each([
      ['with a space', 'a%20b'],
      ['with an encoded slash', '..%2f..'],
      ['with a zero byte', '%00'],
      ['of 2,000 characters', 'a'.repeat(2000)],
    ])('returns 404 for a reference %s', async (_, reference) => {
      // Some servers refuse such a path themselves, with 400.
      expect([400, 404]).toContain((await send(`/checkouts/${reference}`)).status);
    });
  });

  describe('POST /checkouts/:reference/opened', () => {
    it('lists the checkout, and responds with 204 each time', async () => {
      const checkout = await openCheckout();
      for (const _ of [1, 2]) {
        const response = await reportOpened(checkout);
        expect([response.status, response.text]).toEqual([204, '']);
      }
      const { checkouts } = (await send('/checkouts?limit=50', { headers: checkout.user })).json();
      expect(checkouts.map(({ reference }: Checkout) => reference)).toContain(checkout.reference);
    });

    it('is refused to other sites, and for an unknown checkout', async () => {
      const { path, user } = await openCheckout();
      // Some frameworks refuse it themselves without a Content-Type.
      const headers = {
        ...user,
        origin: 'https://evil.example',
        'content-type': 'application/json',
      };
      expectError(await send(`${path}/opened`, { method: 'POST', headers }), 403);
      const unknown = { path: `/checkouts/${'x'.repeat(22)}`, user };
      expectError(await reportOpened(unknown), 404, 'ERR_CHECKOUT_NOT_FOUND');
    });
  });

  describe('GET /checkouts', () => {
    it('lists the opened checkouts of the user page by page, newest first', async () => {
      const user = createUser();
      const opened: string[] = [];
      for (let times = 0; times < 3; times++) {
        const checkout = await openCheckout(user);
        await reportOpened(checkout);
        opened.unshift(checkout.reference);
      }
      const list = async (query: string) => {
        const response = await send(`/checkouts?${query}`, { headers: user });
        expect(response.status, response.text).toBe(200);
        return response.json();
      };
      const first = await list('limit=2');
      const second = await list(`limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
      const listed = [...first.checkouts, ...second.checkouts].map(({ reference }) => reference);
      // Checkouts of the same second are listed in any order.
      expect(listed.slice(0, 3).sort()).toEqual([...opened].sort());
      if (hasUsers) expect(second).not.toHaveProperty('nextCursor');
    });

    it('returns the states of named checkouts of the user, and 304 if the page knows them', async () => {
      const { reference, user } = await openCheckout();
      const query = `/checkouts?references=${reference},${'x'.repeat(22)}`;
      const poll = (headers = {}) => send(query, { headers: { ...user, ...headers } });
      const response = await poll();
      expect(response.json()).toEqual({
        checkouts: [],
        named: [{ reference, widget: 'on-ramp', progress: 'waiting', orders: [] }],
        pollAfterSeconds: 3,
      });
      const again = await poll({ 'if-none-match': `${response.headers.etag}` });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    it.runIf(hasUsers)(
      'leaves out the checkout of another user, as one that is unknown',
      async () => {
        const { reference } = await openCheckout();
        const stranger = createUser();
        const poll = async (name: string) =>
          (await send(`/checkouts?references=${name}`, { headers: stranger })).text;
        expect(await poll(reference)).toBe(await poll('x'.repeat(22)));
      },
    );

    it('refuses a forged cursor and a cursor of another user with the same 400', async () => {
      const user = createUser();
      for (const _ of [1, 2]) await reportOpened(await openCheckout(user));
      const { nextCursor } = (await send('/checkouts?limit=1', { headers: user })).json();
      const forged = await send('/checkouts?cursor=x', { headers: createUser() });
      expectError(forged, 400);
      if (!hasUsers) return;
      const foreign = await send(`/checkouts?cursor=${nextCursor}`, { headers: createUser() });
      expect([foreign.status, foreign.text]).toEqual([400, forged.text]);
    });

    it.each(['limit=51', 'open=1', 'limit=1&limit=2', 'cursor=x&limit=0', 'page=2'])(
      'refuses ?%s with 400',
      async (query) => {
        expectError(await send(`/checkouts?${query}`), 400, 'ERR_PARAMS_INVALID');
      },
    );
  });

  describe('prices', () => {
    const query = 'fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=USDT_ERC20';

    it('are quotes with every digit, also for concurrent requests', async () => {
      const quotes = [query, query, query, query.replace('100', '250')];
      for (const response of await Promise.all(quotes.map((each) => send(`/quote?${each}`)))) {
        expect(response.status).toBe(200);
        expect(response.headers['cache-control']).toMatch(/^private, max-age=\d+$/);
        expect(response.json().quote.cryptoCurrencyAmount).toMatch(/^\d+\.\d{8}$/);
      }
    });

    it('are lists of currencies', async () => {
      const { currencies } = (await send('/currencies')).json();
      expect(currencies).toContainEqual(expect.objectContaining({ fiatCurrency: 'USD' }));
      const { cryptoCurrencies } = (await send('/cryptocurrencies?buyType=nft')).json();
      expect(cryptoCurrencies.length).toBeGreaterThan(0);
    });

    it.each(['payment=a%26b', 'debug=1', 'buyType=nft&buyType=nft'])(
      'refuse &%s with 400',
      async (wrong) => {
        expectError(await send(`/quote?${query}&${wrong}`), 400, 'ERR_PARAMS_INVALID');
      },
    );
  });

  describe('POST /checkouts/:reference/continue', () => {
    const sign = ({ path, user }: Checkout, origin = url) =>
      send(`${path}/continue`, { method: 'POST', headers: { origin, ...user } });

    it('signs an unpaid checkout again', async () => {
      const checkout = await openCheckout();
      const response = await sign(checkout);
      expect(response.status, response.text).toBe(200);
      const { reference, params } = response.json();
      expect([reference, params.walletAddress]).toEqual([
        checkout.reference,
        checkout.params.walletAddress,
      ]);
    });

    it('refuses a paid checkout with 409, before the webhook has arrived', async () => {
      const checkout = await openCheckout();
      await pay(checkout.params);
      expectError(await sign(checkout), 409, 'ERR_ORDER_EXISTS');
    });

    it('refuses a page of another site with 403, and another user with 404', async () => {
      const checkout = await openCheckout();
      // Expect no JSON: Astro itself refuses the page, with a text.
      expect((await sign(checkout, 'https://evil.example')).status).toBe(403);
      if (hasUsers)
        expectError(await sign({ ...checkout, user: createUser() }), 404, 'ERR_CHECKOUT_NOT_FOUND');
    });
  });

  describe('POST /webhook', () => {
    it('accepts a webhook, and finds its order', async () => {
      const checkout = await openCheckout();
      const response = await forward(await pay(checkout.params));
      expect([response.status, response.text]).toEqual([200, '{}']);
      await expectProgress(checkout, 'finished');
    });

    it('refuses a wrong signature, a wrong time and a missing header with 401', async () => {
      const checkout = await openCheckout();
      const { headers, body } = await pay((await openCheckout()).params);
      const forged = Buffer.from(JSON.stringify({ ext: checkout.reference, orderStatus: 3 }));
      const time = `${Number(headers['x-fp-timestamp']) - 1000}`;
      const { 'x-fp-nonce': _, ...withoutNonce } = headers;
      for (const wrong of [
        { ...headers, 'x-fp-signature': Buffer.alloc(256).toString('base64') },
        { ...headers, 'x-fp-timestamp': time },
        { ...headers, 'x-fp-added': '1' },
        withoutNonce,
      ]) {
        const response = await forward({ headers: wrong, body }, { body: forged });
        expectError(response, 401, 'ERR_WEBHOOK_VERIFICATION');
      }
      expect((await readState(checkout)).progress).toBe('waiting');
    });

    // Two webhooks of one second with the same nonce have the same signed text.
    it('announces the order of a webhook that counts as a replay of another one', async () => {
      const checkout = await openCheckout();
      const webhook = await pay((await openCheckout()).params);
      expect((await forward(webhook)).status).toBe(200);
      const replay = Buffer.from(JSON.stringify({ ext: checkout.reference, orderStatus: 3 }));
      const response = await forward(webhook, { body: replay });
      expect([response.status, response.text]).toEqual([200, '{}']);
      expect((await readState(checkout)).progress).toBe('unconfirmed');
    });

    // The signature does not cover the body, so the test may send any body.
    it.each([
      ['in JSON', JSON_TYPE],
      ['of another type', 'application/octet-stream'],
      ...(passesForms ? [['with the type of a form', 'application/x-www-form-urlencoded']] : []),
    ])('reads every byte of a body %s that arrives in parts', async (_, type) => {
      const checkout = await openCheckout();
      const { headers } = await pay((await openCheckout()).params);
      const body = Buffer.from(
        `\r\n{"note":"ü & = + %41 东京 \\u0000","ext":"${checkout.reference}"}\n`,
      );
      const response = await send('/webhook', {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        chunks: splitBytes(body),
      });
      expect(response.status, response.text).toBe(200);
      await expectProgress(checkout, 'unconfirmed');
    });

    it('reads 64 KB, and refuses a larger body with 413', async () => {
      const { headers, body } = await pay((await openCheckout()).params);
      const padded = (bytes: number) => {
        const padding = Buffer.from((passesMalformedJson ? 'ü ' : '   ').repeat(22_000));
        return Buffer.concat([body, Buffer.alloc(1, ' '), padding]).subarray(0, bytes);
      };
      const post = (bytes: number) => forward({ headers, body: padded(bytes) });
      expectError(await post(65_537), 413);
      expect((await post(65_536)).status).toBe(200);
    });
  });

  describe.runIf(syncs)('/sync', () => {
    // The type is that of curl's `--json`. Astro refuses a POST without one.
    const type = { 'content-type': JSON_TYPE };
    const secret = { ...type, authorization: `Bearer ${CRON_SECRET}` };

    it('refuses a missing and a wrong secret with the same 401', async () => {
      const replies = await Promise.all([
        send('/sync'),
        send('/sync', { headers: { authorization: `Bearer ${CRON_SECRET}x` } }),
        send('/sync', { headers: { authorization: `Basic ${CRON_SECRET}` } }),
        send(`/sync?secret=${CRON_SECRET}`),
        send('/sync', { method: 'POST', headers: { ...type, cookie: `secret=${CRON_SECRET}` } }),
      ]);
      for (const reply of replies) {
        expectError(reply, 401);
        expect(reply.text).toBe(replies[0]?.text);
        expect(reply.headers['cache-control']).toBe('no-store');
      }
    });

    it('gives no permission to a page', async () => {
      const { headers } = await send('/sync', { headers: { ...secret, origin: url } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });

    it.runIf(passesMethods)('refuses HEAD and OPTIONS with 405', async () => {
      for (const method of ['HEAD', 'OPTIONS', 'PUT']) {
        const { status, headers } = await send('/sync', { method, headers: secret });
        expect([status, headers.allow]).toEqual([405, 'GET, POST']);
      }
    });

    it('finds an order whose webhook is lost, and does not run a second time at once', async () => {
      const checkout = await openCheckout();
      await pay(checkout.params);
      await expect
        .poll(
          async () => {
            const response = await send('/sync', { method: 'POST', headers: secret });
            expect(response.status, response.text).toBe(200);
            return (await readState(checkout)).progress;
          },
          { timeout: 25_000, interval: 500 },
        )
        .toBe('finished');
      const response = await send('/sync', { headers: secret });
      expect([response.status, response.text]).toEqual([200, '{"ran":false}']);
    });
  });

  it.runIf(!syncs)('has no /sync', async () => {
    expectError(await send('/sync', { headers: { authorization: `Bearer ${CRON_SECRET}` } }), 404);
  });

  describe('other routes', () => {
    it.each(['/unknown', '/checkouts/a/b/c', '/webhook/x'])('%s is a 404 in JSON', async (path) => {
      const response = await send(path);
      expectError(response, 404);
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it.runIf(passesMethods).each([
      ['/checkouts', 'DELETE', 'GET, POST'],
      ['/checkouts/r1', 'PUT', 'GET'],
      ['/webhook', 'GET', 'POST'],
    ])('%s refuses %s with 405', async (path, method, allow) => {
      const response = await send(path, { method, headers: { 'content-type': JSON_TYPE } });
      expectError(response, 405);
      expect(response.headers.allow).toBe(allow);
    });
  });
}

const proposal = { widget: 'on-ramp', params: {} };

interface Message {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A body of unknown length (`Transfer-Encoding: chunked`), part by part. */
  readonly chunks?: readonly Buffer[];
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json(): any;
}

/** Splits a body into single bytes, so that characters and tokens are torn apart. */
const splitBytes = (body: Buffer) => Array.from(body, (_, at) => body.subarray(at, at + 1));

const agent = new Agent({ keepAlive: true });
const TIMEOUT_MS = 20_000;

/** Sends a request. Unlike `fetch`, it adds no headers of its own, and can send a body in parts. */
async function sendMessage(url: string, message: Message): Promise<Reply> {
  const { method = 'GET', headers, body, chunks } = message;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  // A request in parts gets its own connection. If a server responds early and closes the connection, the agent may
  // have taken it back already, and then the error of the next write would end this process.
  const sent = sendRequest(url, {
    method,
    headers: { ...length, ...headers },
    agent: chunks ? false : agent,
  });
  sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('The server does not respond.')));
  // If the server has responded before it has read the whole body, writing the rest may fail. Then the response counts.
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  const write = async () => {
    for (const chunk of chunks ?? []) {
      if (sent.destroyed || sent.writableEnded) return;
      sent.write(chunk);
      await new Promise(setImmediate);
    }
    sent.end(body);
  };
  void write();
  let response: IncomingMessage;
  try {
    response = await responded;
  } catch (error) {
    // As a browser does, try again if the server has closed a connection that was kept open.
    const { code } = error as NodeJS.ErrnoException;
    if (sent.reusedSocket && /ECONNRESET|EPIPE/.test(code ?? '')) return sendMessage(url, message);
    throw error;
  }
  const text = await readText(response);
  const { statusCode: status = 0 } = response;
  return { status, headers: response.headers, text, json: () => JSON.parse(text) };
}

/** Sends half of a body, and closes the connection. */
const breakOff = (url: string, origin: string) =>
  new Promise<void>((resolve) => {
    const headers = { origin, 'content-type': JSON_TYPE, 'content-length': '1000' };
    const sent = sendRequest(url, { method: 'POST', headers, agent: false });
    sent.on('error', () => {});
    sent.on('close', () => resolve());
    sent.write('{"widget":', () => setTimeout(() => sent.destroy(), 20));
  });

interface Webhook {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

interface WebhookRecorder {
  readonly url: string;
  /** Waits for the webhook of a checkout. */
  next(reference: string): Promise<Webhook>;
  close(): Promise<void>;
}

/** Receives the webhooks of the sandbox in place of the server. */
async function startWebhookRecorder(): Promise<WebhookRecorder> {
  const { url, received, close } = await startWebhookReceiver();
  return {
    url,
    close,
    async next(reference) {
      for (let waits = 0; waits < 500; waits++) {
        const found = received.find(({ text }) => text.includes(`"${reference}"`));
        if (found) return { headers: pickWebhookHeaders(found), body: Buffer.from(found.text) };
        await new Promise((done) => setTimeout(done, 10));
      }
      throw new Error(`The sandbox has sent no webhook for ${reference}.`);
    },
  };
}

/** Returns the headers to forward: not those of the connection, such as `Host` and `Content-Length`. */
const pickWebhookHeaders = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-fp-') || name === 'content-type'),
  );
