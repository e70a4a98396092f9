import { type Handler, Hono, type MiddlewareHandler } from 'hono';
import { createReportLimit } from '../internal/errorReports.js';
import { RequestError, toErrorResponse } from '../internal/errorResponses.js';
import { sendJson } from '../internal/jsonResponse.js';
import { createContinueRoute } from './continueCheckout.js';
import { createListRoute } from './listCheckouts.js';
import { createOpenRoute } from './openCheckout.js';
import type { HandlerSettings } from './options.js';
import { allowOrigins, requireAllowedOrigin } from './origins.js';
import { createPriceRoutes } from './prices.js';
import { createOpenedRoute, createStatusRoute } from './status.js';
import { createSyncRoute, refuseSync } from './sync.js';
import { createWebhookRoute } from './webhook.js';

/** The Hono environment of the routes: `c.env.context` is the second argument of the handler. */
export interface RampEnv<Context> {
  Bindings: { context: Context };
}

/** The middleware and the handler of each route, by path and method. */
type RouteTable<Context> = Readonly<
  Record<string, { readonly [Method in 'GET' | 'POST']?: readonly Handler<RampEnv<Context>>[] }>
>;

/** Added to every response whose route does not set them. */
const DEFAULT_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Creates the app with all routes, their common headers, CORS and error responses. */
export function createRampApp<Context>(settings: HandlerSettings<Context>): Hono<RampEnv<Context>> {
  const { basePath, onError, runtime } = settings;
  const isDue = createReportLimit(runtime);
  const app = new Hono<RampEnv<Context>>({
    getPath: (request) => removeBasePath(basePath, removeSlash(getPathname(request.url))),
  });
  app.use(async (c, next) => {
    await next();
    // Set the headers after next(). If they were set before, Hono would copy them over the headers of a Response that a
    // route returns.
    for (const [name, value] of Object.entries(DEFAULT_HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  const addRoutes = (routes: RouteTable<Context>, acceptsHead: boolean) => {
    for (const [path, handlers] of Object.entries(routes)) {
      app.use(path, requireMethod(Object.keys(handlers), acceptsHead));
      for (const [method, steps] of Object.entries(handlers)) app.on(method, [path], ...steps);
    }
  };
  // The route for scheduled jobs comes before CORS, because no page may call it. It refuses HEAD: a sync must not run
  // for a request that only asks for headers.
  app.use('/sync', wrapThrown);
  const sync = createSyncRoute(settings);
  if (sync) addRoutes({ '/sync': { GET: [sync], POST: [sync] } }, false);
  else app.all('/sync', refuseSync);
  app.use(allowOrigins(settings));
  app.use(wrapThrown);
  app.use((_, next) => settings.progress.run(next));
  // A page whose `api` ends in /checkouts by mistake requests this path. The 404 of an unknown route explains how to
  // set `api`.
  app.post('/checkouts/checkouts', (c) => c.notFound());
  const prices = createPriceRoutes(settings);
  const fromAllowedOrigin = requireAllowedOrigin(settings);
  const routes: RouteTable<Context> = {
    '/checkouts': {
      GET: [createListRoute(settings)],
      POST: [fromAllowedOrigin, createOpenRoute(settings)],
    },
    '/checkouts/:reference': { GET: [createStatusRoute(settings)] },
    '/checkouts/:reference/opened': { POST: [fromAllowedOrigin, createOpenedRoute(settings)] },
    '/checkouts/:reference/continue': { POST: [fromAllowedOrigin, createContinueRoute(settings)] },
    '/currencies': { GET: [prices.fiatCurrencies] },
    '/cryptocurrencies': { GET: [prices.cryptoCurrencies] },
    '/quote': { GET: [prices.quote] },
    '/webhook': { POST: [createWebhookRoute(settings)] },
  };
  addRoutes(routes, true);
  // Return the error. If it were thrown here, the response would lack the headers of the middleware above.
  app.notFound((c) => {
    const error = new RequestError(
      'ERR_NOT_FOUND',
      'Unknown route of the ramp handler. Set api of the page to the path that a browser requests, such as /api/ramp, and basePath of createRamp to the path that the handler sees in request.url. In Next.js, that path has no basePath of Next.',
    );
    return sendJson(c, toErrorResponse(error).body, 404);
  });
  app.onError((error, c) => {
    const { status, body } = toErrorResponse(error);
    const retryAfter = error instanceof RequestError ? error.retryAfterSeconds : undefined;
    // Reporting each refusal would burden a server that is already overloaded.
    const isShed = status === 503 && error instanceof RequestError;
    if (isShed ? isDue('busy') : status >= 500 || error.cause !== undefined) onError(error);
    if (retryAfter !== undefined) c.header('Retry-After', `${retryAfter}`);
    if (body.error.code === 'ERR_TIMEOUT') c.header('Retry-After', '5');
    return sendJson(c, body, status as 400);
  });
  return app;
}

/**
 * Creates a middleware that refuses all other methods on a path. Hono's own `methodNotAllowed` refuses only what
 * reaches no route, so it cannot refuse HEAD, which Hono passes to GET.
 */
const requireMethod =
  (methods: readonly string[], acceptsHead: boolean): MiddlewareHandler =>
  (c, next) => {
    const { method } = c.req;
    if (methods.includes(method === 'HEAD' && acceptsHead ? 'GET' : method)) return next();
    c.header('Allow', methods.join(', '));
    throw new RequestError(
      'ERR_METHOD_NOT_ALLOWED',
      `Send this request with ${methods.join(' or ')}.`,
    );
  };

/** Hono's error handling ignores thrown values that are not Errors, so this middleware wraps them in one. */
const wrapThrown: MiddlewareHandler = async (_, next) => {
  try {
    await next();
  } catch (thrown) {
    throw thrown instanceof Error
      ? thrown
      : new Error('A value that is not an Error was thrown; see the cause.', { cause: thrown });
  }
};

/** The length of the shortest scheme and host, `http://a`. */
const MIN_BASE_LENGTH = 8;

/**
 * Returns the path of a request's URL. That URL is absolute and normalized, so this avoids `new URL`, which is slow.
 */
const getPathname = (url: string): string =>
  url.slice(url.indexOf('/', MIN_BASE_LENGTH)).replace(/[?#].*/, '');

/** Removes a slash at the end, which some frameworks add to every path. */
const removeSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/**
 * Removes the base path, if the path begins with it. Express has already removed the mount path, but other frameworks
 * pass whole paths.
 */
function removeBasePath(basePath: string, path: string): string {
  const base = basePath.replace(/\/+$/, '');
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
