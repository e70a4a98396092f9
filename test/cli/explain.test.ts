import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/cli/explain.js';
import { runCli } from '../../src/cli/runCli.js';
import type { ReceivedRequest } from '../../src/sandbox/explain/signedMessage.js';
import {
  otherSecret,
  privateKey,
  publicKey,
  signRequest,
  signWidgetUrl,
  widgetMistakes,
} from '../support/sandbox/signerMistakes.js';
import { partnerId, secretKey } from '../support/sandbox/signQuery.js';
import { sendWebhook } from '../support/sandbox/webhookMistakes.js';
import { fakeCommandIo } from './fakeCommandIo.js';

const apiPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const webhookPublicKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const env = {
  RAMP_PARTNER_ID: partnerId,
  RAMP_SECRET_KEY: secretKey,
  RAMP_API_PRIVATE_KEY: apiPrivateKey,
  RAMP_WEBHOOK_PUBLIC_KEY: webhookPublicKey.replaceAll('\n', '\\n'),
  RAMP_SECRET_KEY_STAGING: otherSecret,
};

async function run(input: string, args: string[] = [], variables: object = env) {
  const io = fakeCommandIo({ input, env: variables as Record<string, string> });
  const code = await runCli({ explain: async () => explain }, ['explain', ...args], io);
  return { code, output: io.output() };
}

const createFile = (name: string, text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'partner-ramp-explain-')), name);
  writeFileSync(path, text);
  return path;
};

const toHttp = ({ method, url, headers }: ReceivedRequest, path = true) => {
  const { host } = new URL(url);
  const target = path ? url.slice(url.indexOf(host) + host.length) : url;
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
};

