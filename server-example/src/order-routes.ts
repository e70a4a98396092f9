import { json, type Request, Router } from 'express';
import * as z from 'zod';
import { refuse } from './errors.js';
import { noStore, onlyFrom } from './only-from.js';
import type { ShopperOrders } from './orders/shopperOrders.js';
import { reference } from './patterns.js';
import { shopperOf } from './session.js';

const opened = z.object({ reference });
const page = z.object({ before: reference.optional() });

/** `/api/orders`: the signed-in shopper's own. What page of whom else's is asked for, is not there. */
export function orderRoutes(orders: ShopperOrders, shopOrigins: readonly string[]): Router {
  const router = Router();
  router.use(noStore, onlyFrom(shopOrigins));
  router.get('/', async (req, res) => {
    const { data } = page.safeParse(req.query);
    if (!data) return refuse(res, 400, 'There is no such page of orders.');
    const subject = subjectOf(req);
    res.json(subject ? await orders.list(subject, data.before) : { orders: [], isMore: false });
  });
  router.post('/', json({ limit: '1kb' }), async (req, res) => {
    const { data } = opened.safeParse(req.body);
    if (!data) return refuse(res, 400, 'Send { reference } of a checkout as JSON.');
    const subject = subjectOf(req);
    const isOwn = subject !== undefined && (await orders.noteOpened(data.reference, subject));
    if (!isOwn) return refuse(res, 404, 'There is no such checkout.');
    res.status(204).end();
  });
  return router;
}

const subjectOf = (req: Request) => shopperOf(req)?.id;
