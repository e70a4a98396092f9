import { json, type Request, Router } from 'express';
import * as z from 'zod';
import { refuse } from './errors.js';
import { noStore, onlyFrom } from './only-from.js';
import { shopperOf, signIn } from './session.js';

const wanted = z.object({ account: z.enum(['a', 'b']) });

/** `/api/session`: who is signed in, signing in to a demo account, signing out. */
export function sessionRoutes(shopOrigins: readonly string[]): Router {
  const router = Router();
  router.use(noStore, onlyFrom(shopOrigins));
  router.get('/', (req, res) => {
    res.json(describe(req));
  });
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

function describe(req: Request) {
  const shopper = shopperOf(req);
  return shopper
    ? { signedIn: true, name: shopper.name, wallet: shopper.wallet }
    : { signedIn: false, name: null, wallet: null };
}
