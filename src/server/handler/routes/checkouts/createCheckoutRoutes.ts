import { Hono } from 'hono';
import { RequestError } from '../../../internal/RequestError.js';
import type { CheckoutRequest } from '../../CheckoutPolicy.js';
import type { RampEnv } from '../../RampEnv.js';
import { type CreateCheckoutOptions, createCheckout } from './createCheckout.js';
import { readProposal } from './readProposal.js';
import { requireAllowedOrigin } from './requireAllowedOrigin.js';

/** The settings of the handler that this route uses. */
export interface CheckoutRouteOptions<Context> extends CreateCheckoutOptions<Context> {
  readonly origins: ReadonlySet<string>;
}

/** Creates `POST /checkouts`: calls the policy, stores the intent and signs. */
export function createCheckoutRoutes<Context>(
  options: CheckoutRouteOptions<Context>,
): Hono<RampEnv<Context>> {
  const app = new Hono<RampEnv<Context>>();
  app.post('/checkouts', requireAllowedOrigin(options.origins), async (c) => {
    const proposed = await readProposal(c.req.raw);
    const asked = { ...proposed, request: c.req.raw, context: c.env.context };
    return c.json(await createCheckout(asked as CheckoutRequest<Context>, options), 201);
  });
  app.all('/checkouts', (c) => {
    c.header('Allow', 'POST');
    throw new RequestError(405, 'Open a checkout with POST.');
  });
  return app;
}
