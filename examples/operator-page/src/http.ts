import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';

/** Sends an error in the format of the ramp handler. */
export function sendError(res: Response, status: number, message: string): void {
  const code = status < 500 ? 'ERR_REQUEST' : 'ERR_INTERNAL';
  res.status(status).json({ error: { code, message } });
}

/** The format of the references that the ramp handler accepts. */
export const reference = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);

/**
 * The format of the service's order IDs. They must have no control characters and no lone surrogates, because
 * PostgreSQL cannot store NUL, and UTF-8 cannot encode lone surrogates.
 */
export const orderId = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u);

/** Creates middleware that rejects every request other than GET and HEAD unless its `Origin` is one of `origins`. */
export function requireOrigin(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const isReading = req.method === 'GET' || req.method === 'HEAD';
    if (isReading || origins.includes(req.get('origin') ?? '')) next();
    else sendError(res, 403, 'Requests from this origin are not allowed.');
  };
}

/** Forbids caching, because the responses are personal and change. */
export const setNoStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * Returns the value of a cookie, or `undefined` if a request has none or several with that name. Of several cookies,
 * one may be from a sibling host, and their order does not reveal which one (RFC 6265, 5.4).
 */
export function getUniqueCookie(req: Request, name: string): string | undefined {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}
