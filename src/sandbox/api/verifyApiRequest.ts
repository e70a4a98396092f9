import { type KeyObject, verify } from 'node:crypto';
import { decodeQuery } from '../requests.js';

export interface ApiRequest {
  readonly method: string;
  /** The full URL: scheme, host, path and query, not decoded. */
  readonly url: string;
  readonly headers: Headers;
}

export interface ApiVerifyContext {
  /** The partner ID of this service's only Premium Partner. */
  readonly partnerId: string;
  readonly apiPublicKey: KeyObject;
  /** Host and port of this service. */
  readonly host: string;
  /** The service's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** Maximum difference between a timestamp and the clock, in either direction. */
  readonly toleranceSeconds: number;
}

export interface VerifiedRequest {
  readonly ok: true;
  /** Every query parameter that has a value, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface RefusedRequest {
  readonly ok: false;
  /** `10003` Signature error, `10002` incorrect params (service interface, section 7). */
  readonly code: 10003 | 10002;
  /** The failed check as one sentence. Never contains a key or the expected signature. */
  readonly why: string;
}

/** The signed headers (section 5.1), each with its format. */
const signedHeaders = [
  { name: 'X-Fp-Version', pattern: /^v1\.0$/, words: 'v1.0' },
  { name: 'X-Fp-Timestamp', pattern: /^\d{10}$/, words: 'a Unix time in seconds, ten digits' },
  { name: 'X-Fp-Nonce', pattern: /^\d{1,10}$/, words: 'one to ten digits' },
  { name: 'X-Fp-Partner-Id', pattern: /^[^,\s]+$/, words: 'the partner ID' },
] as const;

const SIGNATURE = 'X-Fp-Signature';
const fpNames: ReadonlySet<string> = new Set(
  [...signedHeaders.map(({ name }) => name), SIGNATURE].map((name) => name.toLowerCase()),
);

/**
 * Verifies a request of the partner API as the service does (sections 4.1 and 5.1). This function shares no code with
 * the client's signer: if both used the same faulty code, the signatures would match and no test would find the
 * fault.
 */
export function verifyApiRequest(
  { method, url, headers }: ApiRequest,
  context: ApiVerifyContext,
): VerifiedRequest | RefusedRequest {
  const [, host = '', path = '', query = ''] =
    /^[a-z]+:\/\/([^/?#]*)([^?#]*)\??(.*)$/is.exec(url) ?? [];
  const read = decodeQuery(query);
  if (!read.ok) return { ok: false, code: 10002, why: read.message };
  const { params } = read;
  const hidden = Object.keys(params).find((name) => fpNames.has(name.toLowerCase()));
  if (hidden) return { ok: false, code: 10002, why: `${hidden} is a header, not a parameter.` };
  const why =
    (host === context.host
      ? undefined
      : `The request was sent to ${host}, but this service is ${context.host}.`) ??
    findHeaderIssue(headers) ??
    findPartnerIssue(headers, context) ??
    findSignatureIssue(
      buildSignedText(`${method}${host}${path}`, headers, params),
      headers,
      context,
    ) ??
    findAgeIssue(headers, context);
  return why === undefined ? { ok: true, params } : { ok: false, code: 10003, why };
}

/**
 * Checks the headers. A header that was sent twice arrives as one value with a comma, so it matches none of the
 * formats.
 */
function findHeaderIssue(headers: Headers): string | undefined {
  if (!/^application\/json(?: *; *charset=utf-8)?$/i.test(headers.get('Content-Type') ?? ''))
    return 'The header Content-Type must be application/json.';
  for (const { name, pattern, words } of signedHeaders) {
    const value = headers.get(name);
    if (!value) return `The header ${name} is missing.`;
    if (!pattern.test(value)) return `The header ${name} must occur once and be ${words}.`;
  }
  const signature = headers.get(SIGNATURE);
  if (!signature) return `The header ${SIGNATURE} is missing.`;
  // Node.js also decodes nonstandard spellings, such as base64url. Encoding the result again reveals them.
  if (Buffer.from(signature, 'base64').toString('base64') !== signature)
    return `The header ${SIGNATURE} must occur once and be standard base64.`;
  return undefined;
}

function findPartnerIssue(headers: Headers, { partnerId }: ApiVerifyContext): string | undefined {
  return headers.get('X-Fp-Partner-Id') === partnerId
    ? undefined
    : 'Unknown partner ID: X-Fp-Partner-Id is not the partner ID of this sandbox.';
}

function buildSignedText(
  target: string,
  headers: Headers,
  params: VerifiedRequest['params'],
): string {
  const items = [
    ...signedHeaders.map(({ name }) => [name.toLowerCase(), headers.get(name) ?? ''] as const),
    ...Object.entries(params),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${target}?${items.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

function findSignatureIssue(
  text: string,
  headers: Headers,
  { apiPublicKey }: ApiVerifyContext,
): string | undefined {
  const signature = Buffer.from(headers.get(SIGNATURE) ?? '', 'base64');
  return verify('sha256', Buffer.from(text, 'utf8'), apiPublicKey, signature)
    ? undefined
    : `${SIGNATURE} does not match this request. Sign this text with the APIPrivateKey of this run: ${text}`;
}

function findAgeIssue(
  headers: Headers,
  { nowSeconds, toleranceSeconds }: ApiVerifyContext,
): string | undefined {
  const age = nowSeconds - Number(headers.get('X-Fp-Timestamp'));
  const takes = `the limit is ${toleranceSeconds} seconds.`;
  if (age > toleranceSeconds) return `The request was signed ${age} seconds ago; ${takes}`;
  if (-age > toleranceSeconds) return `The timestamp is ${-age} seconds in the future; ${takes}`;
  return undefined;
}
