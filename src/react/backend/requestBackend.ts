import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';
import type { RequestHeaders } from '../checkout/CheckoutOptions.js';

/** The address of one route of the ramp handler. */
export const buildBackendUrl = (api: string, path: string): string =>
  api.replace(/\/+$/, '') + path;

/** A request, with the headers as the page gives them. */
export interface BackendInit extends Omit<RequestInit, 'headers' | 'credentials'> {
  readonly credentials?: RequestCredentials | undefined;
  readonly headers?: RequestHeaders | undefined;
}

/**
 * Sends a request to the ramp handler of the partner's backend and returns its response, unchecked.
 *
 * @param otherwise - The code of the error when the response is not a ramp handler's.
 * @throws RampError `ERR_NETWORK` when it cannot be reached or `headers` fails, the backend's own error with its
 * issues, and `otherwise`.
 */
export async function requestBackend(
  url: string,
  init: BackendInit,
  otherwise: RampErrorCode,
  ask?: typeof fetch,
): Promise<unknown> {
  const headers = new Headers(
    typeof init.headers === 'function' ? await init.headers() : init.headers,
  );
  if (init.body) headers.set('Content-Type', 'application/json');
  const response = await (ask || fetch)(url, { ...init, headers } as RequestInit).catch((cause) => {
    throw new RampError('ERR_NETWORK', `${url} could not be reached: offline or CORS.`, {
      cause,
    });
  });
  const body = await response.json().catch(() => 0);
  if (response.ok && body) return body;
  const { code, message, issues } = body?.error || {};
  throw new RampError(
    /^ERR_/.test(code) ? (code as RampErrorCode) : otherwise,
    message || `${url} answered ${response.status}, not as a ramp handler does.`,
    { issues },
  );
}
