// This module loads together with react-query.

import type { BackendConnection } from '../../../client/backend/fetchBackend.js';
import { requestJson, toRampError, withTimeout } from '../../../client/backend/responses.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';

/** The time-out of a request. It is longer than a backend's three attempts to reach the service. */
const TIMEOUT_MS = 15_000;

export interface BackendRoute<Data> {
  readonly path: string;
  readonly isResponse: (body: Data) => unknown;
}

/** @throws RampError. Any other error, such as one of the function `headers`, is wrapped as `ERR_NETWORK`. */
export async function fetchQuery<Data extends CacheInfo>(
  backend: BackendConnection,
  { path, isResponse }: BackendRoute<Data>,
  signal: AbortSignal,
): Promise<Data> {
  const { api } = backend;
  if (api == null)
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'api is missing: pass the path of your ramp handler to RampProvider or the component.',
    );
  const body = await withTimeout(TIMEOUT_MS, 'The backend', signal, (signal) =>
    requestJson<Data>('ERR_RESPONSE_INVALID', [backend, path, { signal }]),
  ).catch((cause) => {
    throw toRampError(cause, 'ERR_NETWORK', 'headers() failed; see the cause.');
  });
  try {
    const { ageSeconds, stale } = body;
    // Backends without a cache may omit these fields.
    if (isResponse(body))
      return { ...body, ageSeconds: Number(ageSeconds) || 0, stale: stale === true };
  } catch {
    // isResponse() has thrown, because a field that it reads is missing. So the response is invalid.
  }
  throw new RampError('ERR_RESPONSE_INVALID', `${api}${path} returned an unexpected response.`);
}

/**
 * Returns the error to report if react-query cannot be used. The package is not installed if the message says that it
 * cannot be resolved or found; Node, bundlers and browsers use such words. Any other error comes from the network, and
 * is returned unchanged.
 *
 * @param cause - The error of the import. `undefined` if the library has loaded, but has another major version.
 */
export function toLibraryError(cause: unknown): unknown {
  const isMissing = /(?:resolve|find (?:module|package)).*@tanstack\/react-query/i.test(`${cause}`);
  if (cause && !isMissing) return cause;
  const reason = isMissing ? 'which is not installed' : 'and another version is installed';
  return new RampError(
    'ERR_CONFIG_INVALID',
    `Prices need @tanstack/react-query 5, ${reason}: npm install @tanstack/react-query@5.`,
    { cause },
  );
}
