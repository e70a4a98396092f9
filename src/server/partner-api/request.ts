import type { KeyObject } from 'node:crypto';
import { parse } from 'lossless-json';
import { buildRequestPayload } from '../../protocol/api/buildRequestPayload.js';
import { parseEnvelope } from '../../protocol/api/parseResources.js';
import { isRampError } from '../../protocol/errors/isRampError.js';
import {
  createConfigError,
  RampError,
  type RampErrorCode,
} from '../../protocol/errors/RampError.js';
import { isolateListener } from '../internal/errorReports.js';
import { decodeUtf8, readBodyWithLimit } from '../internal/requestBody.js';
import { getSeconds, type Runtime, sleep } from '../internal/runtime.js';
import { withTimeLimit } from '../internal/withTimeLimit.js';
import { type SignMessage, signExternally } from '../signing/externalKey.js';
import { signRsaSha256 } from '../signing/rsa.js';

const MAX_RESPONSE_BYTES = 2_000_000;
/** The length of a signature with the shortest key. */
const RSA_BYTES = 256;

interface RequestIdentity {
  readonly partnerId: string;
  readonly privateKey: KeyObject | SignMessage;
  readonly version: string;
  readonly runtime: Runtime;
}

export interface RequestOptions extends RequestIdentity {
  readonly timeoutMs: number;
  /** Called with each response, and the time in milliseconds when it arrived, to detect clock skew. */
  readonly watchClock: (response: Response, now: number) => void;
}

/**
 * Sends one signed GET request, and returns the `data` of its response within `timeoutMs`.
 *
 * @throws RampError when the request fails. It is a {@link TransientError} if a retry may succeed, for example
 * `ERR_NETWORK` or `ERR_TIMEOUT`.
 * @throws the reason of `signal` when it is aborted.
 */
export async function sendRequest(
  url: string,
  settings: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { timeoutMs: limitMs, runtime } = settings;
  const what = `GET ${new URL(url).pathname}`;
  const onTimeout = () => {
    throw new TransientError('ERR_TIMEOUT', `${what}: no complete response within ${limitMs} ms.`);
  };
  // Sign before the time of the request begins, because a function that signs has its own time limit.
  const headers = await signHeaders(url, settings, signal);
  return withTimeLimit<unknown>({ runtime, limitMs, onTimeout, signal }, async (either) => {
    try {
      // Do not follow a redirect, which could send the signature to another host.
      const response = await runtime.fetch(url, { headers, redirect: 'manual', signal: either });
      const receivedAt = runtime.now();
      settings.watchClock(response, receivedAt);
      return await parseResponse(response, what, receivedAt);
    } catch (error) {
      if (isRampError(error)) throw error;
      const message = `${what}: the service cannot be reached (${findErrorCode(error)}).`;
      throw new TransientError('ERR_NETWORK', message, { cause: error });
    }
  });
}

/** Returns the code of a network error, such as `ECONNREFUSED`. The error of `fetch` holds it only in its `cause`. */
function findErrorCode(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name ?? 'unknown');
}

/**
 * Returns the six headers of a signed GET request (service interface, section 4.1), with a new timestamp
 * and nonce.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when `Date.now()` does not return milliseconds, and the errors of
 * `signExternally`.
 */
export async function signHeaders(
  url: string,
  { partnerId, privateKey, version, runtime }: RequestIdentity,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Fp-Version': version,
    'X-Fp-Timestamp': parseTimestamp(getSeconds(runtime)),
    'X-Fp-Nonce': String(runtime.randomInt(100_000, 1_000_000)),
    'X-Fp-Partner-Id': partnerId,
  };
  const text = buildRequestPayload({ method: 'GET', url, headers });
  const signature =
    typeof privateKey === 'function'
      ? await signExternally(text, privateKey, {
          name: 'apiPrivateKey',
          minBytes: RSA_BYTES,
          runtime,
          signal,
        })
      : signRsaSha256(text, privateKey);
  return { ...headers, 'X-Fp-Signature': signature };
}

function parseTimestamp(seconds: number): string {
  if (/^\d{10}$/.test(String(seconds))) return String(seconds);
  throw createConfigError('Date.now()', 'must return milliseconds since 1970.');
}

/**
 * Returns the `data` of the service's response (service interface, section 2.1). Numbers are returned as text.
 *
 * @param what - Describes the request in messages, such as `GET /path`.
 * @param now - When the response arrived by the clock of this server, in milliseconds.
 * @throws RampError `ERR_API_RESPONSE` or `ERR_RESPONSE_INVALID`, as a {@link TransientError} if the status allows a
 * retry.
 * @throws the error of a broken stream.
 */
async function parseResponse(response: Response, what: string, now: number): Promise<unknown> {
  try {
    return await readData(response);
  } catch (error) {
    if (!isRampError(error)) throw error;
    const { code, apiCode, issues } = error;
    const status = response.ok ? '' : ` (status ${response.status})`;
    const message = `${what}${status}: ${error.message}${describeClock(response, apiCode, now)}`;
    const details = { apiCode, issues, retryAfterMs: parseRetryAfter(response, now) };
    if (response.status === 429 || response.status >= 500)
      throw new TransientError(code, message, { ...details, status: response.status });
    throw new RampError(code, message, details);
  }
}

