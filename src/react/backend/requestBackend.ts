import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from './BackendSettings.js';

/** Replaces the global fetch. Gets the resolved headers. */
type FetchResponse = (url: string, init: RequestInit & { headers: Headers }) => Promise<Response>;

/**
 * Sends a request to the ramp handler of the partner's backend. Without a `fallbackCode` it returns the response
 * itself, otherwise its body, without validation.
 *
 * @param path - The route, below `api`.
 * @param fallbackCode - The code of the error when the response is not a ramp handler's.
 * @throws RampError `ERR_NETWORK` when the backend cannot be reached, the backend's own error with its issues, or
 * `fallbackCode`; and whatever `headers` throws.
 */
export async function requestBackend(
  { api = '', credentials, headers: given }: BackendSettings,
  path: string,
  init: Omit<RequestInit, 'headers' | 'credentials'>,
  fallbackCode?: RampErrorCode,
  fetchResponse?: FetchResponse,
): Promise<unknown> {
  const url = api.replace(/\/+$/, '') + path;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  if (init.body) headers.set('Content-Type', 'application/json');
  const response = await (fetchResponse || fetch)(url, {
    ...init,
    credentials,
    headers,
  } as RequestInit & { headers: Headers }).catch((cause) => {
    throw new RampError('ERR_NETWORK', `${url} could not be reached: offline or CORS.`, { cause });
  });
  if (!fallbackCode) return response;
  const body = await response.json().catch(() => 0);
  if (response.ok && body) return body;
  const { code, message, issues } = body?.error || {};
  throw new RampError(
    /^ERR_/.test(code) ? (code as RampErrorCode) : fallbackCode,
    message || `${url} answered ${response.status}, not as a ramp handler does.`,
    { issues },
  );
}
