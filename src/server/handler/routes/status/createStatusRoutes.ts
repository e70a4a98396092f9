import { Hono } from 'hono';
import { RequestError } from '../../../internal/RequestError.js';
import { getSeconds } from '../../../internal/runtime.js';
import { type FindCheckoutOptions, findOwnCheckout } from '../../findOwnCheckout.js';
import type { RampEnv } from '../../RampEnv.js';
import { toCheckoutResponse } from '../../toCheckoutResponse.js';

/** Creates `GET /checkouts/:reference`: returns the state of a checkout to the subject that owns it. */
export function createStatusRoutes<Context>(
  options: FindCheckoutOptions<Context>,
): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  app.get('/checkouts/:reference', async (c) => {
    const checkout = await findOwnCheckout(c, options);
    return c.json(toCheckoutResponse(checkout, getSeconds(options.runtime)));
  });
  app.all('/checkouts/:reference', (c) => {
    // The `api` of the page ends in /checkouts by mistake.
    if (c.req.param('reference') === 'checkouts') return c.notFound();
    c.header('Allow', 'GET');
    throw new RequestError(405, 'Request the state of a checkout with GET.');
  });
  return app;
}
