import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { sendError } from './errors.js';

/**
 * Returns the path under the mount point as the ramp handler routes it: `..`, `%2e%2e` and `\` are
 * resolved, as in every URL. Express does not resolve them.
 */
export function getRoutedPath(req: Request): string {
  try {
    return new URL(req.url.startsWith('/') ? `http://localhost${req.url}` : req.url).pathname;
  } catch {
    return req.path;
  }
}

/** The format of the references that the ramp handler creates. */
export const reference = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);

/**
 * The format of the service's order IDs, without control characters and lone surrogates, because
 * PostgreSQL rejects text with NUL.
 */
export const orderId = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u);

/** Rejects requests that change something unless the `Origin` is one of the shop's pages. */
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
