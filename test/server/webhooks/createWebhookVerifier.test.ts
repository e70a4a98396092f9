import { describe, expect, it, vi } from 'vitest';
import {
  memoryOrderStore,
  type WebhookError,
  type WebhookReason,
  type WebhookRequest,
} from '../../../src/server/index.js';
import {
  addHeaders,
  createTestVerifier,
  getRejectionReason,
} from '../../support/server/createTestVerifier.js';
import { createWebhook, webhookTime, webhookUrl } from '../../support/server/createWebhook.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

describe('createWebhookVerifier', () => {
  it.each([1, 12, 123_456, 1_234_567, 4_294_967_295])(
    'accepts the nonce %i, and recognizes its replay',
    async (nonce) => {
      const replays = memoryOrderStore();
      const request = createWebhook({ nonce });
      expect(await createTestVerifier({ replays }).verify(request)).toMatchObject({
        isReplay: false,
      });
      expect(await createTestVerifier({ replays }).verify(request)).toMatchObject({
        isReplay: true,
      });
    },
  );

  it.each(vectors.webhook.map((vector, index) => [index, vector] as const))(
    'verifies vector %i of another implementation',
    async (_, { method, url, headers, body }) => {
      const { search } = new URL(url);
      const request = {
        method,
        headers,
        query: search,
        body: new TextEncoder().encode(JSON.stringify(body)),
      };
      const timestamp = Number(headers['X-Fp-Timestamp']);
      const options = { now: () => timestamp * 1000 };
      expect(await createTestVerifier(options).verify(request)).toEqual({
        isReplay: false,
        timestamp,
      });
    },
  );

  it('accepts headers in the forms of Node, Express and Request', async () => {
    const { headers, ...rest } = createWebhook({ query: '?tenant=eu1' });
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const distinct = Object.fromEntries(
      Object.entries(lower).map(([name, value]) => [name, [value]]),
    );
    // `Headers` of another package are iterable, and no instance of the global class.
    const iterable = new Map(Object.entries(headers)) as unknown as Headers;
    for (const form of [headers, lower, distinct, new Headers(headers), iterable])
      expect(await getRejectionReason({ ...rest, headers: form })).toBe('accepted');
  });

  it('verifies the configured address, not the address of the request', async () => {
    const hosts = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    expect(await getRejectionReason(addHeaders(createWebhook(), hosts))).toBe('accepted');
    const toAnother = createWebhook({ url: 'https://evil.example/hooks/ramp' });
    expect(await getRejectionReason(addHeaders(toAnother, hosts))).toBe('signature');
  });

  it('keeps a trailing slash of the address, because it is signed', async () => {
    const url = `${webhookUrl}/`;
    expect(await getRejectionReason(createWebhook({ url }), { url })).toBe('accepted');
    expect(await getRejectionReason(createWebhook(), { url })).toBe('signature');
  });

  it('accepts additional X-Fp headers, which are signed too', async () => {
    const request = createWebhook({ headers: { 'X-Fp-Event': 'order.finished' } });
    expect(await getRejectionReason(request)).toBe('accepted');
    expect(await getRejectionReason(addHeaders(request, { 'X-Fp-Event': 'order.failed' }))).toBe(
      'signature',
    );
  });

  it.each([
    [-300, 'accepted'],
    [300, 'accepted'],
    [-301, 'timestamp'],
    [301, 'timestamp'],
  ])('verifies a timestamp %i s from now: %s', async (offset, outcome) => {
    expect(await getRejectionReason(createWebhook({ timestamp: webhookTime + offset }))).toBe(
      outcome,
    );
  });

  it('accepts a timestamp within toleranceSeconds', async () => {
    const request = createWebhook({ timestamp: webhookTime - 30 });
    expect(await getRejectionReason(request, { toleranceSeconds: 20 })).toBe('timestamp');
    expect(await getRejectionReason(request, { toleranceSeconds: 30 })).toBe('accepted');
  });

  it('reports a replay if the text was verified before, with any encoding of the signature', async () => {
    const replays = memoryOrderStore();
    const request = createWebhook();
    const first = await createTestVerifier({ replays }).verify(request);
    // New verifiers with the same replay store stand for other instances, or for the same instance after a restart.
    const again = await Promise.all(
      [1, 2].map(() => createTestVerifier({ replays }).verify(request)),
    );
    expect([first, ...again].map(({ isReplay }) => isReplay)).toEqual([false, true, true]);
  });

  it('stores a hash for longer than the webhook can be replayed', async () => {
    const replays = memoryOrderStore();
    const request = createWebhook({ timestamp: webhookTime + 300 });
    await createTestVerifier({ replays }).verify(request);
    const latest = { replays, now: () => (webhookTime + 600) * 1000 };
    expect(await createTestVerifier(latest).verify(request)).toMatchObject({ isReplay: true });
  });

  it.each([undefined, 20])(
    'stores a hash for a minute longer than the timestamp is accepted: %s',
    async (of) => {
      const claimReplay = vi.fn(async () => true);
      const toleranceSeconds = of ?? 300;
      const options = { replays: { claimReplay }, ...(of && { toleranceSeconds }) };
      const timestamp = webhookTime + 7;
      await createTestVerifier(options).verify(createWebhook({ timestamp }));
      const keepUntil = timestamp + 2 * toleranceSeconds + 60;
      expect(claimReplay.mock.calls).toEqual([
        [expect.stringMatching(/^[0-9a-f]{64}$/), keepUntil, webhookTime, undefined],
      ]);
    },
  );

  it('does not store the hash of a refused webhook', async () => {
    const replays = memoryOrderStore();
    const request = createWebhook();
    const forged = addHeaders(request, {
      'X-Fp-Signature': createWebhook().headers['X-Fp-Signature'],
    });
    await expect(createTestVerifier({ replays }).verify(forged)).rejects.toThrow();
    expect(await createTestVerifier({ replays }).verify(request)).toMatchObject({
      isReplay: false,
    });
  });
});

