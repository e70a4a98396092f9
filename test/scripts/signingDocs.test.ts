import { createHmac, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createNftOffer } from '../../src/sandbox/checkout/offers.js';
import { verifyWidgetQuery } from '../../src/sandbox/checkout/verifyWidgetQuery.js';
import { createWebhookVerifier, createWidgetSigner } from '../../src/server/index.js';
import { testRuntime } from '../support/server/testRuntime.js';

type Items = Readonly<Record<string, string>>;

interface SignedBodyVector {
  readonly name: string;
  readonly url: string;
  readonly headers: Items;
  readonly body: string;
  readonly text: string;
  readonly valid: boolean;
}

const page = readFileSync('docs/signing.md', 'utf8');
const parameterPage = readFileSync('docs/parameters.md', 'utf8');
const vectors = JSON.parse(readFileSync('docs/signing-vectors.json', 'utf8'));
const { keys } = vectors;

/** Returns the code blocks in a generated part of docs/signing.md. */
function codeBlocks(part: string): string[] {
  const text = page.split(`<!-- generated: ${part} -->`)[1]?.split('<!-- /generated -->')[0] ?? '';
  return [...text.matchAll(/^```\n([\s\S]*?)\n```/gm)].map(([, code = '']) => code);
}

/** Returns the parameters that a table of docs/parameters.md marks as signed. */
function signedNames(title: string): Set<string> {
  const table = parameterPage.split(`\n## ${title}\n`)[1]?.split(/\n(?:## |<!--)/)[0] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` \| yes \|/gm)];
  return new Set(rows.map(([, name = '']) => name));
}

// This signer follows docs/signing.md and uses no code of src, as a reader of the guide would write it.
const join = (items: Items) =>
  Object.keys(items)
    .filter((name) => items[name])
    .sort()
    .map((name) => `${name}=${items[name]}`)
    .join('&');
const encodeExt = ({ ext, ...items }: Items) =>
  join({ ...items, ext: ext ? encodeURIComponent(ext) : '' });
const hmac = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64');
function requestText(method: string, url: string, headers: Items): string {
  const { host, pathname, searchParams } = new URL(url);
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name.startsWith('x-fp-') && name !== 'x-fp-signature');
  return `${method}${host}${pathname}?${join(Object.fromEntries([...searchParams, ...own]))}`;
}

describe('docs/signing.md and its test data', () => {
  it.each(['On-ramp', 'NFT checkout'])(
    'has a test vector that the sandbox accepts: %s',
    (title) => {
      const [text = '', signature, url = ''] = codeBlocks('widget').slice(
        title === 'On-ramp' ? 0 : 3,
      );
      const { search, searchParams } = new URL(url);
      expect(hmac(text, 'demonstration-key')).toBe(signature);
      expect(searchParams.get('signature')).toBe(signature);
      const names = signedNames(title);
      const sent = [...searchParams].filter(([name]) => names.has(name));
      expect(encodeExt(Object.fromEntries(sent))).toBe(text);
      const verified = verifyWidgetQuery(search, {
        partnerId: 'demo-partner',
        secretKey: 'demonstration-key',
        nowSeconds: 1_767_225_600,
        toleranceSeconds: 300,
      });
      expect(verified).toMatchObject({ ok: true, widget: title === 'On-ramp' ? 'on-ramp' : 'nft' });
      if (title === 'NFT checkout')
        expect(createNftOffer(Object.fromEntries(searchParams))).toBeDefined();
    },
  );

  it.each(['api', 'webhook'])('has a test vector for RSA: %s', (part) => {
    const [request = '', text = '', signature = ''] = codeBlocks(part);
    const [first = '', ...lines] = request.split('\n');
    const [method = '', url = ''] = first.split(' ');
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
    expect(requestText(method, url, headers)).toBe(text);
    const key = part === 'api' ? keys.apiPublicKey : keys.webhookPublicKey;
    expect(verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('marks the parameters of the vectors as signed', () => {
    const names = { 'on-ramp': signedNames('On-ramp'), nft: signedNames('NFT checkout') };
    for (const { widget, params, unsignedParams } of vectors.widget) {
      const extra = ['timeout', 'Zone'];
      const isSigned = (name: string) => names[widget as 'nft'].has(name) || extra.includes(name);
      expect(Object.keys(params).filter((name) => !isSigned(name))).toEqual([]);
      expect(Object.keys(unsignedParams).filter(isSigned)).toEqual([]);
    }
  });

  it('has vectors that follow from the rules of the page', () => {
    for (const { params, unsignedParams, secretKey, text, signature, query } of vectors.widget) {
      expect(encodeExt(params)).toBe(text);
      expect(hmac(text, secretKey)).toBe(signature);
      const present = Object.entries({ ...params, ...unsignedParams, signature }).filter(
        ([, value]) => value,
      );
      expect(Object.fromEntries(new URLSearchParams(query))).toEqual(Object.fromEntries(present));
    }
    for (const { method, url, headers, text, signature } of vectors.api) {
      expect(requestText(method, url, headers)).toBe(text);
      expect(sign('sha256', Buffer.from(text), keys.apiPrivateKey).toString('base64')).toBe(
        signature,
      );
    }
    for (const { method, url, headers, text, valid } of vectors.webhook) {
      expect(requestText(method, url, headers)).toBe(text);
      const signature = Buffer.from(headers['X-Fp-Signature'], 'base64');
      expect(verify('sha256', Buffer.from(text), keys.webhookPublicKey, signature)).toBe(valid);
    }
    for (const { value, encoded } of vectors.ext) expect(encodeURIComponent(value)).toBe(encoded);
  });

  it.each<SignedBodyVector>(vectors.signedBody)(
    'has a vector of a signed body: $name',
    ({ url, headers, body, text, valid }) => {
      const signature = Buffer.from(headers['X-Fp-Signature'] ?? '', 'base64');
      expect(verify('sha256', Buffer.from(text), keys.webhookPublicKey, signature)).toBe(true);
      const [address = '', query = ''] = url.split('?');
      const webhooks = createWebhookVerifier(
        { publicKey: keys.webhookPublicKey, url: address, signedBody: true },
        testRuntime({ now: () => Number(headers['X-Fp-Timestamp']) * 1000 }),
      );
      const request = { method: 'POST', headers, query, body: Buffer.from(body) };
      if (valid) expect(webhooks.verify(request).id).toMatch(/^[0-9a-f]{64}$/);
      else expect(() => webhooks.verify(request)).toThrow(/signature is not valid|body/);
    },
  );

  it('has vectors that the sandbox verifies, with nonces of one to ten digits', () => {
    for (const { params, secretKey, query } of vectors.widget)
      expect(
        verifyWidgetQuery(query, {
          partnerId: params.partnerId,
          secretKey,
          nowSeconds: Number(params.timestamp),
          toleranceSeconds: 300,
          extraSignedParams: ['timeout', 'Zone'],
        }),
      ).toMatchObject({ ok: true });
    const lengths = vectors.widget.map(({ params }: { params: Items }) => params.nonce?.length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([1, 10]);
  });

  it('names the characters that the signer refuses, and only those', () => {
    const [, words = ''] =
      /\*\*Refused\*\* by `createWidgetSigner`: ((?:`.`[ ,])+)/.exec(page) ?? [];
    const named = [...words.matchAll(/`(.)`/g)].map(([, character]) => character);
    const signer = createWidgetSigner({ partnerId: 'p', secretKey: 's' });
    const printable = Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code));
    const refused = printable.filter((character) => {
      try {
        return !signer.sign('on-ramp', { walletAddress: `a${character}b` });
      } catch {
        return true;
      }
    });
    expect(refused.sort()).toEqual([' ', ...named].sort());
  });
});
