import { Hono } from 'hono';
import { RequestError, toErrorResponse } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import { createContinueRoutes } from './continueCheckout.js';
import { createEventRoutes } from './events.js';
import { createCheckoutRoutes } from './openCheckout.js';
import type { HandlerSettings } from './options.js';
import { allowOrigins, reportRefusedOrigins } from './origins.js';
import { createPriceRoutes } from './prices.js';
import { createStatusRoutes } from './status.js';
import { createWebhookRoutes } from './webhook.js';

/** The Hono environment of the routes: `c.env.context` is the value that the framework adapter passed. */
export interface RampEnv<Context> {
  Bindings: { context: Context };
}

/** The headers of every response whose route does not set them. */
const DEFAULT_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Creates the app with all routes, their common headers, CORS and error responses. */
export function createRampApp<Context>(settings: HandlerSettings<Context>): Hono<RampEnv<Context>> {
  const { basePath, onError } = settings;
  const app = new Hono<RampEnv<Context>>({
    getPath: (request) => removeBasePath(basePath, new URL(request.url).pathname),
  });
  app.use(async (c, next) => {
    await next();
    // Before next(), they would replace the headers of a route that responds with a Response.
    for (const [name, value] of Object.entries(DEFAULT_HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  app.use(reportRefusedOrigins(settings));
  app.use(allowOrigins(settings));
  // Hono handles only thrown Errors. Any other thrown value would pass through its middleware.
  app.use(async (_, next) => {
    try {
      await next();
    } catch (thrown) {
      throw thrown instanceof Error
        ? thrown
        : new Error('A value that is not an Error was thrown; see the cause.', { cause: thrown });
    }
  });
  // The routes do not set an error handler, so Hono uses the one of this app for all of them.
  for (const createRoutes of [
    createCheckoutRoutes,
    createPriceRoutes,
    createStatusRoutes,
    createEventRoutes,
    createContinueRoutes,
    createWebhookRoutes,
  ])
    app.route('/', createRoutes(settings));
  // Returned, not thrown: an error that is thrown here would skip the headers.
  app.notFound((c) => {
    const error = new RequestError(
      404,
      'Unknown route of the ramp handler. Set api of the page to the path at which the handler is mounted, such as /api/ramp, and set basePath to it if the handler receives whole paths.',
    );
    return sendJson(c, toErrorResponse(error).body, 404);
  });
  app.onError((error, c) => {
    const { status, body } = toErrorResponse(error);
    if (status >= 500 || error.cause !== undefined) onError(error);
    if (body.error.code === 'ERR_TIMEOUT') c.header('Retry-After', '5');
    return sendJson(c, body, status as 400);
  });
  return app;
}

/** Removes the base path. Express removes the path of the mount; other frameworks pass whole paths. */
function removeBasePath(basePath: string, path: string): string {
  const base = basePath.replace(/\/+$/, '');
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