describe('createWebhookVerifier refuses a webhook', () => {
  const request = createWebhook({ query: '?a=1&b=2' });
  const { headers } = request;
  const signature = headers['X-Fp-Signature'] as string;
  const without = (name: string) => addHeaders(request, { [name]: undefined });

  it.each<[string, WebhookRequest, WebhookReason]>([
    ['with another method', { ...request, method: 'PUT' }, 'method'],
    ['with its method in lower case', { ...request, method: 'post' }, 'method'],
    ['without a signature', without('X-Fp-Signature'), 'header-missing'],
    ['with an empty signature', addHeaders(request, { 'X-Fp-Signature': '' }), 'header-missing'],
    ['without a timestamp', without('X-Fp-Timestamp'), 'header-missing'],
    ['with an empty timestamp', addHeaders(request, { 'X-Fp-Timestamp': '' }), 'header-missing'],
    ['without a nonce', without('X-Fp-Nonce'), 'header-missing'],
    [
      'with a header twice',
      addHeaders(request, { 'X-Fp-Nonce': [headers['X-Fp-Nonce'], headers['X-Fp-Nonce']] }),
      'header-repeated',
    ],
    [
      'with a header twice in different case',
      addHeaders(request, { 'x-fp-nonce': headers['X-Fp-Nonce'] }),
      'header-repeated',
    ],
    [
      'with a header twice, joined as Node joins it',
      addHeaders(request, { 'X-Fp-Version': 'v1.0, v1.0' }),
      'header-repeated',
    ],
    [
      'with an empty list for a header',
      addHeaders(request, { 'X-Fp-Nonce': [] }),
      'header-repeated',
    ],
    [
      'with a header that contains other headers',
      addHeaders(without('X-Fp-Partner-Id') as typeof request, {
        'X-Fp-Nonce': `${headers['X-Fp-Nonce']}&x-fp-partner-id=partner-1`,
      }),
      'header-malformed',
    ],
    [
      'with a header that contains the query',
      {
        ...addHeaders(createWebhook({ query: '?zone=1' }), { 'X-Fp-Version': 'v1.0&zone=1' }),
        query: '',
      },
      'header-malformed',
    ],
    [
      'with a header whose name has a separator',
      addHeaders(request, { 'x-fp-a&b': '1' }),
      'header-malformed',
    ],
    [
      'with a header whose name contains another header',
      addHeaders(request, { 'x-fp-a&x-fp-b': '1' }),
      'header-malformed',
    ],
    [
      'with a timestamp in milliseconds',
      addHeaders(request, { 'X-Fp-Timestamp': `${webhookTime}000` }),
      'header-malformed',
    ],
    [
      'with a nonce that is not a number',
      addHeaders(request, { 'X-Fp-Nonce': '12345x' }),
      'header-malformed',
    ],
    [
      'with a nonce that is too long',
      addHeaders(request, { 'X-Fp-Nonce': '12345678901' }),
      'header-malformed',
    ],
    [
      'with a header without a value',
      addHeaders(request, { 'X-Fp-Event': [undefined] }),
      'header-malformed',
    ],
    ['with a query name twice', { ...request, query: '?a=1&a=1&b=2' }, 'query-malformed'],
    ['with a separator in a query value', { ...request, query: '?a=1%26b%3D2' }, 'query-malformed'],
    ['with an equals sign that was not signed', { ...request, query: '?a=1%3D&b=2' }, 'signature'],
    [
      'with an equals sign in a query name',
      { ...request, query: '?a%3D=1&b=2' },
      'query-malformed',
    ],
    ['with malformed percent-encoding', { ...request, query: '?a=%zz&b=2' }, 'query-malformed'],
    [
      'with a header moved into the query',
      { ...(without('X-Fp-Version') as typeof request), query: '?a=1&b=2&x-fp-version=v1.0' },
      'query-malformed',
    ],
    ['with an additional query parameter', { ...request, query: '?a=1&b=2&c=3' }, 'signature'],
    ['without its query', { ...request, query: '' }, 'signature'],
    [
      'without padding',
      addHeaders(request, { 'X-Fp-Signature': signature.slice(0, -2) }),
      'signature',
    ],
    [
      'with a line break in the signature',
      addHeaders(request, { 'X-Fp-Signature': `${signature}\n` }),
      'signature',
    ],
    [
      'with a base64url signature',
      addHeaders(request, {
        'X-Fp-Signature': signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
      }),
      'signature',
    ],
  ])('%s', async (_, refused, reason) => {
    expect(await getRejectionReason(refused)).toBe(reason);
  });

  it('when the replay store fails, with the reason replay-store', async () => {
    const replays = { claimReplay: () => Promise.reject(new Error('down')) };
    expect(await getRejectionReason(request, { replays })).toBe('replay-store');
  });

  it('as a replay when the replay store returns anything but true', async () => {
    const replays = { claimReplay: async () => undefined as unknown as boolean };
    expect(await createTestVerifier({ replays }).verify(request)).toMatchObject({ isReplay: true });
  });

  it('when an unexpected error occurs', async () => {
    const now = () => {
      throw new Error('no clock');
    };
    expect(await getRejectionReason(request, { now })).toBe('unexpected');
    expect(await getRejectionReason(request, { now: () => Number.NaN })).toBe('timestamp');
    expect(await getRejectionReason(undefined as unknown as WebhookRequest)).toBe('unexpected');
  });

  it('with a message that has neither its signature nor its body', async () => {
    const forged = addHeaders(request, {
      'X-Fp-Signature': createWebhook().headers['X-Fp-Signature'],
    });
    const error = await createTestVerifier()
      .verify(forged)
      .catch((error: WebhookError) => error);
    const printed = `${(error as WebhookError).stack}${JSON.stringify(error)}`;
    expect(printed).not.toContain(signature.slice(0, 12));
    expect(printed).not.toContain('orderId');
  });
});
