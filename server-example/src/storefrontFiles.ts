import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { sendError } from './http/errors.js';
import type { ShopSessions } from './session/createShopSessions.js';

/**
 * Serves the built storefront. Files under /assets may be cached for a year, because their names contain a hash of
 * their content.
 */
export function storefrontFiles(
  folder: string,
  sessions: Pick<ShopSessions, 'signInFirstVisit'>,
): Router {
  const router = Router();
  router.use(
    '/assets',
    express.static(join(folder, 'assets'), { index: false, immutable: true, maxAge: '1y' }),
  );
  const sendPage =
    (file: string): RequestHandler =>
    (_req, res, next) => {
      // Do not cache the page: its response may set a cookie, and its HTML refers to the files of the latest build.
      res.setHeader('Cache-Control', 'no-store');
      res.sendFile(file, { root: folder, cacheControl: false }, (error) => {
        if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
          sendError(
            res,
            503,
            'The storefront is not built yet. Run npm run build -w server-example.',
          );
        // Ignore an error after the headers were sent: it means that the visitor left.
        else if (error && !res.headersSent) next(error);
      });
    };
  const signInFirstVisit: RequestHandler = (req, _res, next) => {
    sessions.signInFirstVisit(req);
    next();
  };
  router.get(['/', '/index.html'], signInFirstVisit, sendPage('index.html'));
  router.get(['/orders', '/orders.html'], signInFirstVisit, sendPage('orders.html'));
  router.get(['/operator', '/operator.html'], sendPage('operator.html'));
  router.use(express.static(folder, { index: false, maxAge: '1h' }));
  return router;
}
