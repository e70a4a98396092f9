import { createHash } from 'node:crypto';
import { joinRequestPayload } from '../../protocol/api/buildRequestPayload.js';
import { parseServiceUrl } from '../../protocol/parseServiceUrl.js';
import { flag, readOptions, seconds, setting } from '../internal/options.js';
import { isReference } from '../internal/reference.js';
import { decodeUtf8 } from '../internal/requestBody.js';
import { getSeconds, processRuntime, type Runtime } from '../internal/runtime.js';
import { parseRsaPublicKey, type RsaKey, verifyRsaSha256 } from '../signing/rsa.js';
import { parseSignedBody } from './signedBody.js';
import { WebhookError } from './WebhookError.js';
import { parseSignedHeaders, parseSignedQuery, type WebhookHeaders } from './webhookItems.js';

/** Options of {@link createWebhookVerifier}. */
export interface WebhookVerifierOptions {
  /** The service's `WebhookPublicKey`: RSA of 2048 bits or more, PEM or `KeyObject`. */
  readonly publicKey: RsaKey;
  /**
   * The public URL of the webhook, exactly as registered with the service. It is part of the signed text, and is never
   * taken from a request.
   */
  readonly url: string;
  /** The maximum difference between a webhook's timestamp and the clock, in either direction. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** Whether the service signs the scalar fields of the body too. @default false */
  readonly signedBody?: boolean | undefined;
}

/** A webhook as it was received. */
export interface WebhookRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  readonly headers: WebhookHeaders;
  /** The query as received, percent-encoded, with or without `?`. */
  readonly query: string;
  /** The body as received, not parsed. */
  readonly body: Uint8Array;
}

/** The result of {@link WebhookVerifier.verify}: the webhook has a valid signature and a current timestamp. */
export interface VerifiedWebhook {
  /** Identifies the webhook: the SHA-256 of the signed text, as hex. The same webhook has the same id each time. */
  readonly id: string;
  /** After this time the timestamp is too old for this webhook to be verified again, Unix seconds. */
  readonly expiresAt: number;
  /** When the webhook was signed, Unix seconds. */
  readonly timestamp: number;
  /**
   * The reference in the body, which names the checkout whose order is announced. The body may be unsigned, so treat
   * the reference as a hint, and never as a reason to deliver.
   */
  readonly reference?: string | undefined;
}

/** The result of {@link createWebhookVerifier}. */
export interface WebhookVerifier {
  /**
   * Verifies a webhook (service interface, section 5.2), and changes nothing. Treat its body as a hint: without
   * `signedBody` the signature does not cover it. A webhook can arrive twice, with the same `id`.
   *
   * @throws WebhookError `ERR_WEBHOOK_VERIFICATION` with a `reason`, even after an unexpected error.
   */
  verify(request: WebhookRequest): VerifiedWebhook;
}

/**
 * Creates a webhook verifier. It checks the RSA signature over the `x-fp-*` headers and the query, and the timestamp.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed. For a bad key, the message says what
 * is wrong with it.
 * @example
 * const webhooks = createWebhookVerifier({ publicKey, url: 'https://shop.example/api/ramp/webhook' });
 * const { id, reference } = webhooks.verify({ method, headers, query, body });
 */
export function createWebhookVerifier(options: WebhookVerifierOptions): WebhookVerifier;
/** @internal */
export function createWebhookVerifier(
  options: WebhookVerifierOptions,
  runtime: Runtime,
): WebhookVerifier;
export function createWebhookVerifier(
  options: WebhookVerifierOptions,
  runtime: Runtime = processRuntime,
): WebhookVerifier {
  const { publicKey, url, toleranceSeconds, signedBody } = readOptions(
    'createWebhookVerifier',
    options,
    {
      publicKey: (key, { subject }) => parseRsaPublicKey(key, subject),
      url: parseWebhookUrl,
      toleranceSeconds: seconds(300),
      signedBody: flag(false),
    },
  );
  // Use the configured path unchanged, because a trailing slash is part of the signed text.
  const address = url.host + url.pathname;
  function check(request: WebhookRequest): VerifiedWebhook {
    if (request.method !== 'POST') throw new WebhookError('method');
    const { signature, timestamp, items } = readRequest(request, signedBody);
    const received = getSeconds(runtime);
    if (!(Math.abs(received - timestamp) <= toleranceSeconds)) throw new WebhookError('timestamp');
    const text = joinRequestPayload('POST', address, items);
    if (!verifyRsaSha256(text, signature, publicKey)) throw new WebhookError('signature');
    // Hash the text, not the signature: the text identifies the webhook, however its signature is encoded.
    const id = createHash('sha256').update(text).digest('hex');
    const reference = readReference(request.body);
    const expiresAt = timestamp + toleranceSeconds;
    return { id, expiresAt, timestamp, ...(reference && { reference }) };
  }

  return {
    verify(request) {
      try {
        return check(request);
      } catch (error) {
        throw error instanceof WebhookError ? error : new WebhookError('unexpected', error);
      }
    },
  };
}

export const parseWebhookUrl = setting((value, { subject }) => {
  parseServiceUrl(value as string, subject);
  return new URL(value as string);
});

/** Returns the reference of the checkout that a webhook body names, if any. */
function readReference(body: Uint8Array): string | undefined {
  try {
    const { order, ext } = JSON.parse(decodeUtf8(body));
    const reference = ext ?? order?.ext;
    return isReference(reference) ? reference : undefined;
  } catch {
    return undefined;
  }
}

function readRequest({ headers, query, body }: WebhookRequest, isBodySigned: boolean) {
  const found = parseSignedHeaders(headers);
  const signature = found.get('x-fp-signature');
  const time = found.get('x-fp-timestamp');
  const nonce = found.get('x-fp-nonce');
  if (!signature || !time || !nonce) throw new WebhookError('header-missing');
  if (!/^\d{10}$/.test(time) || !/^\d{1,10}$/.test(nonce))
    throw new WebhookError('header-malformed');
  found.delete('x-fp-signature');
  const items = new Map<string, string>([...found, ...parseSignedQuery(query)]);
  for (const [name, value] of isBodySigned ? parseSignedBody(body) : []) {
    if (items.has(name)) throw new WebhookError('body-malformed');
    items.set(name, value);
  }
  return { signature, timestamp: Number(time), items: Object.fromEntries(items) };
}
