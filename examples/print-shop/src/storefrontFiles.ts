import { extname, join } from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';
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
  router.use('/assets', compressedFiles(join(folder, 'assets'), { immutable: true, maxAge: '1y' }));
  const sendPage =
    (file: string): RequestHandler =>
    (_req, res, next) => {
      // Do not cache the page: its response may set a cookie, and its HTML refers to the files of the latest build.
      res.setHeader('Cache-Control', 'no-store');
      res.sendFile(file, { root: folder, cacheControl: false }, (error) => {
        if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
          sendError(res, 503, 'The storefront is not built yet. Run npm run build -w print-shop.');
        // Ignore an error after the headers were sent: no other response is possible, and usually the visitor has left.
        else if (error && !res.headersSent) next(error);
      });
    };
  const signInFirstVisit: RequestHandler = (req, _res, next) => {
    sessions.signInFirstVisit(req);
    next();
  };
  router.get(['/', '/index.html'], signInFirstVisit, sendPage('index.html'));
  router.get(['/orders', '/orders.html'], signInFirstVisit, sendPage('orders.html'));
  router.get(['/return', '/return.html'], signInFirstVisit, sendPage('return.html'));
  router.get(['/operator', '/operator.html'], sendPage('operator.html'));
  router.use(compressedFiles(folder, { maxAge: '1h' }));
  return router;
}

/** The extension of a file's compressed copy, by encoding. */
const COPIES = { br: '.br', gzip: '.gz' } as const;
/** Brotli comes first, because its copies are smaller. */
const ENCODINGS = ['br', 'gzip'] as const;

/**
 * Serves the files of a folder, as compressed copies to browsers that accept them. The Vite plugin
 * `compressFiles` writes the copies. A file without a copy is sent as it is. Each copy has its own ETag.
 */
function compressedFiles(
  folder: string,
  options: { readonly immutable?: boolean; readonly maxAge: string },
): RequestHandler {
  const serve = express.static(folder, {
    index: false,
    ...options,
    setHeaders(res, file) {
      const extension = extname(file);
      const encoding = ENCODINGS.find((each) => COPIES[each] === extension);
      if (!encoding) return;
      res.setHeader('Content-Encoding', encoding);
      // Set the type of the uncompressed file, such as `.js` for `shop.js.br`.
      (res as Response).type(extname(file.slice(0, -extension.length)));
    },
  });
  return (req, res, next) => {
    res.vary('Accept-Encoding');
    // Test each encoding separately. Browsers list gzip before br without a preference, so one test would pick gzip.
    const encoding = ENCODINGS.find((each) => req.acceptsEncodings(each));
    if (!encoding) return serve(req, res, next);
    const { url } = req;
    const [path, ...search] = url.split('?');
    req.url = [path + COPIES[encoding], ...search].join('?');
    serve(req, res, (error) => {
      req.url = url;
      if (error) next(error);
      else serve(req, res, next);
    });
  };
}
