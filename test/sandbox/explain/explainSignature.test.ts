import { createHmac, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explainSignature,
  type SignatureExplanation,
} from '../../../src/sandbox/explain/explainSignature.js';
import {
  readRequestMessage,
  readWidgetMessage,
} from '../../../src/sandbox/explain/signedMessage.js';
import { listTextMistakes } from '../../../src/sandbox/explain/textMistakes.js';
import {
  otherKeys,
  otherSecret,
  privateKey,
  requestMistakes,
  signedParams,
  signRequest,
  signWidgetUrl,
  widgetMistakes,
} from '../../support/sandbox/signerMistakes.js';
import { secretKey } from '../../support/sandbox/signQuery.js';
import {
  sendWebhook,
  unknownKeys,
  webhookMistakes,
} from '../../support/sandbox/webhookMistakes.js';
import { explainRequest, explainUrl, explainWebhook, knownKeys } from './explainMistakes.js';

/** Each kind of message, with a signer of the test and the mistakes that it can make. */
const kinds = [
  {
    kind: 'a widget URL',
    explainRight: () => explainUrl(signWidgetUrl().url),
    cases: widgetMistakes.map(({ id, title, change }) => {
      const { url, text } = signWidgetUrl(change);
      const message = readWidgetMessage(url);
      return { id, title, text, message, result: explainUrl(url) };
    }),
  },
  {
    kind: 'an API request',
    explainRight: () => explainRequest(signRequest()),
    cases: requestMistakes.map(({ id, title, change }) => {
      const request = signRequest(change);
      const message = readRequestMessage('api-request', request);
      return { id, title, text: request.text, message, result: explainRequest(request) };
    }),
  },
  {
    kind: 'a webhook',
    explainRight: () => explainWebhook(sendWebhook()),
    cases: webhookMistakes.map((mistake) => {
      const { id, title } = mistake;
      const webhook = sendWebhook(mistake);
      const message = readRequestMessage('webhook', webhook);
      return { id, title, text: webhook.text, message, result: explainWebhook(webhook) };
    }),
  },
];

describe.each(kinds)('explainSignature of $kind', ({ explainRight, cases }) => {
  it('finds a right signature right', () => {
    expect(explainRight()).toMatchObject({ isRight: true, mistakes: [], notes: [] });
  });

  it.each(cases)('names $id: it $title', ({ id, text, result }) => {
    expect(result.isRight).toBe(false);
    expect(result.mistakes).toMatchObject([{ id }]);
    expect((result.signed ?? result.expected).text).toBe(text);
  });

  it('returns texts whose parts joined are the text', () => {
    for (const { result } of cases)
      for (const { text, parts } of [result.expected, result.signed ?? result.expected])
        expect(parts.map((part) => part.text).join('')).toBe(text);
  });
});

describe('explainSignature', () => {
  it('knows no mistake of a text that these tests do not make', () => {
    const cases = kinds.flatMap((kind) => kind.cases);
    const known = cases.flatMap(({ message }) => listTextMistakes(message)).map(({ id }) => id);
    const tested = new Set(cases.map(({ id }) => id));
    expect(known.filter((id) => !tested.has(id))).toEqual([]);
  });

  it('names a key that was decoded as hexadecimal', () => {
    const hexKey = '00112233445566778899aabbccddeeff';
    const { url } = signWidgetUrl({ key: Buffer.from(hexKey, 'hex') });
    const result = explainSignature(readWidgetMessage(url), { ...knownKeys, secretKey: hexKey });
    expect(result.mistakes).toMatchObject([{ id: 'key-hex-decoded' }]);
  });

  it('names the host that a proxy has replaced', () => {
    const webhook = sendWebhook();
    const headers = [...webhook.headers, ['X-Forwarded-Host', 'shop.example']] as const;
    const url = webhook.url.replace('shop.example', 'shop.internal');
    expect(explainWebhook({ ...webhook, url, headers }).mistakes).toEqual([
      {
        id: 'other-host',
        what: 'The host is that of the header x-forwarded-host.',
        fix: 'The service signs the address that you registered: verify with exactly that URL.',
      },
    ]);
  });

  it('returns neither a key nor a right signature', () => {
    for (const { change } of widgetMistakes) {
      const params = { ...signedParams, email: secretKey, ...change.params };
      const { url, text } = signWidgetUrl({ ...change, params });
      const right = signWidgetUrl({ params });
      const signature = createHmac('sha256', secretKey).update(right.text).digest();
      const results = [explainUrl(url), explainUrl(url, text), explainUrl(url, right.text)];
      for (const secret of [
        secretKey,
        otherSecret,
        signature.toString('base64'),
        signature.toString('hex'),
      ])
        expect(JSON.stringify(results)).not.toContain(secret);
    }
  });
});

