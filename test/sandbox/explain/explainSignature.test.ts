import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { explainSignature } from '../../../src/sandbox/explain/explainSignature.js';
import {
  readRequestMessage,
  readWidgetMessage,
} from '../../../src/sandbox/explain/signedMessage.js';
import { listSingleMistakes } from '../../../src/sandbox/explain/textMistakes.js';
import {
  otherSecret,
  requestMistakes,
  signedParams,
  signRequest,
  signWidgetUrl,
  widgetMistakes,
  widgetMistakesOfCharacters,
} from '../../support/sandbox/signerMistakes.js';
import { secretKey } from '../../support/sandbox/signQuery.js';
import { sendWebhook, webhookMistakes } from '../../support/sandbox/webhookMistakes.js';
import { explainRequest, explainUrl, explainWebhook, knownKeys } from './explainMistakes.js';

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
        return signWidgetUrl({ params }, change);
      });
      const { url } = urls.find(({ sent }) => needs.test(sent)) as { url: string };
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
  it('finds a right signature right', () => {
    expect(explainWebhook(sendWebhook())).toMatchObject({ isRight: true, mistakes: [] });
  });

  it.each(webhookMistakes)('names $id: a webhook that $title', (mistake) => {
    const webhook = sendWebhook(mistake);
    const result = explainWebhook(webhook);
    expect(result.isRight).toBe(false);
    expect(ids(result)).toEqual([mistake.id]);
    expect((result.signed ?? result.expected).text).toBe(webhook.text);
  });

  it('names the host that a proxy has replaced', () => {
    const webhook = sendWebhook();
    const forwarded = [...webhook.headers, ['X-Forwarded-Host', 'shop.example']] as const;
    const url = webhook.url.replace('shop.example', 'shop.internal');
    expect(explainWebhook({ ...webhook, url, headers: forwarded }).mistakes).toEqual([
      {
        id: 'other-host',
        what: 'The host is that of the header x-forwarded-host.',
        fix: 'The service signs the address that you registered: verify with exactly that URL.',
      },
    ]);
  });
});

describe('The mistakes of the tests', () => {
  it.each([
    [
      'widget URLs',
      widgetMistakes,
      widgetMistakes.map(({ change }) => readWidgetMessage(signWidgetUrl(change).url)),
    ],
    [
      'API requests',
      requestMistakes,
      requestMistakes.map(({ change }) => readRequestMessage('api-request', signRequest(change))),
    ],
    [
      'webhooks',
      webhookMistakes,
      webhookMistakes.map((mistake) => readRequestMessage('webhook', sendWebhook(mistake))),
    ],
  ])('are all that explainSignature knows in the text of %s', (_, mistakes, messages) => {
    const known = messages.flatMap(listSingleMistakes).flatMap(ids);
    const tested = new Set(mistakes.map(({ id }) => id));
    expect([...new Set(known)].filter((id) => !tested.has(id))).toEqual([]);
  });
});

describe('explainSignature of an unknown mistake', () => {
  it('says that the key is right, if an RSA signature is that of another text', () => {
    const { mistakes, notes } = explainRequest(signRequest({ wrap: (text) => `${text}.unknown` }));
    expect({ mistakes, notes }).toEqual({
      mistakes: [],
      notes: ['The key is right: the signature was made with it, but for another text.'],
    });
  });

  it('compares the length of an RSA signature with that of its key', () => {
    const { mistakes, notes } = explainWebhook(
      sendWebhook({ change: { dress: (text) => text.slice(0, 200) } }),
    );
    expect({ mistakes, notes }).toEqual({
      mistakes: [],
      notes: [
        'The signature has 150 bytes. One of this key has 256, which are 344 characters of base64.',
      ],
    });
  });

  it('says whether the text of the signer or its key is wrong', () => {
    const { url, text } = signWidgetUrl({ wrap: (joined) => `v2.${joined}` });
    const explain = (signerText: string) =>
      explainSignature(readWidgetMessage(url), knownKeys, { signerText }).notes;
    expect(explain(text)).toEqual(['The signature is that of the given text.']);
    expect(explain(`${text}.`)).toEqual([
      'The signature is not that of the given text with a known key: look at the key too.',
    ]);
  });

  it('shows the first difference to the text of the signer', () => {
    const { url, text } = signWidgetUrl({
      pick: (items) => items.slice(0, 3),
      wrap: (joined) => `v2.${joined}`,
    });
    const message = readWidgetMessage(url);
    const result = explainSignature(message, knownKeys, { signerText: `${text}\n` });
    expect(result.signed?.text).toBe(text);
    expect(result.difference).toEqual({
      at: 0,
      expected: result.expected.text.slice(0, 24),
      given: text.slice(0, 24),
    });
  });

  it('says that the text is right, if only the key is unknown', () => {
    const { url, text } = signWidgetUrl({ key: 'a key that nobody knows' });
    const { mistakes, notes } = explainSignature(readWidgetMessage(url), knownKeys, {
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
