import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWebhookVerifier } from '../../../src/server/index.js';
import { seededRandom } from '../../support/fixedSeed.js';
import {
  createWebhook,
  type TestWebhook,
  webhookPublicKey,
  webhookTime,
  webhookUrl,
} from '../../support/server/createWebhook.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const random = seededRandom('mutated webhooks');
const randomInt = (limit: number) => random.int(0, limit - 1);

const GENUINE = 10_000 / caseStep(10);
const MUTATED = 100_000 / caseStep(10);
const MUTATIONS_EACH = 10;
/** A long time limit, because these tests take seconds, and may take much longer on a busy machine. */
const long = { timeout: 120_000 };

const { verify } = createWebhookVerifier(
  { publicKey: webhookPublicKey, url: webhookUrl },
  testRuntime({ now: () => webhookTime * 1000 }),
);

const plain = fc.stringMatching(/^[A-Za-z0-9._:-]{1,12}$/);
const name = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/);
/** Arbitrary genuine webhooks. Query, event, version and time vary, as they do between webhooks of a service. */
const genuine = fc
  .record({
    query: fc.dictionary(name, fc.oneof(plain, fc.constantFrom('', 'a b', 'é', '1+1', '100%')), {
      maxKeys: 3,
    }),
    event: fc.option(plain),
    version: fc.constantFrom('v1.0', 'v2.13'),
    timestamp: fc.integer({ min: webhookTime - 300, max: webhookTime + 300 }),
  })
  .map(({ query, event, version, timestamp }) =>
    createWebhook({
      query: Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '',
      timestamp,
      headers: { 'X-Fp-Version': version, ...(event && { 'X-Fp-Event': event }) },
    }),
  );

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=&.-_ ,%';

/** Changes, removes or inserts a character at a random position. */
function edited(text: string): string {
  const at = randomInt(text.length + 1);
  const rest = random.pick([text.slice(at), text.slice(at + 1)]);
  const changed = text.slice(0, at) + random.pick([...ALPHABET, '']) + rest;
  return changed === text ? `${text}0` : changed;
}

type Mutation = (request: TestWebhook) => TestWebhook;

const header = (request: TestWebhook, name: string, value: unknown): TestWebhook => ({
  ...request,
  headers: { ...request.headers, [name]: value } as TestWebhook['headers'],
});
const without = ({
  headers: { [random.pick(['X-Fp-Version', 'X-Fp-Nonce'])]: _, ...headers },
  ...rest
}: TestWebhook) => ({
  ...rest,
  headers,
});
const anyHeader = ({ headers }: TestWebhook) => random.pick(Object.keys(headers));

