import { isRampError } from '../../protocol/errors/isRampError.js';
import { parseResponse } from './parseResponse.js';
import { type RequestIdentity, signHeaders } from './signHeaders.js';
import { TransientError } from './TransientError.js';
import { withAbortSignal } from './withAbortSignal.js';

export interface RequestOptions extends RequestIdentity {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** Looks at each answer for how far the clocks are apart. */
  readonly watchClock: (response: Response, now: number) => void;
}

/**
 * One signed GET and its answer, all of it within the time of one try.
 *
 * @throws RampError; a {@link TransientError} (`ERR_NETWORK`, `ERR_TIMEOUT`) where another try makes
 * sense; the signal's reason when the caller gave up.
 */
export async function sendRequest(
  url: string,
  settings: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { timeoutMs, now } = settings;
  const what = `GET ${new URL(url).pathname}`;
  const headers = signHeaders(url, settings);
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const request = async () => {
    // Followed, a redirect would take the signature of one host to another.
    const response = await settings.fetch(url, { headers, redirect: 'manual', signal: either });
    const cameAt = now();
    settings.watchClock(response, cameAt);
    return parseResponse(response, what, cameAt);
  };
  try {
    return await withAbortSignal(request(), either);
  } catch (error) {
    if (isRampError(error)) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw new TransientError('ERR_TIMEOUT', `${what}: no whole answer in ${timeoutMs} ms.`);
    const why = findErrorCode(error);
    throw new TransientError('ERR_NETWORK', `${what}: the service cannot be reached (${why}).`, {
      cause: error,
    });
  }
}

/** `ECONNREFUSED` and the like: fetch hides it in the cause. */
function findErrorCode(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name ?? 'unknown');
}
