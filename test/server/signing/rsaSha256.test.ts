import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RampError } from '../../../src/protocol/index.js';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import { signRsaSha256, verifyRsaSha256 } from '../../../src/server/index.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const { apiPrivateKey, apiPublicKey, webhookPrivateKey, webhookPublicKey } = vectors.keys;

describe('signRsaSha256 with the vectors of another implementation', () => {
  it.each(vectors.api.map((vector, index) => [index, vector] as const))(
    'gives the same text and signature for vector %i',
    (_, { method, url, headers, canonical, signature }) => {
      const text = buildRequestPayload({ method, url, headers });
      expect(text).toBe(canonical);
      expect(signRsaSha256(text, apiPrivateKey)).toBe(signature);
      expect(verifyRsaSha256(text, signature, apiPublicKey)).toBe(true);
    },
  );
});

describe('verifyRsaSha256 with the vectors of another implementation', () => {
  it.each(vectors.webhook.map((vector, index) => [index, vector] as const))(
    'gives the same text and verifies the signature of vector %i',
    (_, { method, url, headers, canonical }) => {
      const text = buildRequestPayload({ method, url, headers });
      expect(text).toBe(canonical);
      expect(verifyRsaSha256(text, headers['X-Fp-Signature'], webhookPublicKey)).toBe(true);
      expect(verifyRsaSha256(`${text}1`, headers['X-Fp-Signature'], webhookPublicKey)).toBe(false);
    },
  );
});

describe('buildRequestPayload', () => {
  it('joins the method in upper case and the host with its port', () => {
    const text = buildRequestPayload({
      method: 'get',
      url: 'https://api.example:8443/a/b?c=d',
      headers: {},
    });
    expect(text).toBe('GETapi.example:8443/a/b?c=d');
  });

  it('accepts headers in any case, and uses only x-fp-*', () => {
    const headers = { 'X-FP-NONCE': '1', Accept: 'x', 'x-fp-signature': 's', 'x-fp-extra': '' };
    expect(buildRequestPayload({ method: 'GET', url: 'https://a.example/', headers })).toBe(
      'GETa.example/?x-fp-nonce=1',
    );
  });

  it.each([
    ['a duplicate query name', 'https://a.example/?a=1&a=2', {}],
    [
      'a header name that appears twice in different case',
      'https://a.example/',
      { 'X-Fp-A': '1', 'x-fp-a': '2' },
    ],
    ['a header name that is also in the query', 'https://a.example/?x-fp-a=1', { 'X-Fp-A': '2' }],
  ])('refuses %s', (_, url, headers) => {
    const run = () => buildRequestPayload({ method: 'GET', url, headers: { ...headers } as never });
    expect(run).toThrow(expect.objectContaining({ code: 'ERR_PARAMS_INVALID' }));
  });
});

describe('signRsaSha256 and verifyRsaSha256', () => {
  const pkcs1 = createPrivateKey(apiPrivateKey).export({ type: 'pkcs1', format: 'pem' }).toString();
  const short = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const curve = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const encrypted = createPrivateKey(apiPrivateKey)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();
  const message = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      expect((error as RampError).code).toBe('ERR_CONFIG_INVALID');
      return (error as RampError).message;
    }
    throw new Error('No error was thrown.');
  };

  it('agree for any text', () => {
    const key = createPrivateKey(webhookPrivateKey);
    const publicKey = createPublicKey(webhookPublicKey);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(verifyRsaSha256(text, signRsaSha256(text, key), publicKey)).toBe(true);
      }),
    );
  });

  it('accept PKCS#1, PKCS#8 and KeyObjects', () => {
    const expected = signRsaSha256('text', apiPrivateKey);
    expect(signRsaSha256('text', pkcs1)).toBe(expected);
    expect(signRsaSha256('text', createPrivateKey(apiPrivateKey))).toBe(expected);
  });

  it.each([
    ['a public key', apiPublicKey, 'is a public key'],
    ['an encrypted key', encrypted, 'is encrypted'],
    ['a short key', short.privateKey, 'has 1024 bits'],
    ['a key that is not RSA', curve.privateKey, 'is not an RSA key'],
    ['a key without line breaks', apiPrivateKey.replaceAll('\n', ' '), 'cannot be read'],
    ['no key', '', 'is missing'],
    ['a KeyObject of a public key', createPublicKey(apiPublicKey), 'is a public key'],
  ])('refuse %s for signing with a message', (_, key, words) => {
    expect(message(() => signRsaSha256('text', key))).toContain(`privateKey ${words}`);
  });

  it.each([
    ['a private key', apiPrivateKey, 'is a private key'],
    ['a short key', short.publicKey, 'has 1024 bits'],
    ['a key that is not RSA', curve.publicKey, 'is not an RSA key'],
    ['text that is not a key', 'key', 'cannot be read'],
    ['a KeyObject of a private key', createPrivateKey(apiPrivateKey), 'is a private key'],
  ])('refuse %s for verifying with a message', (_, key, words) => {
    expect(message(() => verifyRsaSha256('text', '', key))).toContain(`publicKey ${words}`);
  });

  it('never have a key in a message', () => {
    const body = apiPrivateKey.split('\n')[5] as string;
    expect(message(() => signRsaSha256('text', apiPrivateKey.slice(0, 900)))).not.toContain(body);
  });

  it('refuse a signature with other trailing bits', () => {
    const text = 'text';
    const signature = signRsaSha256(text, apiPrivateKey);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const spelled = [...letters].map((last) => signature.replace(/.==$/, `${last}==`));
    // A signature has 256 bytes, so its last base64 character has only two significant bits. The other four can vary:
    // 16 spellings decode to the same bytes.
    const sameBytes = spelled.filter((each) =>
      Buffer.from(each, 'base64').equals(Buffer.from(signature, 'base64')),
    );
    expect(sameBytes).toHaveLength(16);
    expect(spelled.filter((each) => verifyRsaSha256(text, each, apiPublicKey))).toEqual([
      signature,
    ]);
  });

  it('accept only one encoding of a signature', () => {
    const signature = signRsaSha256('text', apiPrivateKey);
    const others = [
      `${signature}\n`,
      ` ${signature}`,
      signature.replace(/=+$/, ''),
      signature.replaceAll('+', '-').replaceAll('/', '_'),
      `${signature}AAAA`,
      signature.replace('A', 'A!'),
      '',
    ].filter((other) => other !== signature);
    for (const other of others) expect(verifyRsaSha256('text', other, apiPublicKey)).toBe(false);
  });
});

describe('signRsaSha256 and verifyRsaSha256 with another value than a text', () => {
  it.each([undefined, null, 5, Buffer.from('a')])('refuse %o', (text) => {
    const refusal = expect.objectContaining({ code: 'ERR_PARAMS_INVALID' });
    expect(() => signRsaSha256(text as never, apiPrivateKey)).toThrow(refusal);
    expect(() => verifyRsaSha256(text as never, 'AA==', apiPublicKey)).toThrow(refusal);
  });
});
