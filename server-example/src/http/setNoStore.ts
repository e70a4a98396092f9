import type { RequestHandler } from 'express';

/** Forbids caching: the responses are for one person, and change. */
export const setNoStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
