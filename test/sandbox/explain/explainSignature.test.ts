import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explainSignature,
  type KnownKeys,
  type SignatureExplanation,
} from '../../../src/sandbox/explain/explainSignature.js';
import {
  type ReceivedRequest,
  readRequestMessage,
  readWidgetMessage,
} from '../../../src/sandbox/explain/signedMessage.js';
import {
  otherKeys,
  otherSecret,
  publicKey,
  type RequestSigner,
  requestMistakes,
  signedParams,
  signRequest,
  signWidgetUrl,
  widgetMistakes,
  widgetMistakesOfCharacters,
} from '../../support/sandbox/signerMistakes.js';
import { partnerId, secretKey } from '../../support/sandbox/signQuery.js';
import { caseStep, runsAllCases } from '../../support/server/sampleCases.js';

const keys: KnownKeys = {
  partnerId,
  secretKey,
  apiPublicKey: publicKey,
  webhookPublicKey: publicKey,
  otherSecrets: [{ name: 'the SecretKey of tests', value: otherSecret }],
  otherPublicKeys: [{ name: 'the APIPrivateKey of tests', key: otherKeys.publicKey }],
};
const explainUrl = (url: string) => explainSignature(readWidgetMessage(url), keys);
const explainRequest = (
  request: ReturnType<typeof signRequest>,
  kind: 'api-request' | 'webhook' = 'api-request',
) => explainSignature(readRequestMessage(kind, request), keys);
const ids = ({ mistakes }: { mistakes: readonly { id: string }[] }) => mistakes.map(({ id }) => id);

describe('explainSignature of a widget URL', () => {
  it('finds a right signature right', () => {
    expect(explainUrl(signWidgetUrl().url)).toMatchObject({ isRight: true, mistakes: [] });
  });

  it.each(widgetMistakes)('names $id: a signer that $title', ({ id, change }) => {
    const { url, text } = signWidgetUrl(change);
    const result = explainUrl(url);
    expect(result.isRight).toBe(false);
    expect(ids(result)).toEqual([id]);
    expect((result.signed ?? result.expected).text).toBe(text);
  });

  it.each(widgetMistakesOfCharacters)(
    'names $id: a signer that $title',
    ({ id, change, needs }) => {
      const urls = Array.from({ length: 64 }, (_, at) => {
        const params = { ...signedParams, nonce: `${100_000 + at}` };
        return signWidgetUrl({ params }, change).url;
      });
      const url = urls.find((each) => needs.test(each)) as string;
      expect(ids(explainUrl(url))).toContain(id);
    },
  );
});

describe('explainSignature of an API request', () => {
  it('finds a right signature right', () => {
    expect(explainRequest(signRequest())).toMatchObject({ isRight: true, mistakes: [] });
  });

  it.each(requestMistakes)('names $id: a signer that $title', ({ id, change }) => {
    const request = signRequest(change);
    const result = explainRequest(request);
    expect(result.isRight).toBe(false);
    expect(ids(result)).toEqual([id]);
    expect((result.signed ?? result.expected).text).toBe(request.text);
  });
});

describe('explainSignature of a webhook', () => {
  /** Signs a webhook for the address of the service, and receives it behind a proxy with another one. */
  const receive = (change: Partial<RequestSigner>, received: Partial<ReceivedRequest> = {}) => {
    const webhook = signRequest({ method: 'POST', path: '/ramp/webhook', query: {} }, change);
    return explainSignature(readRequestMessage('webhook', { ...webhook, ...received }), keys);
  };
  const url = 'https://shop.internal/ramp/webhook';
  const body = '{"orderId":"1","orderStatus":3,"paid":true}';

  it('finds a right signature right', () => {
    expect(receive({})).toMatchObject({ isRight: true, mistakes: [] });
  });

  it('names the host that a proxy has replaced', () => {
    const { headers } = signRequest({
      host: 'shop.example',
      method: 'POST',
      path: '/ramp/webhook',
      query: {},
    });
    const forwarded = [...headers, ['X-Forwarded-Host', 'shop.example']] as const;
    const result = receive({}, { url, headers: forwarded });
    expect(result.mistakes).toEqual([
      {
        id: 'other-host',
        what: 'The host is that of the header x-forwarded-host.',
        fix: 'The service signs the address that you registered: verify with exactly that URL.',
      },
    ]);
  });

  it.each<[string, Partial<RequestSigner>, Partial<ReceivedRequest>]>([
    ['port-missing', { host: 'shop.example' }, { url: 'https://shop.example:8443/ramp/webhook' }],
    [
      'path-shortened',
      { host: 'shop.example', path: '/webhook' },
      { url: 'https://shop.example/ramp/webhook' },
    ],
    ['other-method', {}, { method: 'PUT' }],
    ['body-signed', { wrap: (text) => `${text}&${body}` }, { body }],
    [
      'body-signed',
      {
        pick: (headers) => [
          ...headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]),
          ['orderId', '1'],
          ['orderStatus', '3'],
          ['paid', 'true'],
        ],
      },
      { body },
    ],
  ])('names %s', (id, change, received) => {
    expect(ids(receive(change, received))).toEqual([id]);
  });
});

/** Pairs of mistakes in different steps of a signer, every `step`th of them. */
function pairUp<T extends { readonly change: object; readonly isSingle?: boolean }>(
  mistakes: readonly T[],
  step: number,
) {
  const pairs: [T, T][] = [];
  const paired = mistakes.filter(({ isSingle }) => !isSingle);
  for (const [at, a] of paired.entries())
    for (const b of paired.slice(at + 1))
      if (!Object.keys(b.change).some((name) => name in a.change)) pairs.push([a, b]);
  return pairs.filter((_, at) => at % step === 0);
}

