import type { RequestHandler } from 'express';
import { sendError } from './errors.js';

/** Rejects requests that change something unless the `Origin` is one of the shop's pages. */
export function requireOrigin(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const isReading = req.method === 'GET' || req.method === 'HEAD';
    if (isReading || origins.includes(req.get('origin') ?? '')) next();
    else sendError(res, 403, 'Requests from this origin are not allowed.');
  };
}