describe('partner-ramp explain', () => {
  it('accepts a right URL', async () => {
    const { code, output } = await run(`${signWidgetUrl().url}\n`);
    expect(code).toBe(0);
    expect(output).toContain('Widget URL: right.');
  });

  it('names the mistake of a URL, with the text to sign and the first difference', async () => {
    const { url, text } = signWidgetUrl({ wrap: (joined) => `${joined}&` });
    const { code, output } = await run(url);
    expect(code).toBe(1);
    expect(output).toContain('ends: There is a & after the last item.');
    expect(output).toContain(`The text that was signed:\n\n  ${text}\n`);
    expect(output).toContain('  to sign: the end of the text\n  signed:  "&"\n');
  });

  it('names a key of another environment by its variable', async () => {
    const { output } = await run(signWidgetUrl({ key: otherSecret }).url);
    expect(output).toContain(
      'another-secret: Another key was used: that of RAMP_SECRET_KEY_STAGING.',
    );
  });

  it('reads the message from a file', async () => {
    const file = createFile('url.txt', signWidgetUrl().url);
    expect((await run('', ['--file', file])).code).toBe(0);
  });

  it.each([
    ['HTTP text', toHttp(signRequest())],
    ['HTTP text with a whole URL', toHttp(signRequest(), false)],
    [
      'JSON',
      JSON.stringify({ ...signRequest(), headers: Object.fromEntries(signRequest().headers) }),
    ],
  ])('reads a request as %s', async (_, input) => {
    expect((await run(input)).output).toContain('Request to the partner API: right.');
  });

  it('takes a POST for a webhook, and says which address was signed', async () => {
    const webhook = signRequest({ method: 'POST', path: '/webhook', query: {} });
    const moved = { ...webhook, url: webhook.url.replace('/webhook', '/webhook/') };
    expect((await run(toHttp(webhook))).output).toContain('Webhook: right.');
    const { output } = await run(toHttp(moved));
    expect(output).toContain('trailing-slash: The path was signed without the slash at its end.');
    const url = webhook.url.replace(/\?.*/, '');
    expect((await run(toHttp(moved), ['--url', url])).code).toBe(0);
  });

  it('names a mistake of the signed text, and one of its signature', async () => {
    const webhook = sendWebhook({
      change: { wrap: (text) => `${text}{"a":1}`, write: (bytes) => bytes.toString('hex') },
    });
    const json = { ...webhook, headers: Object.fromEntries(webhook.headers), body: { a: 1 } };
    const file = createFile('signed.txt', webhook.text);
    const { code, output } = await run(JSON.stringify(json), ['--signed-text', file]);
    expect(code).toBe(1);
    expect(output).toContain('body-signed: The body was signed too.');
    expect(output).toContain('signature-hex: The signature is hexadecimal, not base64.');
    expect(output).toContain('The signature was made from the given text.');
  });

  it('says what a webhook lacks, and checks its clock and its partner', async () => {
    const webhook = sendWebhook();
    const { output } = await run(toHttp(webhook).replace(/x-fp-nonce.*\r\n/i, ''));
    expect(output).toContain('incomplete: x-fp-nonce missing.');
    const late = await run(toHttp(webhook), ['--at', '1986218000']);
    expect(late.output).toContain(
      'timestamp-expired: It was signed 904 seconds before it arrived.',
    );
    const other = await run(toHttp(webhook), [], { ...env, RAMP_PARTNER_ID: 'another' });
    expect(other.output).toContain('unknown-partner');
  });

  it('accepts a webhook without a version, as a backend does', async () => {
    const webhook = sendWebhook({
      change: { pick: (items) => items.filter(([name]) => name !== 'x-fp-version') },
      receive: ({ headers }) => ({
        headers: [...headers].filter(([name]) => !/version/i.test(name)),
      }),
    });
    const { code, output } = await run(toHttp(webhook));
    expect([code, output]).toEqual([0, expect.stringContaining('Webhook: right.')]);
  });

  it('compares the text that a backend verified with that of a right webhook', async () => {
    const webhook = sendWebhook();
    const file = createFile('verified.txt', webhook.text.replace('POST', 'POSThttps://'));
    const { code, output } = await run(toHttp(webhook), ['--signed-text', file]);
    expect(code).toBe(0);
    expect(output).toContain('Webhook: right.');
    expect(output).toContain('scheme-signed: The text contains http:// or https://.');
    expect(output).toContain('The signature is right, but it was not made from the given text.');
    expect(output).toContain('The given text:');
  });

  it('compares the text of the signer, whose file ends with a line break', async () => {
    const { url, text } = signWidgetUrl({ wrap: (joined) => joined.replace('nonce', 'Nonce') });
    const file = createFile('signed.txt', `${text}\n`);
    const { output } = await run(url, ['--signed-text', file]);
    expect(output).toContain('Widget URL: wrong.');
    expect(output).toMatch(/They differ after \d+ characters:\n\n {2}to sign: "nonce=931496/);
  });

  it('checks the clock only with the time of arrival', async () => {
    const { url } = signWidgetUrl();
    expect((await run(url)).code).toBe(0);
    expect((await run(url, ['--at', '1986217096'])).code).toBe(0);
    const late = await run(url, ['--at', '1986218000']);
    expect(late.code).toBe(1);
    expect(late.output).toContain(
      'timestamp-expired: It was signed 904 seconds before it arrived.',
    );
    expect((await run(url, ['--at', '1986216000'])).output).toContain('timestamp-in-future');
  });

  it('says what a URL lacks', async () => {
    const { output } = await run('https://pay.example/home?partnerId=a&nonce=1');
    expect(output).toContain('incomplete: timestamp, signature missing.');
  });

  it('names the partner ID of another environment', async () => {
    const { output } = await run(signWidgetUrl().url, [], { ...env, RAMP_PARTNER_ID: 'another' });
    expect(output).toContain('unknown-partner');
  });

  it('prints JSON', async () => {
    const { output } = await run(signWidgetUrl({ key: otherSecret }).url, ['--json']);
    expect(JSON.parse(output)).toMatchObject({
      kind: 'widget-url',
      isRight: false,
      mistakes: [{ id: 'another-secret' }],
    });
  });

  it.each([
    ['an empty input', '', [], 'The input is empty.'],
    ['text that is no message', 'hello\nworld', [], 'The input is neither a URL'],
    ['an unknown kind', 'https://pay.example/home', ['--kind', 'mail'], '--kind is one of'],
    ['a file that does not exist', '', ['--file', 'missing.txt'], 'cannot be read (ENOENT)'],
    ['a URL as an argument', '', ['https://pay.example/home'], 'partner-ramp explain --help'],
  ])('refuses %s', async (_, input, args, message) => {
    const { code, output } = await run(input, args);
    expect(code).toBe(2);
    expect(output).toContain(message);
  });

  it('demands the key that it needs', async () => {
    const { code, output } = await run(signWidgetUrl().url, [], {});
    expect(code).toBe(2);
    expect(output).toContain('Set RAMP_SECRET_KEY or --secret-key; a key is never an argument.');
  });

  it('prints no key, and no right signature', async () => {
    const right = new URL(signWidgetUrl().url).searchParams.get('signature') as string;
    const steps = widgetMistakes.filter((_, at) => at % 6 === 0).map(({ change }) => change);
    for (const args of [[], ['--json']])
      for (const change of steps) {
        const { output } = await run(signWidgetUrl(change).url, args);
        const body = apiPrivateKey.split('\n')[1] as string;
        for (const canary of [secretKey, otherSecret, body, right])
          expect(output).not.toContain(canary);
      }
  }, 60_000);
});