describe('explainSignature of an unknown mistake', () => {
  const findings = ({ mistakes, notes }: SignatureExplanation) => ({ mistakes, notes });

  it('shows the text that should have been signed', () => {
    const { expected, ...result } = explainUrl(signWidgetUrl({ key: 'an unknown key' }).url);
    expect(result).toEqual({ isRight: false, mistakes: [], notes: [] });
    expect(expected.text).toBe(signWidgetUrl().text);
  });

  it('does not name two mistakes, but says what is wrong with the form of the signature', () => {
    const { url } = signWidgetUrl({
      sort: (entries) => entries,
      write: (bytes) => bytes.toString('hex'),
    });
    const { mistakes, notes } = explainUrl(url);
    expect(mistakes).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^The signature is hexadecimal, not base64\. /)]);
  });

  it('says whether an RSA signature was made with the right key, another one, or none', () => {
    const explainSignedBy = (key: typeof privateKey) =>
      findings(
        explainRequest(
          signRequest({ sign: (text) => sign('sha256', Buffer.from(`${text}.`), key) }),
        ),
      );
    expect(explainSignedBy(privateKey)).toEqual({
      mistakes: [],
      notes: ['The key is right: the signature was made with it, but for another text.'],
    });
    expect(explainSignedBy(otherKeys.privateKey)).toEqual({
      mistakes: [],
      notes: [
        'The signature was made with another key, the APIPrivateKey of tests, and for another text.',
      ],
    });
    expect(explainSignedBy(unknownKeys.privateKey)).toEqual({
      mistakes: [],
      notes: [expect.stringMatching(/^No known public key opens the signature: /)],
    });
  });

  it('compares the length of the signature with that of a right one', () => {
    const webhook = sendWebhook({ change: { dress: (text) => text.slice(0, 200) } });
    expect(findings(explainWebhook(webhook))).toEqual({
      mistakes: [],
      notes: [
        'The signature has 150 bytes. A right one has 256, which are 344 characters of base64.',
      ],
    });
  });

  /** Changes of a text that no known mistake makes, except by chance. */
  const edits = fc
    .record({
      at: fc.nat({ max: 400 }),
      length: fc.nat({ max: 8 }),
      other: fc.stringMatching(/^[A-Za-z0-9._-]{0,12}$/),
    })
    .map(({ at, length, other }) => (text: string) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + other + text.slice(start + length);
    });

  it.each([
    {
      kind: 'widget URLs',
      explainEdit: (wrap: (text: string) => string) => {
        const { url, text } = signWidgetUrl({ wrap });
        return { text, result: explainUrl(url) };
      },
    },
    {
      kind: 'API requests',
      explainEdit: (wrap: (text: string) => string) => {
        const request = signRequest({ wrap });
        return { text: request.text, result: explainRequest(request) };
      },
    },
    {
      kind: 'webhooks',
      explainEdit: (wrap: (text: string) => string) => {
        const webhook = sendWebhook({ change: { wrap } });
        return { text: webhook.text, result: explainWebhook(webhook) };
      },
    },
  ])(
    'names a mistake of random texts of $kind only if it leads to that text',
    ({ explainEdit }) => {
      fc.assert(
        fc.property(edits, (edit) => {
          const { text, result } = explainEdit(edit);
          if (text === result.expected.text) expect(result.isRight).toBe(true);
          else if (result.mistakes.length > 0) expect(result.signed?.text).toBe(text);
          else expect(result).toMatchObject({ isRight: false, mistakes: [] });
        }),
        { numRuns: 50 },
      );
    },
  );

  it('accepts names and values that every object has', () => {
    const query = { constructor: 'toString', toString: 'constructor' };
    const request = signRequest({ query, wrap: (text) => `${text}.` });
    expect(explainRequest(request)).toMatchObject({ isRight: false, mistakes: [] });
  });

  it('names nothing for random bytes of any length', () => {
    for (const length of [1, 16, 20, 32, 64, 256]) {
      const { url } = signWidgetUrl({ sign: () => randomBytes(length) });
      expect(explainUrl(url)).toMatchObject({ isRight: false, mistakes: [] });
      const request = signRequest({ sign: () => randomBytes(length) });
      expect(explainRequest(request)).toMatchObject({ isRight: false, mistakes: [] });
    }
  });
});

