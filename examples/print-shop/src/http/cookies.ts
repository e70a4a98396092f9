import type { Request, RequestHandler } from 'express';

/** Returns whether browsers reach every page of the shop over TLS, which a proxy may terminate. */
export const isHttpsOnly = (shopOrigins: readonly string[]): boolean =>
  shopOrigins.every((origin) => origin.startsWith('https:'));

/**
 * Returns the names of the cookies. With the prefix `__Host-`, browsers accept a cookie only from this host, with
 * `Secure` and for every path, so no sibling host can set the session cookie. The operator's cookie is limited to a
 * path, so it has the prefix `__Secure-`. Without TLS, as in development, browsers reject both prefixes.
 */
export const getCookieNames = (shopOrigins: readonly string[]) =>
  isHttpsOnly(shopOrigins)
    ? ({ session: '__Host-shop', operator: '__Secure-operator' } as const)
    : ({ session: 'shop', operator: 'operator' } as const);

/**
 * Returns the value of a cookie, or `undefined` if a request has none or several with that name. Of several cookies,
 * one may be from a sibling host, and their order does not reveal which one (RFC 6265, 5.4).
 */
export function getUniqueCookie(req: Request, name: string): string | undefined {
  const values = parseCookiePairs(req).filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

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
