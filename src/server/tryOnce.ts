import { isRampError } from '../protocol/is-ramp-error.js';
import { abortable } from './abortable.js';
import { PassingFailure } from './PassingFailure.js';
import { readAnswer } from './readAnswer.js';
import { type RequestIdentity, signedHeaders } from './signedHeaders.js';

export interface TrySettings extends RequestIdentity {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
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
  const { timeoutMs } = settings;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const what = `GET ${new URL(url).pathname}`;
  try {
    return await abortable(request(url, settings, either, what), either);
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

async function request(url: string, settings: TrySettings, signal: AbortSignal, what: string) {
  const response = await settings.fetch(url, {
    headers: signedHeaders(url, settings),
    // Followed, the signature of one host would be sent to another.
    redirect: 'manual',
    signal,
  });
  return readAnswer(response, what, settings.now());
}

/** `ECONNREFUSED` and the like: fetch hides it in the cause. */
function networkFault(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: unknown }; name?: string };
  return typeof cause?.code === 'string' ? cause.code : (name ?? 'unknown');
}