/**
 * Returns whether the named mistakes lead to the signed text, and are those of the signer. Two mistakes may also amount
 * to a single one: an unsorted text with encoded values is the query as it was sent.
 */
function isExplained(
  pair: readonly { readonly id: string }[],
  result: SignatureExplanation,
  text: string,
): boolean {
  const found = ids(result);
  const isOwn = found.every((id) => pair.some((mistake) => mistake.id === id));
  const isNamed = found.length === 1 || (found.length === 2 && isOwn);
  // Some mistakes cancel each other out, such as encoding twice on both sides.
  return (isNamed || result.isRight) && (result.signed ?? result.expected).text === text;
}

const toTitle = (pair: readonly { readonly title: string }[]) =>
  pair.map(({ title }) => title).join(' and ');

describe('explainSignature of a message with two mistakes', () => {
  it('names both mistakes of widget URLs', () => {
    const unexplained = pairUp(widgetMistakes, caseStep(149)).filter((pair) => {
      const { url, text } = signWidgetUrl(...pair.map(({ change }) => change));
      return !isExplained(pair, explainUrl(url), text);
    });
    expect(unexplained.map(toTitle)).toEqual([]);
  }, 600_000);

  it('names both mistakes of API requests', () => {
    const unexplained = pairUp(requestMistakes, caseStep(149)).filter((pair) => {
      const request = signRequest(...pair.map(({ change }) => change));
      return !isExplained(pair, explainRequest(request), request.text);
    });
    expect(unexplained.map(toTitle)).toEqual([]);
  }, 600_000);
});

describe('explainSignature of an unknown mistake', () => {
  const numRuns = runsAllCases ? 10_000 : 20;
  const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,24}$/);
  /** One message in ten is large, because a large one has thousands of texts with two mistakes. */
  const isLarge = fc.nat(9).map((digit) => digit === 0);

  it('names none of 10,000 random mismatches of widget URLs', () => {
    const { ext, walletAddressLocked, ...few } = signedParams;
    fc.assert(
      fc.property(
        fc.constantFrom('bytes', 'key', 'value', 'text'),
        fc.record({ nonce: fc.nat({ max: 999_999 }).map(String), walletAddress: word }),
        word,
        isLarge,
        (how, values, other, large) => {
          const params = { ...(large ? { ...signedParams, ext: other } : few), ...values };
          const { url } = signWidgetUrl(
            { params },
            how === 'bytes' ? { sign: () => randomBytes(32) } : {},
            how === 'key' ? { key: randomBytes(24).toString('base64') } : {},
            how === 'text' ? { wrap: (text) => `${text}.${other}` } : {},
          );
          const sent = how === 'value' ? url.replace('&nonce=', `&nonce=7${other.length}`) : url;
          expect(explainUrl(sent)).toMatchObject({ isRight: false, mistakes: [] });
        },
      ),
      { numRuns },
    );
  }, 3_600_000);

  it('names none of 10,000 random mismatches of API requests', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('bytes', 'value', 'text'),
        word,
        word,
        isLarge,
        (how, value, other, large) => {
          const query = large ? { fiatCurrency: value, currencyAmount: '1.50' } : { page: value };
          const request = signRequest(
            { query, path: large ? '/open/api/onramp/price' : '/order' },
            how === 'bytes' ? { sign: () => randomBytes(256) } : {},
            how === 'text' ? { wrap: (text) => `${text}.${other}` } : {},
          );
          const url = how === 'value' ? `${request.url}x${other}` : request.url;
          const result = explainRequest({ ...request, url });
          expect(result).toMatchObject({ isRight: false, mistakes: [] });
        },
      ),
      { numRuns },
    );
  }, 3_600_000);

  it('says that the key is right, if an RSA signature is that of another text', () => {
    const { mistakes, notes } = explainRequest(signRequest({ wrap: (text) => `${text}.unknown` }));
    expect({ mistakes, notes }).toEqual({
      mistakes: [],
      notes: ['The key is right: the signature was made with it, but for another text.'],
    });
  });

  it('shows the first difference to the text of the signer', () => {
    const { url, text } = signWidgetUrl({
      pick: (params) => params.slice(0, 3),
      wrap: (joined) => `v2.${joined}`,
    });
    const message = readWidgetMessage(url);
    const result = explainSignature(message, keys, { signerText: `${text}\n` });
    expect(result.signed?.text).toBe(text);
    expect(result.difference).toEqual({
      at: 0,
      expected: result.expected.text.slice(0, 24),
      given: text.slice(0, 24),
    });
  });

  it('says that the text is right, if only the key is unknown', () => {
    const { url, text } = signWidgetUrl({ key: 'a key that nobody knows' });
    const { mistakes, notes } = explainSignature(readWidgetMessage(url), keys, {
      signerText: text,
    });
    expect({ mistakes, notes }).toEqual({
      mistakes: [],
      notes: [
        'The text is the one that should be signed.',
        'The signature is not that of the given text with a known key: look at the key too.',
      ],
    });
  });
});

it('explainSignature returns neither a key nor a right signature', () => {
  const right = signWidgetUrl();
  const signature = createHmac('sha256', secretKey).update(right.text).digest();
  for (const { change } of widgetMistakes) {
    const params = { ...signedParams, email: secretKey };
    const result = JSON.stringify(explainUrl(signWidgetUrl({ params }, change).url));
    for (const secret of [
      secretKey,
      otherSecret,
      signature.toString('base64'),
      signature.toString('hex'),
    ])
      expect(result).not.toContain(secret);
  }
});
