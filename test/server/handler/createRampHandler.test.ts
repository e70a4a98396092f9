import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RampError } from '../../../src/protocol/index.js';
import {
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
} from '../../../src/server/index.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import {
  callHandler,
  createTestHandler,
  origin,
  secretKey,
  wallet,
} from '../../support/server/createTestHandler.js';

describe('POST /checkouts', () => {
  it('answers 201 with a reference, signed parameters and how long they last', async () => {
    const { status, json, response } = await callHandler(createTestHandler());
    expect(status).toBe(201);
    expect(Object.keys(json).sort()).toEqual(['expiresInSeconds', 'params', 'reference']);
    expect(json.params).toMatchObject({
      partnerId: 'p1',
      walletAddress: wallet,
      ext: json.reference,
    });
    expect(json.params.signature).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(json.expiresInSeconds).toBeLessThan(300);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('makes references of 128 random bits that need no encoding', async () => {
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

  it('keeps the intent before it answers, bound to its subject, without the signature', async () => {
    const store = memoryOrderStore();
    const grant = {
      subject: 'u7',
      expectedAmount: '100.00',
      expectedFiatCurrency: 'EUR',
      metadata: { cart: [1, 2] },
    };
    const handler = createTestHandler({
      store,
      now: () => 1_700_000_000_000,
      policy: () => ({ params: { walletAddress: wallet, walletAddressLocked: '1' }, ...grant }),
    });
    const { json } = await callHandler(handler);
    expect((await store.findCheckout(json.reference))?.intent).toEqual({
      reference: json.reference,
      widget: 'on-ramp',
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

  it('signs what the policy says, whatever the client proposes', async () => {
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

  it('shows the policy the proposal, the request and the context', async () => {
    const seen: unknown[] = [];
    const handler = createRampHandler<{ user: string }>({
      signer: createWidgetSigner({ partnerId: 'p1', secretKey }),
      allowedOrigins: [origin],
      policy: ({ widget, proposal, request, context }) => {
        seen.push(widget, proposal, request.headers.get('x-csrf'), context.user);
        return { params: mintListing, subject: context.user };
      },
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
    expect(seen).toEqual(['nft', { tokenId: '7' }, 't', 'u3']);
  });

  it('works under its base path and with the path stripped', async () => {
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
});

describe('a policy that refuses', () => {
  it('passes its own words on where it throws ERR_POLICY_REFUSED', async () => {
    const handler = createTestHandler({
      policy: () => {
        throw new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
      },
    });
    const { status, json } = await callHandler(handler);
    expect(status).toBe(403);
    expect(json).toEqual({ error: { code: 'ERR_POLICY_REFUSED', message: 'Sign in to buy.' } });
  });

  it('keeps what else it throws to the backend', async () => {
    const heard: unknown[] = [];
    const handler = createTestHandler({
      policy: async () => {
        throw new Error('db password is hunter2');
      },
      onError: (error) => heard.push((error as Error).cause),
    });
    const { status, json } = await callHandler(handler);
    expect(status).toBe(403);
    expect(json.error.code).toBe('ERR_POLICY_REFUSED');
    expect(JSON.stringify(json)).not.toContain('hunter2');
    expect(String(heard[0])).toContain('hunter2');
  });

  it.each([
    ['nothing', undefined, 500, 'ERR_CONFIG_INVALID', /must return \{ params, subject \}/],
    ['no subject', { params: { walletAddress: wallet } }, 500, 'ERR_CONFIG_INVALID'],
    [
      'an empty subject',
      { params: { walletAddress: wallet }, subject: '' },
      500,
      'ERR_CONFIG_INVALID',
    ],
    [
      'its own ext',
      { params: { walletAddress: wallet, ext: 'x' }, subject: 'u' },
      500,
      'ERR_CONFIG_INVALID',
    ],
    [
      'a crooked expectedFiatCurrency',
      { params: { walletAddress: wallet }, subject: 'u', expectedFiatCurrency: 'Euro' },
      500,
      'ERR_CONFIG_INVALID',
    ],
    [
      'a crooked expectedAmount',
      { params: { walletAddress: wallet }, subject: 'u', expectedAmount: '1.234' },
      500,
      'ERR_CONFIG_INVALID',
    ],
    [
      'an expectedAmount of no currency, as the shopper would choose one',
      { params: { walletAddress: wallet }, subject: 'u', expectedAmount: '100' },
      500,
      'ERR_CONFIG_INVALID',
      /expectedFiatCurrency/,
    ],
    [
      'no wallet',
      { params: {}, subject: 'u' },
      400,
      'ERR_PARAMS_INVALID',
      /^The checkout policy's params were refused: walletAddress is required\.$/,
    ],
    [
      'a splittable wallet',
      { params: { walletAddress: 'a&b=c' }, subject: 'u' },
      400,
      'ERR_PARAMS_INVALID',
    ],
  ])('is told of an answer with %s', async (_, grant, status, code, says = /policy/) => {
    const heard: unknown[] = [];
    const onError = (error: unknown) => heard.push(error);
    const answered = await callHandler(
      createTestHandler({ policy: () => grant as never, onError }),
    );
    expect([answered.status, answered.json.error.code]).toEqual([status, code]);
    expect(answered.json.error.message).toMatch(says as RegExp);
    expect(heard).toHaveLength(1);
  });
});

describe('a page on another origin', () => {
  it('may ask first, with credentials and headers of its own', async () => {
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
  });

  const failing = { ...memoryOrderStore(), saveIntent: () => Promise.reject('a text') };
  it.each([
    ['a checkout', {}, 201],
    ['a malformed body', { body: '{' }, 400],
    ['an unknown route', { path: '/api/ramp/nowhere' }, 404],
    ['a path outside the base path', { path: '/elsewhere', method: 'GET' }, 404],
    ['a route named twice', { path: '/api/ramp/checkouts/checkouts' }, 404],
    [
      'a checkout status without getSubject',
      { path: '/api/ramp/checkouts/r1', method: 'GET' },
      404,
    ],
    ['prices without an api', { path: '/api/ramp/quote', method: 'GET' }, 404],
    ['webhooks without a verifier', { path: '/api/ramp/webhook' }, 404],
    ['another method', { method: 'PUT' }, 405],
    ['a store that throws a text', {}, 500, { store: failing }],
  ] as const)('can read the response to %s, and caches keep origins apart', async (...row) => {
    const [, sent, status, options] = row;
    const answer = await callHandler(createTestHandler({ onError: () => {}, ...options }), sent);
    const { headers } = answer.response;
    expect(answer.status).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('gets no leave when it is not on the list', async () => {
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
