import type { RampError } from './RampError.js';

/** Returns whether the error may go away once the browser is online again. */
export const isConnectionError = ({ code }: RampError): boolean =>
  code === 'ERR_NETWORK' || code === 'ERR_TIMEOUT';

/**
 * Returns whether a retry would fail again, because the request itself was refused. Only another selection or a fix in
 * the shop helps. The handler's 429 and 503 are temporary, so they are not final.
 */
export const isFinalError = ({ code, status }: RampError): boolean => {
  switch (code) {
    case 'ERR_SIGNED_OUT':
    case 'ERR_POLICY_REFUSED':
    case 'ERR_PARAMS_INVALID':
    case 'ERR_CONFIG_INVALID':
    case 'ERR_METHOD_NOT_ALLOWED':
    case 'ERR_CONTENT_TYPE':
    case 'ERR_BODY_TOO_LARGE':
    case 'ERR_ORIGIN_REFUSED':
    case 'ERR_NOT_FOUND':
    case 'ERR_CHECKOUT_NOT_FOUND':
      return true;
    // A backend that you write yourself may send this code with 429 and 503 too.
    case 'ERR_REQUEST':
      return status !== 429 && status !== 503;
    default:
      return false;
  }
};
