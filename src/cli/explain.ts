import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  explainSignature,
  type KnownKeys,
  type SignatureExplanation,
} from '../sandbox/explain/explainSignature.js';
import type { Mistake } from '../sandbox/explain/Mistake.js';
import {
  type MessageKind,
  type ReceivedRequest,
  readRequestMessage,
  readWidgetMessage,
  type SignedMessage,
} from '../sandbox/explain/signedMessage.js';
import type { NamedKey } from '../sandbox/explain/verifiers.js';
import { decodeQuery } from '../sandbox/requests.js';
import { type Command, type CommandIo, UsageError } from './Command.js';

const help = `Usage: npx @partner-ramp/react explain [OPTIONS] < FILE

Says why the signature of a widget's URL, a request to the partner API or a webhook is wrong. It recognizes one mistake
at a time. If you pass the text of your signer, it always shows the first difference. It never prints a key or a right
signature.

The message is read from standard input, not from an argument, because arguments stay in the history of the shell:

  a widget's URL   on one line
  a request        as HTTP text (request line, headers, empty line, body), or as JSON { method, url, headers, body }

Options:

  --file FILE                 read the message from a file
  --kind url|request|webhook  what it is; by default, a POST is a webhook and another method a request
  --url URL                   the address that was signed, if a proxy has changed it: the webhook's address as the
                              service knows it, or the URL of the request
  --signed-text FILE          the text that the signer has signed, or that your backend has verified: shows the
                              first difference
  --at TIME                   when the message arrived, in Unix seconds or as 2026-01-31T12:00:00Z: checks the clock
  --secret-key FILE           instead of RAMP_SECRET_KEY
  --api-key FILE              the APIPrivateKey or its public key, instead of RAMP_API_PRIVATE_KEY
  --webhook-public-key FILE   instead of RAMP_WEBHOOK_PUBLIC_KEY
  --other-key FILE            a key of another environment that may have been used by mistake; may be repeated
  --json                      print the result as JSON

Keys come from the environment or from files. RAMP_PARTNER_ID is compared if it is set. The exit code is 0 for a right
signature and 1 for a wrong one.

Examples:

  npx @partner-ramp/react explain < url.txt
  npx @partner-ramp/react explain --file request.http --signed-text signed.txt
  npx @partner-ramp/react explain --kind webhook --url https://shop.example/api/ramp/webhook < webhook.http
`;

