import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../../../internal/RequestError.js';

/**
 * Creates a middleware against CSRF: it refuses requests without an `Origin` from the allow-list, because
 * browsers send the shop's cookies with requests of any page. The second control against CSRF is
 * `readJson`: forms cannot send that content type.
 */
export function requireAllowedOrigin(origins: ReadonlySet<string | undefined>): MiddlewareHandler {
  return async (c, next) => {
    if (!origins.has(c.req.header('origin')))
      throw new RequestError(
        403,
        'This origin is not allowed to open checkouts. If the page is yours, add its origin to allowedOrigins of createRampHandler, with its scheme and port; localhost and 127.0.0.1 are two origins.',
      );
    await next();
  };
}
