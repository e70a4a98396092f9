import { RampError, type RampErrorCode } from '../protocol/ramp-error.js';
import type { CheckoutSigner } from './checkout-types.js';

export interface HttpSignerOptions {
  /** Base path or URL of the backend's ramp handler. @default '/api/ramp' */
  readonly url?: string | undefined;
  /** `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /** Such as a CSRF token. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
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
  const { credentials } = options;
  const url = `${(options.url ?? '/api/ramp').replace(/\/+$/, '')}/checkouts`;
  return async (proposal, { signal }) => {
    const headers = new Headers(options.headers);
    headers.set('Content-Type', 'application/json');
    let response: Response;
    try {
      response = await (options.fetch || fetch)(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(proposal),
        signal,
        ...(credentials && { credentials }),
      });
    } catch (cause) {
      throw new RampError('ERR_NETWORK', `${url} could not be reached: offline, or CORS.`, {
        cause,
      });
    }
    const body = await response.json().catch(() => 0);
    if (response.ok && body) return body;
    const { code, message, issues } = body?.error || {};
    throw new RampError(
      /^ERR_/.test(code) ? (code as RampErrorCode) : 'ERR_SIGNER',
      message || `${url} answered ${response.status}, not as a ramp handler does.`,
      { issues },
    );
  };
}
