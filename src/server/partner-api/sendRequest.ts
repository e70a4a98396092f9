import { isRampError } from '../../protocol/errors/RampError.js';
import { withTimeLimit } from '../internal/withTimeLimit.js';
import { parseResponse } from './parseResponse.js';
import { type RequestIdentity, signHeaders } from './signHeaders.js';
import { TransientError } from './TransientError.js';

/** The options of `sendRequest`. */
export interface RequestOptions extends RequestIdentity {
  readonly timeoutMs: number;
  /** Is called with each response, to compare the clocks. */
  readonly watchClock: (response: Response, now: number) => void;
}

/**
 * Sends one signed GET request and returns the `data` of its response within `timeoutMs`.
 *
 * @throws RampError, as a {@link TransientError} (`ERR_NETWORK`, `ERR_TIMEOUT`) if a retry may succeed; the
 * reason of `signal` when it is aborted.
 */
export async function sendRequest(
  url: string,
  settings: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { timeoutMs: limitMs, runtime } = settings;
  const what = `GET ${new URL(url).pathname}`;
  const headers = signHeaders(url, settings);
  const onTimeout = () => {
    throw new TransientError('ERR_TIMEOUT', `${what}: no complete response within ${limitMs} ms.`);
  };
  return withTimeLimit<unknown>({ runtime, limitMs, onTimeout, signal }, async (either) => {
    try {
      // Following a redirect would send the signature to another host.
      const response = await runtime.fetch(url, { headers, redirect: 'manual', signal: either });
      const receivedAt = runtime.now();
      settings.watchClock(response, receivedAt);
      return await parseResponse(response, what, receivedAt);
    } catch (error) {
      if (isRampError(error)) throw error;
      const message = `${what}: the service cannot be reached (${findErrorCode(error)}).`;
      throw new TransientError('ERR_NETWORK', message, { cause: error });
    }
  });
}

/** Returns the code of a network error, such as `ECONNREFUSED`, which fetch hides in the cause. */
function findErrorCode(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name ?? 'unknown');
}