async function readData(response: Response): Promise<unknown> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw createInvalidError(
      'the response is a redirect, which signed requests do not follow; check baseUrl',
    );
  }
  const bytes = await readBodyWithLimit(response.body, MAX_RESPONSE_BYTES);
  if (!bytes) throw createInvalidError('the response is larger than 2 MB');
  const data = parseEnvelope(parseJson(bytes));
  if (response.ok) return data;
  throw createInvalidError('the response has the code of success and the status of an error');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parse(decodeUtf8(bytes), null, (digits) => digits);
  } catch {
    // Leave out the cause, because it quotes the body.
    throw createInvalidError('the response is not JSON');
  }
}

const createInvalidError = (message: string) =>
  new RampError('ERR_RESPONSE_INVALID', `${message}.`);

/** Parses `Retry-After`, which is a number of seconds or a date (RFC 9110), into milliseconds from `now`. */
function parseRetryAfter({ headers }: Response, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * Returns a sentence about clock skew if the service refused the signature (`apiCode` 10003) and the clocks differ. The
 * client can detect no other cause of a refused signature.
 */
function describeClock(response: Response, apiCode: string | undefined, now: number): string {
  const skew = apiCode === '10003' ? describeClockSkew(readClockSkew(response, now)) : undefined;
  return skew ? ` The clock of this server ${skew}` : '';
}

interface TransientErrorDetails {
  readonly cause?: unknown;
  readonly apiCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The HTTP status, when the service returned one. */
  readonly status?: number | undefined;
}

/**
 * The statuses of an overloaded or unavailable service or gateway. A 500 is not one of them, because it may concern
 * only one request.
 */
const OUTAGE_STATUSES = [429, 502, 503, 504];

/** An error after which a retry may succeed: the service is unreachable or overloaded, or has failed. */
export class TransientError extends RampError {
  /** The value of the header `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the circuit breaker counts the error. False if the error may concern only this request. */
  readonly isOutage: boolean;

  constructor(code: RampErrorCode, message: string, details: TransientErrorDetails = {}) {
    super(code, message, details);
    this.retryAfterMs = details.retryAfterMs;
    this.isOutage = details.status === undefined || OUTAGE_STATUSES.includes(details.status);
  }
}

export interface RetryOptions {
  /** The maximum number of attempts, the first included. */
  readonly maxTries: number;
  /** The longest `Retry-After` that `retry` waits for. A longer one rejects immediately. */
  readonly maxPauseMs: number;
  readonly runtime: Runtime;
}

const FIRST_BACKOFF_MS = 200;

/**
 * Retries `work` after a transient error, with exponential backoff and jitter. The first backoff is 100 ms plus a
 * random time of up to 100 ms, so that clients that failed together do not retry together. Both parts double with each
 * attempt. A longer `Retry-After` replaces the fixed part, but one above `maxPauseMs` rejects immediately, as does an
 * error that is not transient.
 *
 * @throws the error of the last attempt.
 * @throws the reason of `signal`, which also interrupts a backoff.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { maxTries, maxPauseMs, runtime }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError) || tries >= maxTries) throw error;
      const retryAfterMs = error.retryAfterMs ?? 0;
      if (retryAfterMs > maxPauseMs) throw error;
      const halfBackoffMs = FIRST_BACKOFF_MS * 2 ** (tries - 2);
      const jitterMs = halfBackoffMs * runtime.random();
      await sleep(runtime, Math.max(retryAfterMs, halfBackoffMs) + jitterMs, signal);
    }
  }
}

/**
 * A smaller difference between the clocks is tolerated, because a `Date` header has whole seconds, and a response takes
 * time.
 */
const MAX_SKEW_SECONDS = 30;
const HOUR_MS = 3_600_000;

/**
 * Returns by how many seconds this server's clock is ahead of the service's, according to the `Date` header of a
 * response. Returns undefined without that header, and for a cached response (it has an `Age`), because its date is
 * old.
 *
 * @param now - The clock of this server when the response arrived, milliseconds.
 */
function readClockSkew({ headers }: Response, now: number): number | undefined {
  const ahead = Math.round((now - Date.parse(headers.get('date') ?? '')) / 1000);
  return headers.has('age') || Number.isNaN(ahead) ? undefined : ahead;
}

/** Returns the text after "The clock of this server", or undefined if the difference is small or not known. */
function describeClockSkew(ahead: number | undefined): string | undefined {
  if (ahead === undefined || Math.abs(ahead) <= MAX_SKEW_SECONDS) return undefined;
  return `is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`;
}

/** Compares the clocks of this server and the service. */
interface ClockWatch {
  /** See {@link PartnerApi.clockSkewSeconds}. */
  readonly skewSeconds: number | undefined;
  watch(response: Response, now: number): void;
}

/**
 * Creates a watch that warns about clock skew, which may later make the service refuse requests. It warns at the first
 * response that shows skew, and then at most once an hour.
 */
export function createClockWatch(warn: (error: RampError) => void): ClockWatch {
  // Isolate `warn`, because the response is valid even if `warn` throws.
  const report = isolateListener(warn);
  let warnedAt = Number.NEGATIVE_INFINITY;
  let skewSeconds: number | undefined;
  return {
    get skewSeconds() {
      return skewSeconds;
    },
    watch(response, now) {
      const ahead = readClockSkew(response, now);
      skewSeconds = ahead ?? skewSeconds;
      const skew = describeClockSkew(ahead);
      if (!skew || Math.abs(now - warnedAt) < HOUR_MS) return;
      warnedAt = now;
      const message = `${skew} Synchronize it (NTP): signatures, webhooks and orders depend on it.`;
      report(new RampError('ERR_CLOCK_SKEW', `The clock of this server ${message}`));
    },
  };
}
