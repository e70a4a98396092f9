import type { Request, RequestHandler } from 'express';

/** Returns whether browsers reach every page of the shop over TLS, wherever TLS ends. */
export const isHttpsOnly = (shopOrigins: readonly string[]): boolean =>
  shopOrigins.every((origin) => origin.startsWith('https:'));

/**
 * Names the cookies. Browsers accept `__Host-` only from this host, with `Secure` and for every path, so
 * no page on a sibling name can set the session. `__Secure-` lets the operator's cookie keep its path.
 * Without TLS, as in development, browsers reject both prefixes.
 */
export const getCookieNames = (shopOrigins: readonly string[]) =>
  isHttpsOnly(shopOrigins)
    ? ({ session: '__Host-shop', operator: '__Secure-operator' } as const)
    : ({ session: 'shop', operator: 'operator' } as const);

/**
 * Returns the value of a cookie, or nothing if a request has several of that name: a page on a sibling
 * name can set one too, and the order of the two does not reveal which (RFC 6265, 5.4).
 */
export function getUniqueCookie(req: Request, name: string): string | undefined {
  const values = parseCookiePairs(req).filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

/** Removes cookies that a request has more than once from it, before anything reads them. */
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
 * Makes `req.protocol` and `req.secure` those of the browser's connection. Where every origin is https,
 * TLS ends in front of this server, and not every proxy says so: cookies are `Secure` all the same.
 */
export function setBrowserProtocol(shopOrigins: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    if (isHttpsOnly(shopOrigins)) Object.defineProperty(req, 'protocol', { value: 'https' });
    next();
  };
}

const parseCookiePairs = (req: Request): string[] =>
  (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
