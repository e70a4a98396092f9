import type { KeyObject } from 'node:crypto';
import { buildRequestPayload } from '../../protocol/api/buildRequestPayload.js';
import { createConfigError } from '../../protocol/errors/createConfigError.js';
import { signRsaSha256 } from '../signing/rsaSha256.js';

/** The identity of the partner, and the sources of timestamps and nonces. */
export interface RequestIdentity {
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  readonly version: string;
  /** The clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a new random number of six digits. */
  readonly nonce: () => string;
}

/**
 * Returns the six headers of a signed GET request (docs/service-interface.md section 4.1), with a new timestamp
 * and nonce.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when `now` or `nonce` returns an invalid value.
 */
export function signHeaders(
  url: string,
  { partnerId, privateKey, version, now, nonce }: RequestIdentity,
): Record<string, string> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Fp-Version': version,
    'X-Fp-Timestamp': parseDigits(10, String(Math.floor(now() / 1000)), 'now', 'milliseconds'),
    'X-Fp-Nonce': parseDigits(6, nonce(), 'nonce', 'text of six digits'),
    'X-Fp-Partner-Id': partnerId,
  };
  const text = buildRequestPayload({ method: 'GET', url, headers });
  return { ...headers, 'X-Fp-Signature': signRsaSha256(text, privateKey) };
}

function parseDigits(length: number, text: string, option: string, words: string): string {
  if (text.length === length && /^\d+$/.test(text)) return text;
  throw createConfigError('createPartnerApi', `expects ${option}() to return ${words}.`);
}
