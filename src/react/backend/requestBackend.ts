import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from './BackendSettings.js';

/** The settings of one request. */
export interface BackendRequest extends BackendSettings {
  /** Called with the resolved headers. @default the global fetch */
  readonly fetch?:
    | ((url: string, init: RequestInit & { headers: Headers }) => Promise<Response>)
    | undefined;
}

/**
 * Sends a request to the ramp handler of the partner's backend. Without a `fallbackCode` it returns the response
 * itself, otherwise its body, without validation.
 *
 * @param path - The route, below `api`.
 * @param fallbackCode - The code of the error when the response is not a ramp handler's.
 * @throws RampError `ERR_NETWORK` when the backend cannot be reached, the backend's own error with its issues, or
 * `fallbackCode`. Errors that `headers` throws are passed on.
 */
export async function requestBackend(
  { api = '', credentials, headers: given, fetch: send = fetch }: BackendRequest,
  path: string,
  init: Omit<RequestInit, 'headers' | 'credentials'>,
  fallbackCode?: RampErrorCode,
): Promise<unknown> {
  const url = api.replace(/\/+$/, '') + path;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  if (init.body) headers.set('Content-Type', 'application/json');
  const response = await send(url, {
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
    message || `${url} returned ${response.status}, not from a ramp handler.`,
    { issues, retryAfterSeconds: +(response.headers.get('Retry-After') || 0) },
  );
}
