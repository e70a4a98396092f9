import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { requestJson, toRampError, withTimeout } from '../backend/responses.js';
import { wait } from '../wait.js';

/** The time-out of the first request. It is long, because the backend's policy may take a while. */
const TIMEOUT_MS = 20_000;
/**
 * How long the request is repeated while the backend cannot tell whether the checkout is paid, counted from the first
 * request.
 */
const CHECK_MS = 10_000;
/**
 * The pause before the next request if the page cannot read `Retry-After`. A backend on another origin must expose this
 * header with CORS.
 */
const PAUSE_SECONDS = 2;

/** The backend's reply: a new signature, `paid` if the checkout has an order, `ended` if it cannot continue. */
export type Continuation = SignedCheckout | 'paid' | 'ended';

/**
 * Requests a new signature for a checkout that was opened before: `POST {api}/checkouts/:reference/continue`. While the
 * backend cannot tell whether the checkout is paid, the request is repeated for up to 10 seconds.
 *
 * @param onWait - Called before each pause.
 * @returns The signature; `paid` when the backend has an order for the checkout; `ended` when the checkout has expired,
 * or the backend cannot continue it.
 * @throws RampError for any other failure. The shopper may have paid, so the caller must not open the widget again.
 */
export async function continueCheckout(
  backend: BackendSettings,
  reference: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Continuation> {
  const endsAt = performance.now() + CHECK_MS;
  const getRestMs = () => endsAt - performance.now();
  let reply = await requestContinuation(backend, reference, signal, TIMEOUT_MS);
  while (reply instanceof Unchecked) {
    const { error, pauseMs }: Unchecked = reply;
    if (getRestMs() <= pauseMs) throw error;
    onWait();
    await wait(pauseMs, signal).catch(() => {
      throw error;
    });
    reply = await requestContinuation(backend, reference, signal, getRestMs()).catch((cause) => {
      // If CHECK_MS ran out during this request, report the earlier error. This request timed out only because it
      // started late, so the backend may well be reachable.
      throw getRestMs() > 0 ? cause : error;
    });
  }
  return reply;
}

/** A failure after which the request is repeated, for example because the backend could not read the order list. */
class Unchecked {
  constructor(
    readonly error: RampError,
    readonly pauseMs: number,
  ) {}
}

async function requestContinuation(
  backend: BackendSettings,
  reference: string,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Continuation | Unchecked> {
  const path = `/checkouts/${encodeURIComponent(reference)}/continue`;
  try {
    return await withTimeout(timeoutMs, 'The backend', signal, async (signal) => {
      const init = { method: 'POST', signal };
      const signed = await requestJson<SignedCheckout>('ERR_SIGNER', [backend, path, init]);
      if (signed.reference === reference && signed.params?.signature) return signed;
      throw new RampError('ERR_SIGNER', 'The backend returned no signature of this checkout.');
    });
  } catch (cause) {
    // Convert the error before reading it, because an error that `headers` throws may have an unrelated `status`.
    const error = toRampError(cause, 'ERR_SIGNER', 'headers() failed; see the cause.');
    const { code, status, retryAfterSeconds: seconds } = error;
    if (status === 409 && code === 'ERR_ORDER_EXISTS') return 'paid';
    if (status === 404 || status === 405 || status === 410) return 'ended';
    // Repeat the request if the backend sent `Retry-After`, or if it could not read the order list (ERR_API_RESPONSE).
    if ((status === 503 || status === 429) && (seconds || code === 'ERR_API_RESPONSE'))
      return new Unchecked(error, (seconds || PAUSE_SECONDS) * 1000);
    throw error;
  }
}
