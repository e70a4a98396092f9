import { Hono } from 'hono';
import * as z from 'zod/mini';
import { RequestRefused } from '../server/http-errors.js';
import { readJson } from '../server/readJson.js';
import type { BoundedMap } from './bounded-map.js';
import { checkNftOrder, checkNftPurchase } from './check-nft-purchase.js';
import { checkOrder, checkPurchase } from './check-purchase.js';
import { errorAnswer } from './http-errors.js';
import { nftPrices } from './nft-prices.js';
import { parsed } from './parsed.js';
import { quote } from './quote.js';
import type { SandboxOrders } from './sandbox-orders.js';
import type { WidgetSession } from './widget-sessions.js';

const text = z
  .string({ error: 'must be a string' })
  .check(z.maxLength(512, { error: 'is longer than 512 characters' }));
const anyBody = z.looseObject({ session: text });

const purchase = {
  session: text,
  fiatCurrency: text,
  currencyAmount: text,
  cryptoCurrencyCode: text,
};
const quoteBody = z.strictObject(purchase);
const orderBody = z.strictObject({ ...purchase, email: text, walletAddress: z.optional(text) });

// What was signed is in the session: a body that names any of it is refused.
const nftPurchase = { session: text, fiatCurrency: text };
const nftQuoteBody = z.strictObject(nftPurchase);
const nftOrderBody = z.strictObject({ ...nftPurchase, email: text });

/**
 * What the page itself calls: `POST /quote`, `POST /orders`, `GET /orders/:id`, for either widget:
 * the session says which. No card data is among it: the card on the page is a picture of one.
 */
export function orderRoutes(
  sessions: BoundedMap<WidgetSession>,
  orders: SandboxOrders,
  now: () => number,
) {
  const prices = nftPrices(now);
  const routes = new Hono<{ Variables: { body: unknown; session: WidgetSession } }>();
  routes.post('*', async (c, next) => {
    const body = await readJson(c.req.raw);
    const session = sessions.get(parsed(anyBody, body).session);
    if (!session)
      throw new RequestRefused(404, 'This checkout has ended. Open it again from the shop.');
    c.set('body', body);
    c.set('session', session);
    await next();
  });
  routes.post('/quote', (c) => {
    const [session, body] = [c.get('session'), c.get('body')];
    if (session.widget === 'on-ramp')
      return c.json({ quote: quote(checkPurchase(session.offer, parsed(quoteBody, body)), now()) });
    const asked = checkNftPurchase(session.offer, parsed(nftQuoteBody, body));
    return c.json({ quote: prices.ask(session, asked) });
  });
  routes.post('/orders', (c) => {
    const [session, body] = [c.get('session'), c.get('body')];
    if (session.widget === 'on-ramp') {
      const terms = checkOrder(session.offer, parsed(orderBody, body));
      return c.json({ order: orders.place(session, terms, quote(terms, now())) }, 201);
    }
    const { terms, price } = checkNftOrder(session.offer, parsed(nftOrderBody, body), (asked) =>
      prices.standing(session, asked),
    );
    return c.json({ order: orders.place(session, terms, price) }, 201);
  });
  routes.get('/orders/:id', (c) => {
    const order = orders.find(c.req.param('id'));
    if (!order) return errorAnswer(c, 404, 'ERR_REQUEST', 'There is no such order.');
    return c.json({ order });
  });
  return routes;
}
