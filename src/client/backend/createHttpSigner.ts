import type { CheckoutSelection } from '../../protocol/handler/selection.js';
import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { type BackendSettings, fetchBackend, type RequestHeaders } from './fetchBackend.js';

/** What a page sends to its backend: the parameters to sign, and what the shopper has selected. */
export interface CheckoutProposal {
  /** Which widget the checkout opens: `on-ramp` or `nft`. */
  readonly widget: Widget;
  /** The proposed parameters by name. Their values are text. */
  readonly params: ProposedParams;
  /**
   * What the shopper has selected: the unsigned parameters that decide what is bought. The backend must not trust them,
   * and `amount` is only a hint. Absent if the page sets none of them.
   */
  readonly selection?: SelectedParams | undefined;
}

type SelectedParams = { readonly [Name in keyof CheckoutSelection]?: string };

/**
 * The backend's response to a proposal: the signed parameters and their signature. Each signature is meant for only one
 * opening of the widget.
 */
export interface SignedCheckout {
  /** The checkout's reference at the backend. Without it, the page cannot request the state of the checkout. */
  readonly reference?: string | undefined;
  /** The signed parameters and their `signature`, which is base64. The values are not URL-encoded. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * How long the page may use the signature after receiving it, in seconds. Values above the component's
   * `maxAgeSeconds` have no effect.
   *
   * @default `maxAgeSeconds` of the component
   */
  readonly expiresInSeconds?: number | undefined;
  /**
   * Whether `GET {url}/checkouts` lists the checkouts that a shopper has opened. If so, the page tells the backend that
   * this checkout was opened. @default false
   */
  readonly isListed?: boolean | undefined;
  /**
   * The selection that a continued checkout was first opened with. The page opens the widget with this selection,
   * unless the tab still has its own copy.
   */
  readonly selection?: SelectedParams | undefined;
}

/**
 * A function that fetches a signature from the partner's backend. {@link createHttpSigner} creates one, but a page can
 * pass its own. A `RampError` that the function throws is passed to `onError` unchanged; any other error is wrapped as
 * `ERR_SIGNER`.
 */
export type CheckoutSigner = (
  proposal: CheckoutProposal,
  options: { readonly signal: AbortSignal },
) => Promise<SignedCheckout>;

/** Options of {@link createHttpSigner}. By default, it sends requests to `/api/ramp` on the page's own origin. */
export interface HttpSignerOptions {
  /** Base path or URL of the backend's ramp handler. @default '/api/ramp' */
  readonly url?: string | undefined;
  /** Whether requests carry cookies. Use `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /** Headers, such as a CSRF token, or a function that returns the headers for each request. @default none */
  readonly headers?: RequestHeaders | undefined;
  /** The function that sends the requests. @default the global fetch */
  readonly fetch?: BackendSettings['fetch'];
}

/**
 * Creates a signer that sends proposals to the ramp handler of the partner's backend: `POST {url}/checkouts`.
 *
 * The signer rejects with `ERR_NETWORK` if the backend cannot be reached. If the ramp handler responds with an error,
 * the signer rejects with the handler's code and issues. It rejects with `ERR_SIGNER` if something else responds, such
 * as a gateway with an error page.
 *
 * @example
 * const signer = createHttpSigner({ url: 'https://api.shop.example/ramp', credentials: 'include' });
 */
export function createHttpSigner(options: HttpSignerOptions = {}): CheckoutSigner {
  const backend = { ...options, api: options.url ?? '/api/ramp' };
  return async (proposal, { signal }) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(proposal),
      signal,
    };
    const request = [backend, '/checkouts', init] as const;
    const reply = await fetchBackend(...request);
    // Import `responses.js` lazily. The checkout's lazy code imports it too, and has started loading by the time of the
    // click.
    const { requestJson } = await import('./responses.js');
    return requestJson('ERR_SIGNER', request, reply);
  };
}
