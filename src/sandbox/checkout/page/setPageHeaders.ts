import type { MiddlewareHandler } from 'hono';

/** Forbids inline scripts and other origins. Any page may embed the widget, because any shop may. */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** Sets the headers of every response. A route may set another `Cache-Control`. */
export const setPageHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('Content-Security-Policy', POLICY);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
};
