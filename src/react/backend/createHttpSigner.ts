import type {
  CheckoutSigner,
  RequestHeaders,
  SignedCheckout,
} from '../checkout/CheckoutOptions.js';
import { buildBackendUrl, requestBackend } from './requestBackend.js';

export interface HttpSignerOptions {
  /** Base path or URL of the backend's ramp handler. @default '/api/ramp' */
  readonly url?: string | undefined;
  /** `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /** Headers such as a CSRF token, or a function that returns them for each request. */
  readonly headers?: RequestHeaders | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Makes the signer that asks the ramp handler of the partner's backend: `POST {url}/checkouts`.
 *
 * It throws `ERR_NETWORK` when the backend cannot be reached, the backend's own error with its
 * code and issues, and `ERR_SIGNER` for any other answer.
 *
 * @example
 * const signer = createHttpSigner({ url: 'https://api.shop.example/ramp', credentials: 'include' });
 */
export function createHttpSigner(options: HttpSignerOptions = {}): CheckoutSigner {
  const url = buildBackendUrl(options.url ?? '/api/ramp', '/checkouts');
  return async (proposal, { signal }) => {
    const init = {
      method: 'POST',
      headers: options.headers,
      credentials: options.credentials,
      body: JSON.stringify(proposal),
      signal,
    };
    return requestBackend(url, init, 'ERR_SIGNER', options.fetch) as Promise<SignedCheckout>;
  };
}