const options = {
  file: { type: 'string' },
  kind: { type: 'string' },
  url: { type: 'string' },
  'signed-text': { type: 'string' },
  at: { type: 'string' },
  'secret-key': { type: 'string' },
  'api-key': { type: 'string' },
  'webhook-public-key': { type: 'string' },
  'other-key': { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const;

/** The largest difference between a timestamp and the service's clock that the service accepts. */
const TOLERANCE_SECONDS = 300;

/** `partner-ramp explain`: says why a signature is wrong. */
export const explain: Command = {
  summary: 'say why the signature of a URL, a request or a webhook is wrong',
  help,
  async run(args, io) {
    const { values } = parseArgs({ args, options });
    const readText = (path: string) => readTextFile(resolve(io.cwd, path), path);
    const text = values.file === undefined ? await io.readInput() : await readText(values.file);
    const received = parseMessage(text, values.kind, values.url);
    const keys = await readKeys(io, values, readText, received.kind);
    const signedText = values['signed-text'];
    const signerText = signedText === undefined ? undefined : await readText(signedText);
    const result = explainMessage(received, keys, signerText, parseTime(values.at));
    io.print(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatResult(result));
    return result.isRight ? 0 : 1;
  },
};

async function readTextFile(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{10}$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000);
  if (Number.isNaN(time))
    throw new UsageError('--at expects Unix seconds, or a time such as 2026-01-31T12:00:00Z.');
  return time;
}

type ReceivedMessage =
  | { readonly kind: 'widget-url'; readonly url: string }
  | { readonly kind: 'api-request' | 'webhook'; readonly request: ReceivedRequest };

const kinds: Readonly<Record<string, MessageKind>> = {
  url: 'widget-url',
  request: 'api-request',
  webhook: 'webhook',
};

function parseMessage(
  input: string,
  kindName: string | undefined,
  url: string | undefined,
): ReceivedMessage {
  const kind = kindName === undefined ? undefined : kinds[kindName];
  if (kindName !== undefined && !kind)
    throw new UsageError('--kind is one of url, request and webhook.');
  const text = input.trim();
  if (text === '')
    throw new UsageError('The input is empty. Write the URL or the request to standard input.');
  const request = parseRequest(input, text, url);
  if (!request || kind === 'widget-url') return { kind: 'widget-url', url: request?.url ?? text };
  const byMethod = request.method.toUpperCase() === 'POST' ? 'webhook' : 'api-request';
  return { kind: kind ?? byMethod, request };
}

/** Parses HTTP text or JSON. Returns `undefined` for a URL. */
function parseRequest(
  input: string,
  text: string,
  url: string | undefined,
): ReceivedRequest | undefined {
  if (text.startsWith('{')) return parseJson(text, url);
  const [head = '', ...rest] = input.trimStart().split(/\r?\n\r?\n/);
  const [start = '', ...lines] = head.split(/\r?\n/);
  const [, method, target = ''] =
    /^([A-Za-z]+) +(\S+)(?: +HTTP\/[\d.]+)?$/.exec(start.trim()) ?? [];
  if (!method) {
    if (/\s/.test(text))
      throw new UsageError(
        'The input is neither a URL on one line, nor HTTP text with a request line, nor JSON.',
      );
    return undefined;
  }
  const headers = lines
    .map((line) => /^([^:\s]+):\s*(.*?)\s*$/.exec(line))
    .flatMap((found): [string, string][] => (found ? [[found[1] ?? '', found[2] ?? '']] : []));
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '';
  // The body of HTTP text in a file may end with a line break that was not sent. The body is not signed, so keep the
  // line break.
  const body = rest.join('\n\n');
  return { method, url: replaceAddress(completeUrl(target, host), url), headers, body };
}

function parseJson(text: string, url: string | undefined): ReceivedRequest | undefined {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('The input begins like JSON, but is not valid JSON.');
  }
  const { method = 'GET', headers = {}, body } = value;
  if (typeof value.url !== 'string' || typeof method !== 'string' || typeof headers !== 'object')
    throw new UsageError('JSON needs url as text, and may have method, headers and body.');
  const list = Array.isArray(headers) ? headers : Object.entries(headers ?? {});
  const texts = list.map(([name, content]) => [String(name), String(content)] as const);
  const host = texts.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '';
  const address = replaceAddress(completeUrl(value.url, host), url);
  if (texts.length === 0) return undefined;
  const content = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return { method, url: address, headers: texts, body: content };
}

const completeUrl = (target: string, host: string): string =>
  /^[a-z]+:\/\//i.test(target) ? target : `https://${host}${target}`;

/** Replaces the received address with `url`. The received query is kept, unless `url` contains one. */
function replaceAddress(received: string, url: string | undefined): string {
  if (url === undefined) return received;
  const query = /\?.*$/s.exec(received)?.[0] ?? '';
  return url.includes('?') ? url : `${url}${query}`;
}

type KeyOptions = Readonly<
  Partial<Record<'secret-key' | 'api-key' | 'webhook-public-key', string | undefined>>
> & { readonly 'other-key'?: string[] | undefined };

