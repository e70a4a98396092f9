import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinRequestPayload } from '../../../src/protocol/api/buildRequestPayload.js';
import {
  signRsaSha256,
  type WebhookReason,
  type WebhookRequest,
} from '../../../src/server/index.js';
import { parseSignedQuery } from '../../../src/server/webhooks/webhookItems.js';
import {
  addHeaders,
  createTestVerifier,
  getRejectionReason,
} from '../../support/server/createTestVerifier.js';
import { createWebhook, webhookUrl } from '../../support/server/createWebhook.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

describe('createWebhookVerifier with signedBody', () => {
  const withBody = (request: WebhookRequest, body: string) => ({
    ...request,
    query: '',
    body: new TextEncoder().encode(body),
  });

  it('verifies the scalar fields with their exact digits', () => {
    // The request is signed with the fields in its query, and sent with them in its body. The signed text is the same.
    const request = createWebhook({ query: '?currencyAmount=99.50&orderId=o1&paid=true' });
    const fields = '"currencyAmount":99.50,"paid":true,"ext":"","nftDetails":[],"nothing":null';
    const options = { signedBody: true };
    expect(getRejectionReason(withBody(request, `{"orderId":"o1",${fields}}`), options)).toBe(
      'accepted',
    );
    expect(getRejectionReason(withBody(request, `{"orderId":"o2",${fields}}`), options)).toBe(
      'signature',
    );
  });

  it.each<[string, string, WebhookReason]>([
    ['malformed JSON', '{', 'body-malformed'],
    ['a list', '[]', 'body-malformed'],
    ['a value with a separator', '{"a":"1&b=2"}', 'body-malformed'],
    ['a name with an equals sign', '{"a=b":"1"}', 'body-malformed'],
    ['a name with a separator', '{"a&b":"1"}', 'body-malformed'],
    ['text', '"orderId"', 'body-malformed'],
    ['null', 'null', 'body-malformed'],
    ['the name of a header', '{"X-Fp-Nonce":"1"}', 'body-malformed'],
    ['fields that were not signed', '{"orderId":"o1"}', 'signature'],
  ])('refuses %s', (_, body, reason) => {
    const request = withBody(createWebhook(), body);
    expect(getRejectionReason(request, { signedBody: true })).toBe(reason);
    expect(getRejectionReason(request)).toBe('accepted');
  });

  it('verifies values with "=" and with "&", and ignores empty fields', () => {
    const fields = { ext: 'b3JkZXI=', name: 'Smith & Sons', tag: '', gone: null };
    const url = `${webhookUrl}?${new URLSearchParams({ ext: fields.ext, name: fields.name })}`;
    const request = { ...createWebhook({ url }), query: '' };
    const body = new TextEncoder().encode(JSON.stringify(fields));
    expect(getRejectionReason({ ...request, body }, { signedBody: true })).toBe('accepted');
    const withEmpty = { ...request, query: '?name=&tag=', body };
    expect(getRejectionReason(withEmpty, { signedBody: true })).toBe('accepted');
  });

  it.each([
    ['{"a":"1&b=2"}', '"a" has "&" followed by "="'],
    ['{"a=b":"1"}', '"a=b" has "&" or "=" in its name'],
    ['{"X-Fp-Nonce":"1"}', '"X-Fp-Nonce" has a name that is reserved for headers'],
    [`{"${'x'.repeat(100)}":"&="}`, `"${'x'.repeat(64)}" has "&"`],
  ])('names the refused field in %s', (body, words) => {
    const { verify } = createTestVerifier({ signedBody: true });
    expect(() => verify(withBody(createWebhook(), body))).toThrow(words);
  });
});

describe('the joined text of the query and a signed body', () => {
  it('is unambiguous', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !/[&=]/.test(text));
    const part = fc.constantFrom('&', '=', 'a', 'b', 'a=', '&b');
    const value = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1 }), (given) => {
        let items: [string, string][];
        try {
          items = parseSignedQuery(`${new URLSearchParams(given)}`);
        } catch {
          return fc.pre(false);
        }
        const text = joinRequestPayload('POST', 'shop.example', Object.fromEntries(items));
        const read: [string, string][] = [];
        for (const piece of text.slice('POSTshop.example?'.length).split('&')) {
          const [key, ...rest] = piece.split('=');
          const last = read.at(-1);
          if (rest.length > 0) read.push([key ?? '', rest.join('=')]);
          else if (last) last[1] += `&${piece}`;
        }
        expect(Object.fromEntries(read)).toEqual(Object.fromEntries(items));
      }),
    );
  });
});

describe('a field in the query and in a signed body', () => {
  it('is refused, although the body has the signed value', () => {
    const request = createWebhook({ query: '?orderId=o2' });
    const body = new TextEncoder().encode('{"orderId":"o2"}');
    const options = { signedBody: true };
    expect(getRejectionReason({ ...request, query: '', body }, options)).toBe('accepted');
    expect(getRejectionReason({ ...request, body }, options)).toBe('body-malformed');
    expect(getRejectionReason({ ...request, query: '?orderId=o1', body }, options)).toBe(
      'body-malformed',
    );
  });
});

describe('createWebhookVerifier', () => {
  it.each([
    ['a private key', vectors.keys.webhookPrivateKey],
    ['no key', ''],
    [
      'a short key',
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
        type: 'spki',
        format: 'pem',
      }) as string,
    ],
    [
      'an EC key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
        type: 'spki',
        format: 'pem',
      }) as string,
    ],
  ])('refuses %s as its key', (_, publicKey) => {
    expect(() => createTestVerifier({ publicKey })).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID' }),
    );
  });

  it.each([
    ['an address without encryption', { url: 'http://shop.example/hooks' }],
    ['an address with a query', { url: `${webhookUrl}?a=1` }],
    ['a tolerance of 0', { toleranceSeconds: 0 }],
  ])('refuses %s', (_, options) => {
    expect(() => createTestVerifier(options)).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID' }),
    );
  });

  it('refuses a webhook that was signed with another key', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const request = createWebhook();
    const theirs = signRsaSha256('anything', privateKey);
    expect(getRejectionReason(addHeaders(request, { 'X-Fp-Signature': theirs }))).toBe('signature');
  });
});
