import type { Request, RequestHandler } from 'express';

/** Returns whether browsers reach every page of the shop over TLS, which a proxy may terminate. */
export const isHttpsOnly = (shopOrigins: readonly string[]): boolean =>
  shopOrigins.every((origin) => origin.startsWith('https:'));

/**
 * Returns the name of the session cookie. With the prefix `__Host-`, browsers accept a cookie only from this host, with
 * `Secure` and for every path, so no sibling host can set it. Without TLS, as in development, browsers reject the prefix.
 */
export const getCookieName = (shopOrigins: readonly string[]): string =>
  isHttpsOnly(shopOrigins) ? '__Host-shop' : 'shop';

/** Removes each of the named cookies that a request has more than once. Mount it before any code that reads cookies. */
export function dropAmbiguousCookies(...names: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    const ambiguous = names.filter(
      (name) => parseCookiePairs(req).filter((pair) => pair.startsWith(`${name}=`)).length > 1,
    );
    if (ambiguous.length > 0)
      req.headers.cookie = parseCookiePairs(req)
        .filter((pair) => !ambiguous.some((name) => pair.startsWith(`${name}=`)))
        .join('; ');
    next();
  };
}

/**
 * Sets `req.protocol` and `req.secure` to those of the browser's connection. If every origin of the shop is https, a
 * proxy terminates TLS. Not every proxy sends X-Forwarded-Proto, and without it Express would not set `Secure`
 * cookies.
 */
export function setBrowserProtocol(shopOrigins: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    if (isHttpsOnly(shopOrigins)) Object.defineProperty(req, 'protocol', { value: 'https' });
    next();
  };
}

const parseCookiePairs = (req: Request): string[] =>
  (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