/** Reads the keys that were given, and throws if the one that the message needs is missing. */
async function readKeys(
  { env }: CommandIo,
  files: KeyOptions,
  readText: (path: string) => Promise<string>,
  kind: MessageKind,
): Promise<KnownKeys> {
  const read = async (option: 'secret-key' | 'api-key' | 'webhook-public-key', name: string) => {
    const path = files[option];
    return path === undefined ? env[name] || undefined : (await readText(path)).trim();
  };
  const secretKey = await read('secret-key', 'RAMP_SECRET_KEY');
  const apiKey = await read('api-key', 'RAMP_API_PRIVATE_KEY');
  const webhookKey = await read('webhook-public-key', 'RAMP_WEBHOOK_PUBLIC_KEY');
  const needed = {
    'widget-url': [secretKey, 'RAMP_SECRET_KEY or --secret-key'],
    'api-request': [apiKey, 'RAMP_API_PRIVATE_KEY or --api-key'],
    webhook: [webhookKey, 'RAMP_WEBHOOK_PUBLIC_KEY or --webhook-public-key'],
  }[kind];
  if (needed[0] === undefined)
    throw new UsageError(`The key is missing. Set ${needed[1]}; a key is never an argument.`);
  const used = ['RAMP_SECRET_KEY', 'RAMP_API_PRIVATE_KEY', 'RAMP_WEBHOOK_PUBLIC_KEY'];
  const others: NamedKey[] = Object.entries(env)
    .filter(([name, value]) => /^RAMP_\w*KEY/.test(name) && !used.includes(name) && value)
    .map(([name, value]) => ({ name: `that of ${name}`, value: value ?? '' }));
  for (const path of files['other-key'] ?? [])
    others.push({ name: `that of ${path}`, value: (await readText(path)).trim() });
  if (apiKey) others.push({ name: 'the APIPrivateKey', value: apiKey });
  return {
    partnerId: env.RAMP_PARTNER_ID,
    secretKey,
    apiPublicKey: readPublicKey(apiKey, 'The APIPrivateKey'),
    webhookPublicKey: readPublicKey(webhookKey, 'The WebhookPublicKey'),
    otherSecrets: others,
    otherPublicKeys: others
      .filter(({ name, value }) => value.includes('-----BEGIN') && name !== 'the APIPrivateKey')
      .map(({ name, value }) => ({ name, key: readPublicKey(value, name) as KeyObject })),
  };
}

