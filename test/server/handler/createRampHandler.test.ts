import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { RampError } from '../../../src/protocol/index.js';
import { type CheckoutPolicy, memoryOrderStore, type Shopper } from '../../../src/server/index.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import {
  callHandler,
  createTestHandler,
  origin,
  wallet,
} from '../../support/server/createTestHandler.js';

describe('POST /checkouts', () => {
  it('returns 201 with a reference, signed parameters and their lifetime', async () => {
    const { status, json, response } = await callHandler(createTestHandler());
    expect(status).toBe(201);
    expect(Object.keys(json).sort()).toEqual([
      'expiresInSeconds',
      'isListed',
      'params',
      'reference',
    ]);
    expect(json.params).toMatchObject({
      partnerId: 'p1',
      walletAddress: wallet,
      ext: json.reference,
    });
    expect(json.params.signature).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(json.expiresInSeconds).toBeLessThan(300);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('creates references of 128 random bits that need no encoding', async () => {
    const handler = createTestHandler();
    const references = await Promise.all(
      Array.from(
        { length: 200 },
        async () => (await callHandler(handler)).json.reference as string,
      ),
    );
    expect(new Set(references).size).toBe(200);
    for (const reference of references) {
      expect(encodeURIComponent(reference)).toBe(reference);
      expect(Buffer.from(reference, 'base64url')).toHaveLength(16);
    }
  });

  it('stores the checkout with the id of the shopper and without the signature before it responds', async () => {
    const store = memoryOrderStore();
    const grant = {
      expectedAmount: '100.00',
      expectedFiatCurrency: 'EUR',
      metadata: { cart: [1, 2] },
    };
    const handler = createTestHandler(
      {
        store,
        getShopper: async () => ({ id: 'u7', name: 'Ann' }),
        policy: () => ({ params: { walletAddress: wallet, walletAddressLocked: '1' }, ...grant }),
      },
      { now: () => 1_700_000_000_000 },
    );
    const { json } = await callHandler(handler);
    expect(await store.findCheckout(json.reference)).toEqual({
      orders: [],
      reference: json.reference,
      widget: 'on-ramp',
      subject: 'u7',
      ...grant,
      params: {
        partnerId: 'p1',
        walletAddress: wallet,
        walletAddressLocked: '1',
        ext: json.reference,
      },
      createdAt: 1_700_000_000,
      expiresAt: 1_700_086_400,
    });
  });

  it('signs the grant of the policy, not the proposal of the client', async () => {
    const text = fc.stringMatching(/^[A-Za-z0-9]{1,20}$/);
    const flag = fc.constantFrom('0', '1');
    const proposals = fc.record({
      walletAddress: text,
      walletAddressLocked: flag,
      walletAddressHidden: flag,
    });
    const handler = createTestHandler();
    await fc.assert(
      fc.asyncProperty(proposals, async (params) => {
        const { json } = await callHandler(handler, { body: { widget: 'on-ramp', params } });
        const { timestamp, nonce, signature, ext, ...signed } = json.params;
        expect(signed).toEqual({ partnerId: 'p1', walletAddress: wallet });
      }),
      { numRuns: 200 },
    );
  });

  it('calls the policy with the shopper, the proposal, the request and the context', async () => {
    const seen: unknown[] = [];
    const policy: CheckoutPolicy<Shopper & { level: number }, { user: string }> = (given) => {
      const { widget, proposal, shopper, request, context } = given;
      seen.push(widget, proposal, request.headers.get('x-csrf'), shopper, context.user);
      return { params: mintListing };
    };
    const handler = createTestHandler<{ user: string }>({
      getShopper: ({ context }) => ({ id: context.user, level: 2 }),
      policy,
    });
    const response = await handler(
      new Request('https://shop.example/checkouts', {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json; charset=utf-8', 'x-csrf': 't' },
        body: JSON.stringify({ widget: 'nft', params: { tokenId: '7' } }),
      }),
      { user: 'u3' },
    );
    expect(response.status).toBe(201);
    expect(seen).toEqual(['nft', { tokenId: '7' }, 't', { id: 'u3', level: 2 }, 'u3']);
  });

  it.each<readonly [string, object]>([
    ['walletAddress', { params: { walletAddress: Promise.resolve(wallet) } }],
    ['params', { params: Promise.resolve({ walletAddress: wallet }) }],
    ['metadata', { params: { walletAddress: wallet }, metadata: Promise.resolve() }],
  ])('names a %s of the policy that was not awaited', async (name, grant) => {
    const onError = vi.fn();
    const handler = createTestHandler({ policy: () => grant as never, onError });
    const { status, json } = await callHandler(handler);
    expect([status, json.error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
    expect(json.error.message).toBe(
      `The checkout policy returned a ${name} that is a Promise: await it.`,
    );
    expect(onError).toHaveBeenCalledOnce();
  });

  it('signs nothing when its context is a promise, and says so', async () => {
    const policy = vi.fn();
    const onError = vi.fn();
    const handler = createTestHandler({ policy, onError });
    const context = Promise.resolve({ user: 'u1' });
    const response = await (handler as (...given: unknown[]) => Promise<Response>)(
      new Request('https://shop.example/api/ramp/checkouts', { method: 'POST' }),
      context,
    );
    expect(response.status).toBe(500);
    expect((await response.json()).error.message).toMatch(/with a Promise as context. Await it/);
    expect(policy).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalledOnce();
  });

  it.each([
    ['GET', '/currencies', 200],
    ['GET', '/checkouts', 200],
    ['POST', '/checkouts', 201],
    ['GET', '/checkouts/r1', 404],
    ['POST', '/checkouts/r1/opened', 404],
    ['POST', '/checkouts/r1/continue', 404],
    ['POST', '/webhook', 404],
  ])('responds to %s %s with a slash at the end as without it', async (method, path, status) => {
    const handler = createTestHandler();
    const [plain, slash] = await Promise.all(
      ['', '/'].map((end) => callHandler(handler, { method, path: `/api/ramp${path}${end}` })),
    );
    expect([plain?.status, slash?.status]).toEqual([status, status]);
    if (status !== 201) expect(slash?.json).toEqual(plain?.json);
  });

  it('responds under its base path, and without it', async () => {
    expect(
      (
        await callHandler(createTestHandler({ basePath: '/pay/v1/' }), {
          path: '/pay/v1/checkouts',
        })
      ).status,
    ).toBe(201);
    const doubled = createTestHandler({ basePath: '/pay/v1//' });
    expect((await callHandler(doubled, { path: '/pay/v1/checkouts' })).status).toBe(201);
    expect((await callHandler(createTestHandler(), { path: '/checkouts' })).status).toBe(201);
    expect((await callHandler(createTestHandler(), { path: '/other/checkouts' })).status).toBe(404);
  });

  it.each(['/checkouts?', '/checkouts?a=/b&c=?d', '/checkouts#e', '/checkouts?a=b#/c'])(
    'finds the route of %s',
    async (path) => {
      for (const base of ['', '/api/ramp'])
        expect((await callHandler(createTestHandler(), { path: base + path })).status).toBe(201);
    },
  );

  it.each(['http://a', 'https://a', 'http://[::1]:80', 'https://shop.example:8443'])(
    'finds a route at %s',
    async (host) => {
      const request = new Request(`${host}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: '{"widget":"on-ramp"}',
      });
      expect((await createTestHandler()(request)).status).toBe(201);
    },
  );
});

describe('POST /checkouts when the policy refuses', () => {
  it('returns the message of ERR_POLICY_REFUSED', async () => {
    const handler = createTestHandler({
      policy: () => {
        throw new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
      },
    });
    const { status, json } = await callHandler(handler);
    expect(status).toBe(403);
    expect(json).toEqual({ error: { code: 'ERR_POLICY_REFUSED', message: 'Sign in to buy.' } });
  });

  it('returns the issues of ERR_POLICY_REFUSED, by which a page recognizes the refusal', async () => {
    const issues = [{ param: 'identity', message: 'is not verified' }];
    const handler = createTestHandler({
      policy: () => {
        throw new RampError('ERR_POLICY_REFUSED', 'Verify your identity to buy.', { issues });
      },
    });
    const { json } = await callHandler(handler);
    expect(json.error.issues).toEqual(issues);
  });

  it('reports any other error only to the backend', async () => {
    const reported: unknown[] = [];
    const handler = createTestHandler({
      policy: async () => {
        throw new Error('db password is hunter2');
      },
      onError: (error) => reported.push((error as Error).cause),
    });
    const { status, json } = await callHandler(handler);
    expect(status).toBe(403);
    expect(json.error.code).toBe('ERR_POLICY_REFUSED');
    expect(JSON.stringify(json)).not.toContain('hunter2');
    expect(String(reported[0])).toContain('hunter2');
  });

  it.each([
    ['undefined', undefined, 500, 'ERR_CONFIG_INVALID', /must return \{ params \}/],
    ['no params', {}, 500, 'ERR_CONFIG_INVALID'],
    ['a subject', { params: { walletAddress: wallet }, subject: 'u1' }, 500, 'ERR_CONFIG_INVALID'],
    ['an ext', { params: { walletAddress: wallet, ext: 'x' } }, 500, 'ERR_CONFIG_INVALID'],
    [
      'a malformed expectedFiatCurrency',
      { params: { walletAddress: wallet }, expectedFiatCurrency: 'Euro' },
      500,
      'ERR_CONFIG_INVALID',
    ],
    [
      'a malformed expectedAmount',
      { params: { walletAddress: wallet }, expectedAmount: '1.234' },
      500,
      'ERR_CONFIG_INVALID',
    ],
    [
      'an expectedAmount without a currency, which the shopper could choose',
      { params: { walletAddress: wallet }, expectedAmount: '100' },
      500,
      'ERR_CONFIG_INVALID',
      /expectedFiatCurrency/,
    ],
    [
      'no wallet',
      { params: {} },
      400,
      'ERR_PARAMS_INVALID',
      /^The checkout policy's params were refused: walletAddress is required\.$/,
    ],
    [
      'a wallet that could be read as two parameters',
      { params: { walletAddress: 'a&b=c' } },
      400,
      'ERR_PARAMS_INVALID',
    ],
  ])(
    'is reported through onError when it returns %s',
    async (_, grant, status, code, message = /policy/) => {
      const reported: unknown[] = [];
      const onError = (error: unknown) => reported.push(error);
      const result = await callHandler(
        createTestHandler({ policy: () => grant as never, onError }),
      );
      expect([result.status, result.json.error.code]).toEqual([status, code]);
      expect(result.json.error.message).toMatch(message as RegExp);
      expect(reported).toHaveLength(1);
    },
  );
});

describe('CORS of the ramp handler', () => {
  it('allows a preflight with credentials and additional headers', async () => {
    const response = await createTestHandler()(
      new Request('https://api.example/api/ramp/checkouts', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-csrf',
        },
      }),
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    expect(response.headers.get('access-control-allow-headers')).toContain('x-csrf');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,POST');
    expect(response.headers.get('access-control-max-age')).toBe('600');
    expect(response.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers');
  });

  it('names no allowed headers in response to a preflight that requests none', async () => {
    const { response } = await callHandler(createTestHandler(), { method: 'OPTIONS' });
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,POST');
    expect(response.headers.get('access-control-allow-headers')).toBeNull();
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it('adds the headers of a preflight to no other response', async () => {
    const { response } = await callHandler(createTestHandler(), {
      headers: { 'access-control-request-headers': 'x-csrf' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    for (const name of ['allow-methods', 'allow-headers', 'max-age'])
      expect(response.headers.get(`access-control-${name}`)).toBeNull();
  });

  const failing = { ...memoryOrderStore(), saveCheckout: () => Promise.reject('a text') };
  it.each([
    ['a checkout', {}, 201],
    ['a malformed body', { body: '{' }, 400],
    ['an unknown route', { path: '/api/ramp/nowhere' }, 404],
    ['a path outside the base path', { path: '/elsewhere', method: 'GET' }, 404],
    ['a route with a repeated path', { path: '/api/ramp/checkouts/checkouts' }, 404],
    ['the status of an unknown checkout', { path: '/api/ramp/checkouts/r1', method: 'GET' }, 404],
    ['webhooks without a verifier', { path: '/api/ramp/webhook' }, 404],
    ['another method', { method: 'PUT' }, 405],
    ['a store that throws a text', {}, 500, { store: failing }],
  ] as const)('lets the page read the response to %s, which varies by origin', async (...row) => {
    const [, sent, status, options] = row;
    const result = await callHandler(createTestHandler({ onError: () => {}, ...options }), sent);
    const { headers } = result.response;
    expect(result.status).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('does not allow an origin that is not on the list', async () => {
    for (const path of ['/api/ramp/checkouts', '/api/ramp/nowhere']) {
      const { headers } = (
        await callHandler(createTestHandler(), {
          path,
          headers: { origin: 'https://evil.example' },
        })
      ).response;
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toBe('Origin');
    }
  });
});

describe('a ramp handler that is called without a Fetch Request', () => {
  const callWith = async (...args: readonly unknown[]) => {
    const errors: unknown[] = [];
    const handler = createTestHandler({ onError: (error) => errors.push(error) });
    const response = await (handler as (...given: readonly unknown[]) => Promise<Response>)(
      ...args,
    );
    return { errors, response, json: await response.json() };
  };
  const notMounted = {
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringMatching(/^ramp\.handler .*toExpress\(\).*toNodeHandler\(\)/),
  };

  it.each([
    ['the request of Express', { headers: { origin } }],
    ['a request whose headers are a list', { headers: [] }],
    ['no headers', {}],
    ['nothing', undefined],
  ])('responds 500 to %s, reports it, and names the adapters', async (_, request) => {
    const { errors, response, json } = await callWith(request);
    expect(response.status).toBe(500);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(json.error).toMatchObject(notMounted);
    expect(errors).toMatchObject([notMounted]);
  });

  it('ends the response of Node.js, if it is the second argument', async () => {
    const ended = { statusCode: 0, setHeader: vi.fn(), end: vi.fn() };
    await callWith({ headers: {} }, ended);
    expect(ended.statusCode).toBe(500);
    expect(JSON.parse(ended.end.mock.calls[0]?.[0]).error).toMatchObject(notMounted);
  });

  it.each([{ setHeader: vi.fn() }, { end: vi.fn() }, { setHeader: true, end: true }])(
    'does not take %o for the response of Node.js',
    async (context) => {
      expect((await callWith({ headers: {} }, context)).response.status).toBe(500);
      for (const member of Object.values(context))
        if (typeof member === 'function') expect(member).not.toHaveBeenCalled();
    },
  );

  it('reports it once a minute', async () => {
    const errors: unknown[] = [];
    const clock = { nowMs: 5000 };
    const handler = createTestHandler(
      { onError: (error) => errors.push(error) },
      { monotonic: () => clock.nowMs },
    ) as (...given: readonly unknown[]) => Promise<Response>;
    await handler({});
    await handler({});
    expect(errors).toHaveLength(1);
    clock.nowMs += 60_000;
    await handler({});
    expect(errors).toHaveLength(2);
  });
});
