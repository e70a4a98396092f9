import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { fetchBackend, type RequestHeaders } from './fetchBackend.js';

/** The signed parameters that a page proposes to the backend, as text. */
export interface CheckoutProposal {
  /** The widget that the checkout opens. */
  readonly widget: Widget;
  /** The proposed parameters by name. */
  readonly params: ProposedParams;
}

/** The backend's response: every signed parameter with its signature. Valid for one opening. */
export interface SignedCheckout {
  /** The checkout's reference at the backend. */
  readonly reference?: string | undefined;
  /** The parameters as plain values; `signature` is plain base64. */
  readonly params: Readonly<Record<string, string>>;
  /** How long the signature may be used after receipt, in seconds. @default `maxAgeSeconds` of the component */
  readonly expiresInSeconds?: number | undefined;
}

/**
 * Fetches a signature from the partner's backend. {@link createHttpSigner} creates one; any function
 * of this type can replace it. An error that it throws reaches `onError`, wrapped as `ERR_SIGNER`
 * unless it is a `RampError`.
 */
export type CheckoutSigner = (
  proposal: CheckoutProposal,
  options: { readonly signal: AbortSignal },
) => Promise<SignedCheckout>;

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
  return async (proposal, { signal }) => {
    const [reply, { readReply }] = await Promise.all([
      fetchBackend(settings, '/checkouts', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(proposal),
        signal,
      }),
      // Loads while the backend signs.
      import('./responses.js'),
    ]);
    return readReply(reply, 'ERR_SIGNER');
  };
}
