import { json, type Request, type RequestHandler, Router } from 'express';
import * as z from 'zod';
import { refuse } from './errors.js';
import { shopperOf, signIn } from './session.js';

const wanted = z.object({ account: z.enum(['a', 'b']) });

/** `/api/session`: who is signed in, signing in to a demo account, signing out. */
export function sessionRoutes(shopOrigins: readonly string[]): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.get('/', (req, res) => {
    res.json(describe(req));
  });
  router.use(onlyFrom(shopOrigins));
  router.post('/', json({ limit: '1kb' }), (req, res) => {
    const { data } = wanted.safeParse(req.body);
    if (!data) return refuse(res, 400, "Send { account: 'a' } or { account: 'b' } as JSON.");
    signIn(req, data.account);
    res.json(describe(req));
  });
  router.delete('/', (req, res) => {
    signIn(req, null);
    res.json(describe(req));
  });
  return router;
}

/** A form on a foreign page sends the cookie along; its Origin gives it away. */
function onlyFrom(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    if (origins.includes(req.get('origin') ?? '')) next();
    else refuse(res, 403, 'This origin may not change the session.');
  };
}

function describe(req: Request) {
  const shopper = shopperOf(req);
  return shopper
    ? { signedIn: true, name: shopper.name, wallet: shopper.wallet }
    : { signedIn: false, name: null, wallet: null };
}
