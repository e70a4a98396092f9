import { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutOptions, SignedCheckout } from './CheckoutOptions.js';
import type { CheckoutSession } from './CheckoutSession.js';

/** The backend syncs its order list first, for 3 seconds at most. */
const TIMEOUT_MS = 20_000;

type Settings = Pick<CheckoutOptions, 'api' | 'credentials' | 'headers'>;

/**
 * Requests a new signature for a checkout that is open: `POST {api}/checkouts/:reference/continue`.
 *
 * @returns The signature; `paid` when the backend knows an order of the checkout; `ended` when the
 * checkout has expired, or the backend cannot continue it.
 * @throws RampError whatever else went wrong. Nothing may be opened then.
 */
export async function continueCheckout(
  { requestBackend, buildBackendUrl }: CheckoutSession['backend'],
  { api = '', credentials, headers }: Settings,
  reference: string,
  signal: AbortSignal,
): Promise<SignedCheckout | 'paid' | 'ended'> {
  const url = buildBackendUrl(api, `/checkouts/${encodeURIComponent(reference)}/continue`);
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  signal.addEventListener('abort', abort);
  const init = { method: 'POST', headers, credentials, signal: limit.signal };
  let status = 0;
  const request: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    status = response.status;
    return response;
  };
  try {
    const signed = (await requestBackend(url, init, 'ERR_SIGNER', request)) as SignedCheckout;
    if (signed.reference === reference && signed.params?.signature) return signed;
    throw new RampError('ERR_SIGNER', `${url} responded without the signature of this checkout.`);
  } catch (error) {
    if (status === 409 && (error as RampError).code === 'ERR_ORDER_EXISTS') return 'paid';
    if (status === 404 || status === 405 || status === 410) return 'ended';
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
