import { RampError } from '../../protocol/errors/RampError.js';

/** Longer than a backend needs that tries three times itself. */
const TIMEOUT_MS = 15_000;

/** Work that is aborted with `signal`, and when it takes too long. @throws RampError `ERR_TIMEOUT`, and `ERR_NETWORK` for what is not a RampError. */
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
      throw new RampError('ERR_TIMEOUT', `The backend did not answer in ${TIMEOUT_MS / 1000} s.`);
    if (error instanceof RampError) throw error;
    throw new RampError('ERR_NETWORK', 'headers() failed; see the cause.', { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
