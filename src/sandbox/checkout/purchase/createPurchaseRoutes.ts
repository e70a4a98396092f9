import { Hono } from 'hono';
import * as z from 'zod/mini';
import { RequestError } from '../../../server/internal/RequestError.js';
import { readJson } from '../../../server/internal/readJson.js';
import type { BoundedMap } from '../../internal/createBoundedMap.js';
import { createErrorResponse } from '../../internal/createErrorResponse.js';
import { parseWithSchema } from '../../internal/parseWithSchema.js';
import type { SandboxOrders } from '../../orders/createSandboxOrders.js';
import type { WidgetSession } from '../session/createWidgetSession.js';
import { bodyText, createCheckoutService } from './createCheckoutService.js';

const anyBody = z.looseObject({ session: bodyText });

/** Creates the routes that the page calls: `POST /quote`, `POST /orders`, `GET /orders/:id`. */
export function createPurchaseRoutes(
  sessions: BoundedMap<WidgetSession>,
  orders: SandboxOrders,
  now: () => number,
) {
  const service = createCheckoutService(orders, now);
  const routes = new Hono<{ Variables: { request: unknown; session: WidgetSession } }>();
  routes.post('*', async (c, next) => {
    const { session: id, ...request } = parseWithSchema(anyBody, await readJson(c.req.raw));
    const session = sessions.get(id);
    if (!session)
      throw new RequestError(404, 'This checkout has ended. Open it again from the shop.');
    c.set('request', request);
    c.set('session', session);
    await next();
  });
  routes.post('/quote', (c) =>
    c.json({ quote: service.quote(c.get('session'), c.get('request')) }),
  );
  routes.post('/orders', (c) =>
    c.json({ order: service.order(c.get('session'), c.get('request')) }, 201),
  );
  routes.get('/orders/:id', (c) => {
    const order = orders.find(c.req.param('id'));
    if (!order) return createErrorResponse(c, 404, 'ERR_REQUEST', 'Order not found.');
    return c.json({ order });
  });
  return routes;
}
