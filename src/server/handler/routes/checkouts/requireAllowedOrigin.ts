import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../../../internal/RequestError.js';

/**
 * Creates a middleware against CSRF: it refuses requests without an `Origin` from the allow-list, because the
 * browser of a shopper would send the shop's cookies with a request of any page. The second control against CSRF
 * is `readJson`: no form can send that content type.
 */
export function requireAllowedOrigin(origins: ReadonlySet<string | undefined>): MiddlewareHandler {
  return async (c, next) => {
    if (!origins.has(c.req.header('origin')))
      throw new RequestError(
        403,
        'This origin may not ask for checkouts. If the page is yours, add it to allowedOrigins of the ramp handler, with its scheme and port; localhost and 127.0.0.1 are two origins.',
      );
    await next();
  };
}
