import type { RequestHandler } from 'express';

/** Forbids caching, because the responses are personal and change. */
export const setNoStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
