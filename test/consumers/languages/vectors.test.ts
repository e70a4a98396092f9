import { createHash, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from './languages.js';
import { type Result, runTasks, type Task } from './signTasks.js';

const { keys, widget, ext, api, webhook } = JSON.parse(
  readFileSync('docs/signing-vectors.json', 'utf8'),
);

type Pairs = readonly (readonly [string, string])[];
type WebhookTask = Extract<Task, { do: 'webhook' }>;

interface Check {
  readonly title: string;
  readonly task: Task;
  /** What the result contains. Undefined if the task must be refused. */
  readonly expected: Result | undefined;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const signerChecks: Check[] = [
  ...widget.map(({ params, secretKey, text, signature }: never, i: number) => ({
    title: `widget ${i}`,
    task: { do: 'widget', params, secretKey },
    expected: { text, signature },
  })),
  ...ext.map(({ value, encoded }: { value: string; encoded: string }, i: number) => ({
    title: `ext ${i}`,
    task: { do: 'widget', params: { ext: value }, secretKey: 'key' },
    expected: { text: `ext=${encoded}` },
  })),
  ...api.map(({ method, url, headers, text, signature }: never, i: number) => ({
    title: `api ${i}`,
    task: {
      do: 'request',
      method,
      url,
      headers: Object.fromEntries(
        Object.entries(headers as Record<string, string>)
          .map(([name, value]) => [name.toLowerCase(), value])
          .filter(([name]) => /^x-fp-(?!signature)/.test(`${name}`)),
      ),
      privateKey: keys.apiPrivateKey,
    },
    expected: { text, signature },
  })),
  ...['a&b', 'a=b'].map((value) => ({
    title: `a signed value ${value}`,
    task: { do: 'widget', params: { walletAddress: value }, secretKey: 'key' } as const,
    expected: undefined,
  })),
];

const address = 'https://shop.example/hooks/ramp';

/** The webhooks of the vectors. */
const documented: Check[] = webhook.map(
  (
    entry: { url: string; headers: Record<string, string>; text: string; valid: boolean },
    i: number,
  ) => ({
    title: `webhook ${i}`,
    task: {
      do: 'webhook',
      address: entry.url.split('?')[0],
      publicKey: keys.webhookPublicKey,
      headers: Object.entries(entry.headers),
      query: entry.url.split('?')[1] ?? '',
      now: Number(entry.headers['X-Fp-Timestamp']),
    },
    expected: entry.valid ? { digest: hash(entry.text) } : undefined,
  }),
);

const plain: Pairs = [
  ['X-Fp-Timestamp', '1767225600'],
  ['X-Fp-Nonce', '482910'],
];

/**
 * Signs a webhook that a careless service could send: all of its headers and parameters, joined without any check. The
 * key is that of the API, because the vectors do not have the private key of webhooks.
 */
function signWebhook(headers: Pairs, query: string): WebhookTask {
  const items = [
    ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    ...new URLSearchParams(query),
  ].filter(([, value]) => value);
  const joined = items
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
  const text = Buffer.from(`POSTshop.example/hooks/ramp?${joined}`);
  const signature = sign('sha256', text, keys.apiPrivateKey).toString('base64');
  return {
    do: 'webhook',
    address,
    publicKey: keys.apiPublicKey,
    headers: [...headers, ['X-Fp-Signature', signature]],
    query,
    now: 1767225600,
  };
}
const signed = signWebhook(plain, 'tenant=eu1');
const [signature = ''] = signed.headers.flatMap(([name, value]) =>
  name === 'X-Fp-Signature' ? [value] : [],
);
const withSignature = (value: string): WebhookTask => ({
  ...signed,
  headers: [...plain, ['X-Fp-Signature', value]],
});

const accepted: Readonly<Record<string, WebhookTask>> = {
  'a signed webhook': signed,
  'one of 300 seconds ago': { ...signed, now: signed.now + 300 },
  'one with a header that the service has added': signWebhook([...plain, ['X-Fp-Extra', '1']], ''),
};
const refused: Readonly<Record<string, WebhookTask>> = {
  'a webhook of 301 seconds ago': { ...signed, now: signed.now + 301 },
  'one of 301 seconds later': { ...signed, now: signed.now - 301 },
  'an added header': { ...signed, headers: [...signed.headers, ['X-Fp-Extra', '1']] },
  'a header twice': { ...signed, headers: [...signed.headers, ['x-fp-nonce', '482910']] },
  'another query': { ...signed, query: 'tenant=other' },
  'no signature': { ...signed, headers: plain },
  'a signature without its padding': withSignature(signature.replace(/=+$/, '')),
  'a signature with a line break': withSignature(`${signature}\n`),
  'a signature with a space': withSignature(`${signature.slice(0, 9)} ${signature.slice(9)}`),
  'no nonce': signWebhook(plain.slice(0, 1), ''),
  'a nonce that is no number': signWebhook([...plain.slice(0, 1), ['X-Fp-Nonce', 'a']], ''),
  'no timestamp': signWebhook(plain.slice(1), ''),
  ...Object.fromEntries(
    ['1 1', '1,1', '1&a=1', '1=1', 'ä', '1\t1'].map((value) => [
      `a header with the value ${JSON.stringify(value)}`,
      signWebhook([...plain, ['X-Fp-Extra', value]], ''),
    ]),
  ),
  'an underscore in the name of a header': signWebhook([...plain, ['X-Fp-Ex_tra', '1']], ''),
  ...Object.fromEntries(
    [
      ...['x-fp-other=1', 'X-FP-NONCE=1', 'a=1&a=1', '=1&=2', 'a=%zz', 'a=%ED%A0%80'],
      ...['%C3%A9=1', 'a=1%26b=2', 'a%26b=1', 'a%3Db=1'],
    ].map((query) => [`the query ${query}`, signWebhook(plain, query)]),
  ),
};

const checks: readonly Check[] = [
  ...signerChecks,
  ...documented,
  ...Object.entries(accepted).map(([title, task]) => ({ title, task, expected: {} })),
  ...Object.entries(refused).map(([title, task]) => ({ title, task, expected: undefined })),
];

for (const { language, reason, title } of languages) {
  describe.skipIf(reason)(`the signatures of the example in ${title}`, () => {
    const temp = mkdtempSync(join(tmpdir(), 'ramp-vectors-'));
    let results: ReadonlyMap<string, Result | undefined>;

    beforeAll(async () => {
      const found = await runTasks(
        language,
        temp,
        checks.map(({ task }) => task),
      );
      results = new Map(checks.map(({ title: name }, i) => [name, found[i]]));
    });
    afterAll(() => rmSync(temp, { recursive: true, force: true }));

    test.each(checks.filter(({ expected }) => expected))(
      'agree with the vectors or accept: $title',
      ({ title: name, expected }) => {
        expect(results.get(name)).toMatchObject(expected ?? {});
        expect(results.get(name)).not.toHaveProperty('error');
      },
    );

    test.each(checks.filter(({ expected }) => !expected))('refuse: $title', ({ title: name }) => {
      expect(results.get(name)).toEqual({ error: expect.any(String) });
    });
  });
}
