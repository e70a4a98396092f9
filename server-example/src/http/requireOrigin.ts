import type { RequestHandler } from 'express';
import { sendError } from './errors.js';

/** What changes something comes from the shop's own pages: a foreign one's Origin gives it away. */
export function requireOrigin(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const isReading = req.method === 'GET' || req.method === 'HEAD';
    if (isReading || origins.includes(req.get('origin') ?? '')) next();
    else sendError(res, 403, 'This origin may change nothing here.');
  };
}

/** Answers that are for one person and for now. */
export const setNoStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
