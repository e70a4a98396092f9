import { Hono } from 'hono';
import { RequestError } from '../../../internal/RequestError.js';
import { type FindCheckoutOptions, findOwnCheckout } from '../../findOwnCheckout.js';
import type { RampEnv } from '../../RampEnv.js';
import { toCheckoutResponse } from '../../toCheckoutResponse.js';

/** Creates `GET /checkouts/:reference`: the state of a checkout, for the subject it was granted to. */
export function createStatusRoutes<Context>(
  options: FindCheckoutOptions<Context>,
): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  app.get('/checkouts/:reference', async (c) => {
    const checkout = await findOwnCheckout(c, options);
    return c.json(toCheckoutResponse(checkout, Math.floor(options.now() / 1000)));
  });
  app.all('/checkouts/:reference', (c) => {
    // A page whose `api` ends in the route's own name.
    if (c.req.param('reference') === 'checkouts') return c.notFound();
    c.header('Allow', 'GET');
    throw new RequestError(405, 'Ask for the state of a checkout with GET.');
  });
  return app;
}