/** What could be tried by an attacker who intercepts webhooks or has an old webhook. */
const mutations: Readonly<Record<string, Mutation>> = {
  'a character of a header': (request) => {
    const name = anyHeader(request);
    return header(request, name, edited(request.headers[name] as string));
  },
  'a header removed': (request) => {
    const { [anyHeader(request)]: _, ...headers } = request.headers;
    return { ...request, headers };
  },
  'an additional header': (request) =>
    header(request, `x-fp-${random.pick(['a', 'z', 'mode'])}`, edited('on')),
  'a header twice': (request) => {
    const name = anyHeader(request);
    const value = request.headers[name];
    return header(request, name, [value, random.pick([value, 'x'])]);
  },
  'a header twice, in another case': (request) => {
    const name = anyHeader(request);
    return header(request, name.toUpperCase(), request.headers[name]);
  },
  'a header of another webhook': (request) => {
    const name = anyHeader(request);
    const other = createWebhook({ timestamp: webhookTime - randomInt(300) });
    const value = other.headers[name] ?? 'other';
    return header(request, name, value === request.headers[name] ? `${value}1` : value);
  },
  'one header contained in another': ({ headers, ...rest }) => {
    const { 'X-Fp-Partner-Id': partner, ...others } = headers;
    const joined = `${others['X-Fp-Nonce']}&x-fp-partner-id=${partner}`;
    return { ...rest, headers: { ...others, 'X-Fp-Nonce': joined } };
  },
  'a header moved into the query': ({ headers, query, ...rest }) => {
    const { 'X-Fp-Version': version, ...others } = headers;
    return { ...rest, headers: others, query: `${query}&x-fp-version=${version}` };
  },
  'an additional parameter': (request) => ({
    ...request,
    query: `${request.query}&zz${randomInt(10)}=1`,
  }),
  'a parameter twice': (request) => ({ ...request, query: `${request.query}&yy=1&yy=1` }),
  'the query split in another way': (request) => ({
    ...request,
    query: `${request.query}&x=${encodeURIComponent('1&x-fp-version=v1.0')}`,
  }),
  'another method': (request) => ({
    ...request,
    method: random.pick(['GET', 'PUT', 'post', 'POST ', '']),
  }),
  'another encoding of the signature': (request) => {
    const signature = request.headers['X-Fp-Signature'] as string;
    const spelled = random.pick([
      signature.replace(/=+$/, ''),
      `${signature}=`,
      ` ${signature}`,
      `${signature}\n`,
      `${signature.slice(0, 40)}\r\n${signature.slice(40)}`,
      signature.replace(/[A-Za-z]/, (letter) => `${letter}.`),
      Buffer.from(signature, 'base64').toString('hex'),
      `${signature}${signature}`,
      'AAAA',
    ]);
    return header(request, 'X-Fp-Signature', spelled);
  },
  'an old webhook, signed': () =>
    createWebhook({ timestamp: webhookTime - 301 - randomInt(1_000_000) }),
  'a webhook of the future, signed': () =>
    createWebhook({ timestamp: webhookTime + 301 + randomInt(1_000_000) }),
  'a webhook for another address, signed': () =>
    createWebhook({
      url: random.pick(['https://shop.example/hooks', 'https://evil.example/hooks/ramp']),
    }),
  'neither time nor nonce': without,
};
// These mutations sign a new webhook, which is slow. So only one in 200 tests uses them.
const slow = new Set(Object.keys(mutations).filter((name) => /signed|of another/.test(name)));
const quick = Object.keys(mutations).filter((name) => !slow.has(name));

function isRefused(request: TestWebhook): boolean {
  try {
    verify(request);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_WEBHOOK_VERIFICATION';
  }
}

const sampled = fc.sample(genuine, GENUINE);

describe(`${GENUINE} genuine webhooks`, () => {
  it('are all accepted, each with an id of its own that stays the same', long, () => {
    const ids = sampled.map((request) => verify(request).id);
    expect(new Set(ids).size).toBe(GENUINE);
    const again = sampled.slice(0, 1000).map((request) => verify(request).id);
    expect(again).toEqual(ids.slice(0, 1000));
  });
});

describe(`${MUTATED} mutated webhooks`, () => {
  it('are all refused', long, () => {
    const accepted: string[] = [];
    const tried = new Map<string, number>();
    for (let i = 0; i < MUTATED; i++) {
      const request = sampled[Math.floor(i / MUTATIONS_EACH)] as TestWebhook;
      const kind = i % 200 === 0 ? random.pick([...slow]) : random.pick(quick);
      const mutated = (mutations[kind] as Mutation)(request);
      tried.set(kind, (tried.get(kind) ?? 0) + 1);
      if (!isRefused(mutated))
        accepted.push(`${kind}: ${JSON.stringify(mutated.headers)} ${mutated.query}`);
    }
    expect(accepted).toEqual([]);
    expect([...tried.keys()].sort()).toEqual(Object.keys(mutations).sort());
  });
});

describe('the signed text', () => {
  it('differs for each genuine webhook', () => {
    const texts = sampled.map(({ headers }) =>
      createHash('sha256')
        .update(headers['X-Fp-Signature'] as string)
        .digest('hex'),
    );
    expect(new Set(texts).size).toBe(GENUINE);
  });
});
