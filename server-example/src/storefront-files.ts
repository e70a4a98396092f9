import { join } from 'node:path';
import express, { Router } from 'express';
import { refuse } from './errors.js';
import { signInFirstVisit } from './session.js';

/** The built storefront. Files under /assets have their content's hash in their name. */
export function storefrontFiles(folder: string): Router {
  const router = Router();
  router.use(
    '/assets',
    express.static(join(folder, 'assets'), { index: false, immutable: true, maxAge: '1y' }),
  );
  router.get(['/', '/index.html'], (req, res, next) => {
    signInFirstVisit(req);
    // It may set a cookie, and it names the files of the latest build.
    res.setHeader('Cache-Control', 'no-store');
    res.sendFile('index.html', { root: folder, cacheControl: false }, (error) => {
      if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
        refuse(res, 503, 'The storefront is not built yet: npm run build -w server-example.');
      // Once the answer is under way, an error is a visitor who left.
      else if (error && !res.headersSent) next(error);
    });
  });
  router.use(express.static(folder, { index: false, maxAge: '1h' }));
  return router;
}
