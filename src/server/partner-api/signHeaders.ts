import type { KeyObject } from 'node:crypto';
import { buildRequestPayload } from '../../protocol/api/buildRequestPayload.js';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { getSeconds, type Runtime } from '../internal/runtime.js';
import { signRsaSha256 } from '../signing/rsaSha256.js';

/** The identity of the partner, and the source of timestamps and nonces. */
export interface RequestIdentity {
  readonly partnerId: string;
  readonly privateKey: KeyObject;
  readonly version: string;
  readonly runtime: Runtime;
}

/**
 * Returns the six headers of a signed GET request (docs/service-interface.md section 4.1), with a new timestamp
 * and nonce.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when `now` returns an invalid value.
 */
export function signHeaders(
  url: string,
  { partnerId, privateKey, version, runtime }: RequestIdentity,
): Record<string, string> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Fp-Version': version,
    'X-Fp-Timestamp': parseTimestamp(getSeconds(runtime)),
    'X-Fp-Nonce': String(runtime.randomInt(100_000, 1_000_000)),
    'X-Fp-Partner-Id': partnerId,
  };
  const text = buildRequestPayload({ method: 'GET', url, headers });
  return { ...headers, 'X-Fp-Signature': signRsaSha256(text, privateKey) };
}

function parseTimestamp(seconds: number): string {
  if (/^\d{10}$/.test(String(seconds))) return String(seconds);
  throw createConfigError('createPartnerApi', 'expects now() to return milliseconds.');
}
