import { describe, expect, it } from 'vitest';
import type { WebhookError, WebhookReason, WebhookRequest } from '../../../src/server/index.js';
import {
  addHeaders,
  createTestVerifier,
  getRejectionReason,
} from '../../support/server/createTestVerifier.js';
import { createWebhook, webhookTime, webhookUrl } from '../../support/server/createWebhook.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

describe('createWebhookVerifier', () => {
  it.each([1, 12, 123_456, 1_234_567, 4_294_967_295])(
    'accepts the nonce %i, which is a part of the id',
    (nonce) => {
      const { id } = createTestVerifier().verify(createWebhook({ nonce }));
      expect(createTestVerifier().verify(createWebhook({ nonce })).id).toBe(id);
      expect(createTestVerifier().verify(createWebhook({ nonce: nonce + 1 })).id).not.toBe(id);
    },
  );

  it.each(vectors.webhook.map((vector, index) => [index, vector] as const))(
    'verifies vector %i of another implementation',
    (_, { method, url, headers, body }) => {
      const { search } = new URL(url);
      const request = {
        method,
        headers,
        query: search,
        body: new TextEncoder().encode(JSON.stringify(body)),
      };
      const timestamp = Number(headers['X-Fp-Timestamp']);
      const now = () => timestamp * 1000;
      expect(createTestVerifier({}, { now }).verify(request)).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        timestamp,
        expiresAt: timestamp + 300,
      });
    },
  );

  it('accepts headers in the forms of Node, Express and Request', () => {
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
      expect(getRejectionReason({ ...rest, headers: form })).toBe('accepted');
  });

  it('verifies the configured address, not the address of the request', () => {
    const hosts = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    expect(getRejectionReason(addHeaders(createWebhook(), hosts))).toBe('accepted');
    const toAnother = createWebhook({ url: 'https://evil.example/hooks/ramp' });
    expect(getRejectionReason(addHeaders(toAnother, hosts))).toBe('signature');
  });

  it('keeps a trailing slash of the address, because it is signed', () => {
    const url = `${webhookUrl}/`;
    expect(getRejectionReason(createWebhook({ url }), { url })).toBe('accepted');
    expect(getRejectionReason(createWebhook(), { url })).toBe('signature');
  });

  it('accepts additional X-Fp headers, which are signed too', () => {
    const request = createWebhook({ headers: { 'X-Fp-Event': 'order.finished' } });
    expect(getRejectionReason(request)).toBe('accepted');
    expect(getRejectionReason(addHeaders(request, { 'X-Fp-Event': 'order.failed' }))).toBe(
      'signature',
    );
  });

  it.each([
    [-300, 'accepted'],
    [300, 'accepted'],
    [-301, 'timestamp'],
    [301, 'timestamp'],
  ])('verifies a timestamp %i s from now: %s', (offset, outcome) => {
    expect(getRejectionReason(createWebhook({ timestamp: webhookTime + offset }))).toBe(outcome);
  });

  it('accepts a timestamp within toleranceSeconds', () => {
    const request = createWebhook({ timestamp: webhookTime - 30 });
    expect(getRejectionReason(request, { toleranceSeconds: 20 })).toBe('timestamp');
    expect(getRejectionReason(request, { toleranceSeconds: 30 })).toBe('accepted');
  });

  it('gives a webhook the same id in every instance and at any time', () => {
    const webhook = createWebhook();
    const { id } = createTestVerifier().verify(webhook);
    const later = { now: () => (webhookTime + 300) * 1000 };
    expect(createTestVerifier({ toleranceSeconds: 400 }, later).verify(webhook).id).toBe(id);
    // The id is that of the signed text, so a body that is not signed does not change it.
    const body = new TextEncoder().encode('{"ext":"r2"}');
    expect(createTestVerifier().verify({ ...webhook, body }).id).toBe(id);
  });

  it('gives webhooks that differ in one signed value different ids', () => {
    const nonce = 123_456;
    const webhooks = [
      createWebhook({ nonce }),
      createWebhook({ nonce: 123_457 }),
      createWebhook({ nonce, timestamp: webhookTime + 1 }),
      createWebhook({ nonce, query: '?tenant=eu1' }),
      createWebhook({ nonce, headers: { 'X-Fp-Event': 'order.finished' } }),
    ];
    const ids = webhooks.map((webhook) => createTestVerifier().verify(webhook).id);
    expect(new Set(ids).size).toBe(webhooks.length);
  });

  it.each([undefined, 20])(
    'tells when the timestamp of a webhook is no longer accepted: %s',
    (toleranceSeconds) => {
      const webhook = createWebhook({ timestamp: webhookTime + 7 });
      const { timestamp, expiresAt } = createTestVerifier({ toleranceSeconds }).verify(webhook);
      expect(timestamp).toBe(webhookTime + 7);
      const verifyAt = (time: number) =>
        getRejectionReason(webhook, { toleranceSeconds }, { now: () => time * 1000 });
      expect(verifyAt(expiresAt)).toBe('accepted');
      expect(verifyAt(expiresAt + 1)).toBe('timestamp');
    },
  );

  it.each<readonly [string, object, string | undefined]>([
    ['ext', { ext: 'r1' }, 'r1'],
    ['ext of the order', { order: { ext: 'r1' } }, 'r1'],
    ['no ext', {}, undefined],
    ['an ext that is no reference', { ext: 'a&b' }, undefined],
    ['an ext of another type', { ext: { a: 1 } }, undefined],
  ])('returns the reference of a body with %s', (_, body, reference) => {
    const webhook = createTestVerifier().verify(createWebhook({ body }));
    expect(webhook.reference).toBe(reference);
    expect('reference' in webhook).toBe(reference !== undefined);
  });
});

/** Returns everything that a log may print of the error that a call throws. */
function printError(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return `${(error as WebhookError).stack}${JSON.stringify(error)}`;
  }
  throw new Error('The call has not thrown.');
}

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
  ])('%s', (_, refused, reason) => {
    expect(getRejectionReason(refused)).toBe(reason);
  });

  it('when an unexpected error occurs', () => {
    const now = () => {
      throw new Error('no clock');
    };
    expect(getRejectionReason(request, {}, { now })).toBe('unexpected');
    expect(getRejectionReason(request, {}, { now: () => Number.NaN })).toBe('timestamp');
    expect(getRejectionReason(undefined as unknown as WebhookRequest)).toBe('unexpected');
  });

  it('with a message that has neither its signature nor its body', () => {
    const forged = addHeaders(request, {
      'X-Fp-Signature': createWebhook().headers['X-Fp-Signature'],
    });
    const printed = printError(() => createTestVerifier().verify(forged));
    expect(printed).not.toContain(signature.slice(0, 12));
    expect(printed).not.toContain('orderId');
  });
});