describe('explainSignature with the text of the signer', () => {
  it('shows the first difference, and that the signature is that of this text', () => {
    const { url, text } = signWidgetUrl({ wrap: (joined) => `v2.${joined}` });
    const result = explainUrl(url, `${text}\n`);
    expect(result).toMatchObject({
      isRight: false,
      mistakes: [],
      notes: ['The signature matches the given text, so the key is right.'],
      signed: { text },
    });
    expect(result.difference).toEqual({
      at: 0,
      expected: result.expected.text.slice(0, 24),
      given: text.slice(0, 24),
    });
  });

  it('says that the text is right, if only the key is wrong', () => {
    const { url, text } = signWidgetUrl({ key: 'an unknown key' });
    const { mistakes, notes, difference } = explainUrl(url, text);
    expect({ mistakes, notes, difference }).toEqual({
      mistakes: [],
      notes: [
        'The text is the one that should be signed.',
        'No known key makes this signature from the given text.',
        'Look at the key too.',
      ],
    });
  });

  it('says that no known key makes the signature, if both are wrong', () => {
    const { url, text } = signWidgetUrl({ key: 'an unknown key' });
    const { notes, difference } = explainUrl(url, `${text}.`);
    expect(notes).toEqual([
      'No known key makes this signature from the given text.',
      'Look at the key too.',
    ]);
    expect(difference).toMatchObject({ at: text.length, expected: '', given: '.' });
  });

  it('says that the right key was used for another text than the given one', () => {
    const request = signRequest({ wrap: (text) => `v2.${text}` });
    expect(explainRequest(request, signRequest().text)).toMatchObject({
      mistakes: [],
      notes: [
        'The text is the one that should be signed.',
        'No known key makes this signature from the given text.',
        'The key is right: the signature was made with it, but for another text.',
      ],
    });
  });

  it('names a mistake of the text and another one of the signature', () => {
    const webhook = sendWebhook({
      change: { wrap: (text) => `${text}&`, write: (bytes) => bytes.toString('base64url') },
    });
    expect(explainWebhook(webhook, webhook.text).mistakes).toMatchObject([
      { id: 'ends' },
      { id: 'signature-base64url' },
    ]);
  });

  it('keeps a line break at the end that was signed', () => {
    const { url, text } = signWidgetUrl({ wrap: (joined) => `${joined}\n` });
    expect(explainUrl(url, text).mistakes).toMatchObject([{ id: 'ends' }]);
  });

  it('compares the text that a backend verified with that of a right signature', () => {
    const webhook = sendWebhook();
    const verified = webhook.text.replace('POST', 'POSThttps://');
    expect(explainWebhook(webhook, verified)).toMatchObject({
      isRight: true,
      mistakes: [{ id: 'scheme-signed' }],
      notes: ['The signature is right, but it was not made from the given text.'],
      difference: { at: 4 },
    });
  });
});
