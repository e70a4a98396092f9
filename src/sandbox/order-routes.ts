import { Hono } from 'hono';
import * as z from 'zod/mini';
import { readJson } from '../server/readJson.js';
import type { BoundedMap } from './bounded-map.js';
import { checkOrder, checkPurchase } from './check-purchase.js';
import { errorAnswer } from './http-errors.js';
import { parsed } from './parsed.js';
import { quote } from './quote.js';
import type { SandboxOrders } from './sandbox-orders.js';
import type { WidgetSession } from './widget-sessions.js';

const text = z
  .string({ error: 'must be a string' })
  .check(z.maxLength(512, { error: 'is longer than 512 characters' }));
const purchase = {
  session: text,
  fiatCurrency: text,
  currencyAmount: text,
  cryptoCurrencyCode: text,
};
const quoteBody = z.strictObject(purchase);
const orderBody = z.strictObject({ ...purchase, email: text, walletAddress: z.optional(text) });

/**
 * What the page itself calls: `POST /quote`, `POST /orders`, `GET /orders/:id`. No card data is
 * among it: the card on the page is a picture of one.
 */
export function orderRoutes(
  sessions: BoundedMap<WidgetSession>,
  orders: SandboxOrders,
  now: () => number,
) {
  const routes = new Hono<{ Variables: { body: unknown } }>();
  routes.post('*', async (c, next) => {
    c.set('body', await readJson(c.req.raw));
    await next();
  });
  routes.post('/quote', (c) => {
    const body = parsed(quoteBody, c.get('body'));
    const session = sessions.get(body.session);
    if (!session) return sessionEnded(c);
    return c.json({ quote: quote(checkPurchase(session.offer, body), now()) });
  });
  routes.post('/orders', (c) => {
    const body = parsed(orderBody, c.get('body'));
    const session = sessions.get(body.session);
    if (!session) return sessionEnded(c);
    return c.json({ order: orders.place(session, checkOrder(session.offer, body)) }, 201);
  });
  routes.get('/orders/:id', (c) => {
    const order = orders.find(c.req.param('id'));
    if (!order) return errorAnswer(c, 404, 'ERR_REQUEST', 'There is no such order.');
    return c.json({ order });
  });
  return routes;
}

type AnyContext = Parameters<typeof errorAnswer>[0];

const sessionEnded = (c: AnyContext) =>
  errorAnswer(c, 404, 'ERR_REQUEST', 'This checkout has ended. Open it again from the shop.');
