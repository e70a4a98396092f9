import { isRampError } from '../protocol/is-ramp-error.js';
import { abortable } from './abortable.js';
import { PassingFailure } from './PassingFailure.js';
import { readAnswer } from './readAnswer.js';
import { type RequestIdentity, signedHeaders } from './signedHeaders.js';

export interface TrySettings extends RequestIdentity {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** Looks at each answer for how far the clocks are apart. */
  readonly watchClock: (response: Response, now: number) => void;
}

/**
 * One signed GET and its answer, all of it within the time of one try.
 *
 * @throws RampError; a {@link PassingFailure} (`ERR_NETWORK`, `ERR_TIMEOUT`) where another try makes
 * sense; the signal's reason when the caller gave up.
 */
export async function tryOnce(
  url: string,
  settings: TrySettings,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { timeoutMs, now } = settings;
  const what = `GET ${new URL(url).pathname}`;
  const headers = signedHeaders(url, settings);
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const request = async () => {
    // Followed, a redirect would take the signature of one host to another.
    const response = await settings.fetch(url, { headers, redirect: 'manual', signal: either });
    const cameAt = now();
    settings.watchClock(response, cameAt);
    return readAnswer(response, what, cameAt);
  };
  try {
    return await abortable(request(), either);
  } catch (error) {
    if (isRampError(error)) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw new PassingFailure('ERR_TIMEOUT', `${what}: no whole answer in ${timeoutMs} ms.`);
    const why = networkFault(error);
    throw new PassingFailure('ERR_NETWORK', `${what}: the service cannot be reached (${why}).`, {
      cause: error,
    });
  }
}

/** `ECONNREFUSED` and the like: fetch hides it in the cause. */
function networkFault(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name ?? 'unknown');
}
