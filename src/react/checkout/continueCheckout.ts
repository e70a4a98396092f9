import { RampError } from '../../protocol/errors/RampError.js';
import type { BackendConnection } from '../backend/BackendConnection.js';
import type { SignedCheckout } from '../backend/CheckoutSigner.js';

/** The backend first syncs its order list, for 3 seconds at most. */
const TIMEOUT_MS = 20_000;

/**
 * Requests a new signature for a checkout that is open: `POST {api}/checkouts/:reference/continue`.
 *
 * @returns The signature; `paid` when the backend has an order of the checkout; `ended` when the
 * checkout has expired, or the backend cannot continue it.
 * @throws RampError for any other failure. Nothing may be opened then.
 */
export async function continueCheckout(
  backend: BackendConnection,
  reference: string,
  signal: AbortSignal,
): Promise<SignedCheckout | 'paid' | 'ended'> {
  const path = `/checkouts/${encodeURIComponent(reference)}/continue`;
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  // Removed by abort() itself.
  signal.addEventListener('abort', abort, { signal: limit.signal });
  const init = { method: 'POST', signal: limit.signal };
  let status = 0;
  const fetchResponse = async (url: string, request: RequestInit) => {
    const response = await fetch(url, request);
    status = response.status;
    return response;
  };
  try {
    const response = await backend.request(
      { ...backend, fetch: fetchResponse },
      path,
      init,
      'ERR_SIGNER',
    );
    const signed = response as SignedCheckout;
    if (signed.reference === reference && signed.params?.signature) return signed;
    throw new RampError('ERR_SIGNER', 'The backend returned no signature of this checkout.');
  } catch (error) {
    if (status === 409 && (error as RampError).code === 'ERR_ORDER_EXISTS') return 'paid';
    if (status === 404 || status === 405 || status === 410) return 'ended';
    throw error;
  } finally {
    clearTimeout(timer);
    abort();
  }
}
