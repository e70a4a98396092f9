import { RampError } from '../../protocol/errors/RampError.js';

/** Longer than the three attempts of a backend. */
const TIMEOUT_MS = 15_000;

/**
 * Runs `work`, and aborts it with `signal` or after 15 seconds.
 *
 * @throws RampError `ERR_TIMEOUT`; `ERR_CONFIG_INVALID` without `fetch`; `ERR_NETWORK` in place of any other error that
 * is not a RampError.
 */
export async function withTimeout<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, TIMEOUT_MS);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (isLate)
      throw new RampError('ERR_TIMEOUT', `The backend did not respond in ${TIMEOUT_MS / 1000} s.`);
    if (error instanceof RampError) throw error;
    if (typeof fetch === 'undefined')
      throw new RampError('ERR_CONFIG_INVALID', 'fetch is undefined in this environment.');
    throw new RampError('ERR_NETWORK', 'headers() failed; see the cause.', { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
