import { json, type Request, type RequestHandler, Router } from 'express';
import * as z from 'zod';
import { sendError } from '../http/errors.js';
import { requireOrigin, setNoStore } from '../http/requests.js';
import type { ShopSessions } from './createShopSessions.js';
import type { Shopper } from './Shopper.js';

const wanted = z.object({ account: z.enum(['a', 'b']) });

/** Creates the routes of `/api/session`: the signed-in shopper, the sign-in to a demo account, the sign-out. */
export function sessionRoutes(
  sessions: ShopSessions,
  shopOrigins: readonly string[],
  limit: RequestHandler,
): Router {
  const router = Router();
  const describe = async (req: Request) => toResponse(await sessions.getShopper(req));
  router.use(setNoStore, requireOrigin(shopOrigins));
  router.get('/', async (req, res) => {
    res.json(await describe(req));
  });
  router.post('/', limit, json({ limit: '1kb' }), async (req, res) => {
    const { data } = wanted.safeParse(req.body);
    if (!data) return sendError(res, 400, "Send { account: 'a' } or { account: 'b' } as JSON.");
    await sessions.signIn(req, data.account);
    res.json(await describe(req));
  });
  router.delete('/', limit, async (req, res) => {
    await sessions.signIn(req, null);
    res.json(await describe(req));
  });
  return router;
}

function toResponse(shopper: Shopper | undefined) {
  return shopper
    ? { signedIn: true, name: shopper.name, wallets: shopper.wallets }
    : { signedIn: false, name: null, wallets: null };
}
