import type { MiddlewareHandler } from 'hono';

/** No inline script and nothing from elsewhere; any page may frame it, as any shop may. */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** What every answer of the sandbox carries; a route may set its own Cache-Control. */
export const setPageHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('Content-Security-Policy', POLICY);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
};
