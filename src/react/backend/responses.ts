// Loaded with the first request. It must not import modules of the first load: esbuild would split those.
import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';
import type { BackendReply } from './fetchBackend.js';

/**
 * Returns the response, whatever its status.
 *
 * @throws RampError `ERR_NETWORK` when the backend could not be reached.
 */
export function getResponse({ url, response, cause }: BackendReply): Response {
  if (response) return response;
  throw new RampError('ERR_NETWORK', `${url} could not be reached: offline or CORS.`, { cause });
}

/**
 * Returns the body of a successful response, without validation.
 *
 * @param fallbackCode - The code of the error when the response is not a ramp handler's.
 * @throws RampError `ERR_NETWORK` when the backend could not be reached; otherwise with the `status` of the response: the
 * backend's own error with its issues, or `fallbackCode`.
 */
export async function readReply<Body>(
  reply: BackendReply,
  fallbackCode: RampErrorCode,
): Promise<Body> {
  const response = getResponse(reply);
  const { ok, status, headers } = response;
  const body = await response.json().catch(() => undefined);
  if (ok && body) return body;
  const { code, message, issues } = body?.error ?? {};
  throw new RampError(
    /^ERR_/.test(code) ? code : fallbackCode,
    message || `${reply.url} returned ${status}, not from a ramp handler.`,
    // NaN for a date, which is not worth its parser.
    { issues, status, retryAfterSeconds: Number(headers.get('Retry-After')) },
  );
}

/**
 * Runs `work` with a signal that aborts when the time is up, or with `signal`. It does not wait for work that ignores its
 * signal.
 *
 * @param subject - What did not respond in time, for the message.
 * @throws RampError `ERR_TIMEOUT`, or the error of `work`.
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
 * Returns the cause if it is a RampError, and wraps anything else in one. A missing `fetch`, as in Jest with jsdom, is
 * named: otherwise the signer or the backend would be blamed.
 */
export function toRampError(cause: unknown, code: RampErrorCode, message: string): RampError {
  // By its name, as isRampError() does: a signer may use another copy of this package.
  const name = cause instanceof Error && cause.name;
  if (name === 'RampError') return cause as RampError;
  return name === 'ReferenceError' && typeof fetch === 'undefined'
    ? new RampError('ERR_CONFIG_INVALID', 'fetch is undefined in this environment.', { cause })
    : new RampError(code, message, { cause });
}
