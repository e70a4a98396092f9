import { Router } from 'express';
import * as z from 'zod';
import { sendError } from '../http/errors.js';
import { reference, setNoStore } from '../http/requests.js';
import type { ShopSessions } from '../session/createShopSessions.js';
import type { ShopperOrders } from './shopperOrders.js';

/** A page of `GET /api/ramp/checkouts` has no more references than this. */
const MAX_REFERENCES = 50;

const query = z.object({
  references: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(reference).max(MAX_REFERENCES)),
});

/**
 * Creates `GET /api/orders?references=…`: the prints of the signed-in shopper's checkouts. Leaves out the references of
 * other shoppers, as well as unknown references.
 */
export function orderRoutes(
  orders: ShopperOrders,
  sessions: Pick<ShopSessions, 'getShopper'>,
): Router {
  const router = Router();
  router.use(setNoStore);
  router.get('/', async (req, res) => {
    const { data } = query.safeParse(req.query);
    if (!data)
      return sendError(res, 400, `Send references of at most ${MAX_REFERENCES} checkouts.`);
    const subject = (await sessions.getShopper(req))?.id;
    res.json({ orders: subject ? await orders.find(subject, data.references) : [] });
  });
  return router;
}
