import type { RequestHeaders } from './BackendSettings.js';
import type { CheckoutSigner, SignedCheckout } from './CheckoutSigner.js';
import { requestBackend } from './requestBackend.js';

/** The options of {@link createHttpSigner}. */
export interface HttpSignerOptions {
  /** Base path or URL of the backend's ramp handler. @default '/api/ramp' */
  readonly url?: string | undefined;
  /** `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /** Headers such as a CSRF token, or a function that returns them for each request. @default none */
  readonly headers?: RequestHeaders | undefined;
  /** The function that sends the requests. @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Creates a signer that sends proposals to the ramp handler of the partner's backend: `POST {url}/checkouts`.
 *
 * It rejects with `ERR_NETWORK` when the backend cannot be reached, with the backend's own error (its code
 * and issues), and with `ERR_SIGNER` for any other response.
 *
 * @example
 * const signer = createHttpSigner({ url: 'https://api.shop.example/ramp', credentials: 'include' });
 */
export function createHttpSigner(options: HttpSignerOptions = {}): CheckoutSigner {
  const settings = { ...options, api: options.url ?? '/api/ramp' };
  return (proposal, init) =>
    requestBackend(
      settings,
      '/checkouts',
      { method: 'POST', body: JSON.stringify(proposal), signal: init.signal },
      'ERR_SIGNER',
    ) as Promise<SignedCheckout>;
}
