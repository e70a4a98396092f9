import { isRampError } from '../../protocol/errors/isRampError.js';
import { withTimeLimit } from '../internal/withTimeLimit.js';
import { parseResponse } from './parseResponse.js';
import { type RequestIdentity, signHeaders } from './signHeaders.js';
import { TransientError } from './TransientError.js';

export interface RequestOptions extends RequestIdentity {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** Is called with each response, to compare the clocks. */
  readonly watchClock: (response: Response, now: number) => void;
}

/**
 * Sends one signed GET and returns the `data` of its response, within the time of one try.
 *
 * @throws RampError; a {@link TransientError} (`ERR_NETWORK`, `ERR_TIMEOUT`) when another try may succeed;
 * the reason of `signal` once it is aborted.
 */
export async function sendRequest(
  url: string,
  settings: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { timeoutMs: limitMs, now } = settings;
  const what = `GET ${new URL(url).pathname}`;
  const headers = signHeaders(url, settings);
  const onTimeout = () => {
    throw new TransientError('ERR_TIMEOUT', `${what}: no whole answer in ${limitMs} ms.`);
  };
  return withTimeLimit<unknown>({ limitMs, onTimeout, signal }, async (either) => {
    try {
      // Following a redirect would send the signature to another host.
      const response = await settings.fetch(url, { headers, redirect: 'manual', signal: either });
      const receivedAt = now();
      settings.watchClock(response, receivedAt);
      return await parseResponse(response, what, receivedAt);
    } catch (error) {
      if (isRampError(error)) throw error;
      const message = `${what}: the service cannot be reached (${findErrorCode(error)}).`;
      throw new TransientError('ERR_NETWORK', message, { cause: error });
    }
  });
}

/** `ECONNREFUSED` and the like: fetch hides it in the cause. */
function findErrorCode(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name ?? 'unknown');
}
