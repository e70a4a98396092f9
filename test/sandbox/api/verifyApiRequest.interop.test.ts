import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import { verifyApiRequest } from '../../../src/sandbox/api/verifyApiRequest.js';
import { signRsaSha256 } from '../../../src/server/index.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const nowSeconds = 1_986_217_096;
const context = {
  partnerId: 'e6m50fei5oNM2igr',
  apiPublicKey: publicKey,
  host: 'api.example:8443',
  nowSeconds,
  toleranceSeconds: 300,
};
const headers = {
  'Content-Type': 'application/json',
  'X-Fp-Version': 'v1.0',
  'X-Fp-Timestamp': String(nowSeconds),
  'X-Fp-Nonce': '482915',
  'X-Fp-Partner-Id': context.partnerId,
};

type Params = Readonly<Record<string, string>>;

/** Creates a price request with these parameters, signed with the functions of the API client. */
function signed(params: Params) {
  const url = `https://${context.host}/open/api/onramp/price?${new URLSearchParams(params)}`;
  const text = buildRequestPayload({ method: 'GET', url, headers });
  const signature = signRsaSha256(text, privateKey);
  return { method: 'GET', url, headers: new Headers({ ...headers, 'X-Fp-Signature': signature }) };
}

const texts = fc.string({ unit: 'grapheme', maxLength: 12 });
// Only ASCII, because the client refuses other parameter names.
const names = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 })
  .filter((name) => !/^x-fp-/i.test(name));
/** Arbitrary parameters. Names and values with separators of URLs and signed texts are more frequent. */
const anyParams = fc.dictionary(
  fc.oneof(names, fc.constantFrom('a', 'A', 'a b', 'a&b', 'a=b', '__proto__')),
  fc.oneof(texts, fc.constantFrom('', '&', 'b=c', '1+1', '100%', '?', '#', ' ', 'é😀')),
  { maxKeys: 8 },
);

describe('The client signer and verifyApiRequest', () => {
  it('agree on arbitrary parameters, and ignore empty ones', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        const result = verifyApiRequest(signed(params), context);
        const given = Object.entries(params).filter(([, value]) => value !== '');
        expect(result.ok && Object.entries(result.params).sort()).toEqual(given.sort());
      }),
      { numRuns: 500 },
    );
  });

  it('disagree when a single value differs', () => {
    fc.assert(
      fc.property(anyParams, texts, fc.nat(), (params, value, which) => {
        const keys = Object.keys(params);
        const key = keys[which % keys.length];
        fc.pre(key !== undefined && params[key] !== value);
        const { headers: sent } = signed(params);
        const { url } = signed(Object.fromEntries([...Object.entries(params), [key, value]]));
        expect(verifyApiRequest({ method: 'GET', url, headers: sent }, context)).toMatchObject({
          ok: false,
          code: 10003,
        });
      }),
      { numRuns: 500 },
    );
  });
});
