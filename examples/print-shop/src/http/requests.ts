import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { sendError } from './errors.js';

/**
 * Returns the path that the ramp handler will use for routing, without the mount path. The ramp handler parses the
 * URL, which resolves `..`, `%2e%2e` and `\`. Express does not resolve them in `req.path`.
 */
export function getRoutedPath(req: Request): string {
  try {
    return new URL(req.url.startsWith('/') ? `http://localhost${req.url}` : req.url).pathname;
  } catch {
    return req.path;
  }
}

/** The format of the references that the ramp handler accepts. */
export const reference = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);

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