/** Reads a public key, or derives it from a private one. Variables often contain `\n` in place of line breaks. */
function readPublicKey(pem: string | undefined, name: string): KeyObject | undefined {
  if (pem === undefined) return undefined;
  try {
    return createPublicKey(pem.replace(/^(["'])(.*)\1$/s, '$2').replaceAll('\\n', '\n'));
  } catch {
    // No cause, because it may quote the key.
    throw new UsageError(`${name} cannot be read as PEM text.`);
  }
}

interface Result extends Partial<SignatureExplanation> {
  readonly kind: MessageKind;
  readonly isRight: boolean;
  readonly mistakes: readonly Mistake[];
  readonly notes: readonly string[];
}

function explainMessage(
  received: ReceivedMessage,
  keys: KnownKeys,
  signerText: string | undefined,
  receivedAt: number | undefined,
): Result {
  const { kind } = received;
  const url = received.kind === 'widget-url' ? received.url : received.request.url;
  const query = decodeQuery(/\?([^#]*)/.exec(url)?.[1] ?? '');
  const refuse = (id: string, what: string, fix: string): Result => {
    return { kind, isRight: false, mistakes: [{ id, what, fix }], notes: [] };
  };
  if (!query.ok)
    return refuse('query', query.message, 'Write each name once, and percent-encode each value.');
  const message =
    received.kind === 'widget-url'
      ? readWidgetMessage(url)
      : readRequestMessage(received.kind, received.request);
  const missing = listMissing(message);
  if (missing.length > 0)
    return refuse('incomplete', `${missing.join(', ')} missing.`, 'Send all of them.');
  const explained = explainSignature(message, keys, signerText);
  const further = [...findPartnerMistake(message, keys), ...findClockMistake(message, receivedAt)];
  return {
    kind,
    ...explained,
    isRight: explained.isRight && further.length === 0,
    mistakes: [...explained.mistakes, ...further],
    notes: [
      ...(explained.isRight && signerText === undefined
        ? ['The signature is right.']
        : explained.notes),
      ...describeClock(message, receivedAt),
    ],
  };
}

function findItem({ items }: SignedMessage, name: RegExp): string | undefined {
  return items.find((item) => name.test(item.name))?.value;
}
const timestampName = /^(?:x-fp-)?timestamp$/;

/** A webhook without a version is accepted, because the service's interface does not say that one is sent. */
const REQUIRED_ITEMS: Readonly<Record<SignedMessage['kind'], readonly string[]>> = {
  'widget-url': ['partnerId', 'timestamp', 'nonce'],
  'api-request': ['x-fp-version', 'x-fp-timestamp', 'x-fp-nonce', 'x-fp-partner-id'],
  webhook: ['x-fp-timestamp', 'x-fp-nonce', 'x-fp-partner-id'],
};

function listMissing(message: SignedMessage): string[] {
  const isUrl = message.kind === 'widget-url';
  const names = REQUIRED_ITEMS[message.kind];
  const missing = names.filter((name) => !message.items.some((item) => item.name === name));
  if (message.signature === '') missing.push(isUrl ? 'signature' : 'x-fp-signature');
  return missing;
}

function findPartnerMistake(message: SignedMessage, { partnerId }: KnownKeys): Mistake[] {
  const sent = findItem(message, /^(?:partnerId|x-fp-partner-id)$/);
  if (!partnerId || sent === partnerId) return [];
  return [
    {
      id: 'unknown-partner',
      what: 'The partner ID differs from RAMP_PARTNER_ID.',
      fix: 'Use the partner ID and the keys of one environment.',
    },
  ];
}

function findClockMistake(message: SignedMessage, receivedAt: number | undefined): Mistake[] {
  const timestamp = findItem(message, timestampName) ?? '';
  if (!/^\d{10}$/.test(timestamp))
    return [
      {
        id: 'timestamp-format',
        what: 'The timestamp is not a Unix time in seconds, which has ten digits.',
        fix: 'Divide milliseconds by 1000, and drop the decimals.',
      },
    ];
  if (receivedAt === undefined) return [];
  const age = receivedAt - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return [];
  return [
    {
      id: age > 0 ? 'timestamp-expired' : 'timestamp-in-future',
      what:
        age > 0
          ? `It was signed ${age} seconds before it arrived.`
          : `Its timestamp is ${-age} seconds in the future.`,
      fix: `Check the clock of the server that signs, and sign immediately before sending: the sandbox accepts ${TOLERANCE_SECONDS} seconds.`,
    },
  ];
}

function describeClock(message: SignedMessage, receivedAt: number | undefined): string[] {
  const timestamp = Number(findItem(message, timestampName));
  if (receivedAt !== undefined || !(timestamp < 1e10)) return [];
  const time = new Date(timestamp * 1000).toISOString();
  return [`It was signed at ${time}. With --at and the time of arrival, the clock is checked too.`];
}

const titles: Readonly<Record<MessageKind, string>> = {
  'widget-url': 'Widget URL',
  'api-request': 'Request to the partner API',
  webhook: 'Webhook',
};

function formatResult({ kind, isRight, mistakes, notes, expected, signed, difference }: Result) {
  const isExplained = mistakes.length > 0 || difference !== undefined;
  const state = isRight ? 'right' : isExplained ? 'wrong' : 'wrong, for an unknown reason';
  const lines = [`${titles[kind]}: ${state}.`, ''];
  for (const { id, what, fix } of mistakes) lines.push(`  ${id}: ${what}`, `    ${fix}`, '');
  for (const note of notes) lines.push(`  ${note}`, '');
  const shown = isRight
    ? { right: 'The text of the signature', given: 'The given text', label: 'given:  ' }
    : { right: 'The text to sign', given: 'The text that was signed', label: 'signed: ' };
  if (expected && (!isRight || signed)) lines.push(`${shown.right}:`, '', `  ${expected.text}`, '');
  if (signed) lines.push(`${shown.given}:`, '', `  ${signed.text}`, '');
  if (difference) {
    const { at, expected: right, given } = difference;
    const show = (text: string) => (text === '' ? 'the end of the text' : JSON.stringify(text));
    lines.push(`They differ after ${at} characters:`, '');
    lines.push(
      `  to sign: ${show(right)}`,
      `  ${isRight ? 'given: ' : 'signed:'}  ${show(given)}`,
      '',
    );
  }
  if (!isRight && mistakes.length === 0 && !signed)
    lines.push('Compare this text with the one that your signer signs: --signed-text FILE.', '');
  return lines.join('\n');
}
