import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';
import {
  type BackendReply,
  type BackendRequestInit,
  type BackendSettings,
  fetchBackend,
} from './fetchBackend.js';

/** The arguments of a request: the backend, the route below `api`, and the options of `fetch`. */
type BackendRequest = readonly [backend: BackendSettings, path: string, init: BackendRequestInit];

const toUrl = ([{ api = '' }, path]: BackendRequest): string => api.replace(/\/+$/, '') + path;

/**
 * Sends a request, and returns its response, including one with an error status. After a 401, the request is repeated
 * once if `headers` is a function, which is then called again. All lazy code sends its requests with this function.
 *
 * @param sent - The reply, if the request has already been sent.
 * @throws RampError `ERR_NETWORK` when the backend could not be reached.
 */
export async function requestBackend(
  request: BackendRequest,
  sent?: BackendReply,
): Promise<Response> {
  const [backend] = request;
  let reply = sent ?? (await fetchBackend(...request));
  if ((reply as Response).status === 401 && typeof backend.headers === 'function')
    reply = await fetchBackend(...request);
  if (!('cause' in reply)) return reply;
  const message = `${toUrl(request)} could not be reached: offline or CORS.`;
  throw new RampError('ERR_NETWORK', message, reply);
}

/**
 * Sends a request as {@link requestBackend} does, and reads the response as {@link readJson} does.
 *
 * @throws RampError `ERR_NETWORK` if the backend could not be reached, and the errors of {@link readJson}.
 */
export async function requestJson<Body>(
  fallbackCode: RampErrorCode,
  request: BackendRequest,
  sent?: BackendReply,
): Promise<Body> {
  return readJson(fallbackCode, request, await requestBackend(request, sent));
}

/**
 * Returns the body of a successful response, without validation.
 *
 * @param fallbackCode - The error code for a response that does not come from a ramp handler.
 * @throws RampError for an error response, or a response that is not JSON. The error carries the response's `status`,
 * and the code and issues that the ramp handler sent. If it sent none, the code is `fallbackCode`.
 */
export async function readJson<Body>(
  fallbackCode: RampErrorCode,
  request: BackendRequest,
  response: Response,
): Promise<Body> {
  const { ok, status, headers } = response;
  const body = await response.json().catch(() => undefined);
  if (ok && body) return body;
  const { code, message, issues } = body?.error ?? {};
  throw new RampError(
    /^ERR_/.test(code) ? code : fallbackCode,
    message || `${toUrl(request)} returned ${status}, not from a ramp handler.`,
    { issues, status, retryAfterSeconds: parseRetryAfter(headers.get('Retry-After'), Date.now()) },
  );
}

/**
 * Returns the pause that a `Retry-After` header asks for, in seconds, at least 0. The header holds seconds or a date.
 *
 * @param now - Milliseconds since 1970.
 */
export function parseRetryAfter(value: string | null, now: number): number {
  if (!value) return 0;
  const seconds = Number(value);
  const pause = Number.isNaN(seconds) ? (Date.parse(value) - now) / 1000 : seconds;
  return Math.max(0, pause) || 0;
}

/**
 * Runs `work` with a signal that aborts after `ms` milliseconds, or when `signal` aborts. After the time-out it rejects
 * immediately, even if `work` ignores the signal.
 *
 * @param subject - The subject of the error message, such as `The backend`.
 * @throws RampError `ERR_TIMEOUT`, or the error that `work` rejects with.
 */
export async function withTimeout<Result>(
  ms: number,
  subject: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new RampError('ERR_TIMEOUT', `${subject} did not respond within ${ms / 1000} s.`));
      abort();
    }, ms);
  });
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Returns `cause` if it is a RampError, and wraps anything else in one. If the environment has no `fetch`, as in Jest
 * with jsdom, the error says so, instead of wrongly blaming the signer or the backend.
 */
export function toRampError(cause: unknown, code: RampErrorCode, message: string): RampError {
  // Compare the name, as isRampError() does: `instanceof` fails if a signer uses another copy of this package.
  const name = cause instanceof Error && cause.name;
  if (name === 'RampError') return cause as RampError;
  return name === 'ReferenceError' && typeof fetch === 'undefined'
    ? new RampError('ERR_CONFIG_INVALID', 'fetch is undefined in this environment.', { cause })
    : new RampError(code, message, { cause });
}

/** Returns the error to report if the widget could not be opened. */
export const toOpeningError = (cause: unknown): RampError =>
  toRampError(cause, 'ERR_WIDGET_LOAD', 'The checkout failed to open; see the cause.');

/** Returns the error to report while the backend cannot be reached and the request is repeated. */
export const toConnectionError = (cause: unknown): RampError =>
  toRampError(cause, 'ERR_NETWORK', 'The connection to the backend was lost.');
