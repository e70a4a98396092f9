import { RampError, type RampErrorCode } from '../protocol/ramp-error.js';

/** The address of one route of the ramp handler. */
export const backendUrl = (api: string, path: string): string => api.replace(/\/+$/, '') + path;

/**
 * Asks the ramp handler of the partner's backend and answers what it says, unchecked.
 *
 * @param otherwise - The code of the error when the answer is not a ramp handler's.
 * @throws RampError `ERR_NETWORK` when it cannot be reached, the backend's own error with its issues,
 * and `otherwise`.
 */
export async function askBackend(
  url: string,
  init: RequestInit,
  otherwise: RampErrorCode,
  ask?: typeof fetch,
): Promise<unknown> {
  const response = await (ask || fetch)(url, init).catch((cause) => {
    throw new RampError('ERR_NETWORK', `${url} could not be reached: offline, or CORS.`, { cause });
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
