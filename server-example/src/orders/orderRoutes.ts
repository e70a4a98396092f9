import { json, type Request, Router } from 'express';
import * as z from 'zod';
import { sendError } from '../http/errors.js';
import { reference, requireOrigin, setNoStore } from '../http/requests.js';
import type { ShopSessions } from '../session/createShopSessions.js';
import type { ShopperOrders } from './shopperOrders.js';

const opened = z.object({ reference });
const page = z.object({ before: reference.optional() });

/** Creates the routes of `/api/orders`, which return only the orders of the signed-in shopper. */
export function orderRoutes(
  orders: ShopperOrders,
  sessions: Pick<ShopSessions, 'getShopper'>,
  shopOrigins: readonly string[],
): Router {
  const router = Router();
  const getSubject = async (req: Request) => (await sessions.getShopper(req))?.id;
  router.use(setNoStore, requireOrigin(shopOrigins));
  router.get('/', async (req, res) => {
    const { data } = page.safeParse(req.query);
    if (!data) return sendError(res, 400, 'The parameters of the order list are invalid.');
    const subject = await getSubject(req);
    res.json(subject ? await orders.list(subject, data.before) : { orders: [], isMore: false });
  });
  router.post('/', json({ limit: '1kb' }), async (req, res) => {
    const { data } = opened.safeParse(req.body);
    if (!data) return sendError(res, 400, 'Send { reference } of a checkout as JSON.');
    const subject = await getSubject(req);
    const isOwn = subject !== undefined && (await orders.recordCheckout(data.reference, subject));
    if (!isOwn) return sendError(res, 404, 'Checkout not found.');
    res.status(204).end();
  });
  return router;
}
