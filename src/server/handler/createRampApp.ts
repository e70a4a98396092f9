import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { toErrorResponse } from '../internal/errorResponses.js';
import { RequestError } from '../internal/RequestError.js';
import type { HandlerSettings } from './HandlerSettings.js';
import type { RampEnv } from './RampEnv.js';
import { reportRefusedOrigins } from './reportRefusedOrigins.js';
import { createCheckoutRoutes } from './routes/checkouts/createCheckoutRoutes.js';
import { createContinueRoutes } from './routes/checkouts/createContinueRoutes.js';
import { createEventRoutes } from './routes/events/createEventRoutes.js';
import { createPriceRoutes } from './routes/prices/createPriceRoutes.js';
import { createStatusRoutes } from './routes/status/createStatusRoutes.js';
import { createWebhookRoutes } from './routes/webhook/createWebhookRoutes.js';

/** The headers of every response whose route does not set them. */
const DEFAULT_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** The Hono app of a ramp handler. */
export type RampApp<Context> = Hono<RampEnv<Context>>;

/** Creates the app with all routes, their common headers, CORS and error responses. */
export function createRampApp<Context>(settings: HandlerSettings<Context>): RampApp<Context> {
  const { origins, basePath, onError } = settings;
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
  app.use(
    cors({
      origin: (origin) => (origins.has(origin) ? origin : null),
      credentials: true,
      allowMethods: ['GET', 'POST'],
      // A page on another origin reads when it may try again.
      exposeHeaders: ['Retry-After'],
      maxAge: 600,
    }),
  );
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
  // Returned, not thrown: an error that is thrown here would skip the headers of cors().
  app.notFound((c) => {
    const error = new RequestError(
      404,
      'Unknown route of the ramp handler. Set api of the page to the path at which the handler is mounted, such as /api/ramp, and set basePath to it if the handler receives whole paths.',
    );
    return c.json(toErrorResponse(error).body, 404);
  });
  app.onError((error, c) => {
    const { status, body } = toErrorResponse(error);
    if (status >= 500 || error.cause !== undefined) onError(error);
    if (body.error.code === 'ERR_TIMEOUT') c.header('Retry-After', '5');
    return c.json(body, status as 400);
  });
  return app;
}

/** Removes the base path. Express removes the path of the mount; other frameworks pass whole paths. */
function removeBasePath(basePath: string, path: string): string {
  const base = basePath.replace(/\/+$/, '');
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
