import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type ApiSettings, createApiRoutes } from './api/createApiRoutes.js';
import { cryptoIcons, paymentIcons } from './catalog/icons.js';
import { type CheckoutSettings, createWidgetRoutes } from './checkout/createWidgetRoutes.js';
import { createLatency } from './injectFaults.js';
import { createErrorResponse, handleThrownError } from './requests.js';

/**
 * Forbids inline scripts and files of other origins. The policy does not restrict `frame-ancestors`, so that any shop
 * can embed the widget.
 */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** Sets the headers of every response. A `Cache-Control` that a route has set is kept. */
const setPageHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('Content-Security-Policy', POLICY);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
};

export function createSandboxApp(settings: CheckoutSettings & ApiSettings): Hono {
  const app = new Hono();
  app.onError(handleThrownError);
  app.notFound((c) => createErrorResponse(c, 404, 'ERR_NOT_FOUND', 'Route not found.'));
  app.use(setPageHeaders);
  // In development, the components check the sandbox with HEAD. The response has no content type: with one, Chromium
  // would show the request as aborted.
  app.get('/health', (c) => (c.req.method === 'HEAD' ? c.body(null, 204) : c.json({ ok: true })));
  app.get('/', (c) => c.redirect('/home'));
  const latency = createLatency(settings.faults);
  app.use('/home/*', latency);
  app.use('/open/api/*', latency);
  app.route('/', createWidgetRoutes(settings));
  app.route('/open/api', createApiRoutes(settings));
  app.route('/icons', createIconRoutes());
  return app;
}

/** Creates the routes for the icons that the partner API links to. Any page may show them. */
function createIconRoutes() {
  const routes = new Hono();
  const serve = (icons: ReadonlyMap<string, string>) => (c: Context) => {
    const icon = icons.get(c.req.param('file')?.replace(/\.svg$/, '') ?? '');
    if (!icon) return c.notFound();
    return c.body(icon, 200, {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  };
  routes.get('/:file{[^/]+\\.svg}', serve(paymentIcons));
  routes.get('/crypto/:file{[^/]+\\.svg}', serve(cryptoIcons));
  return routes;
}
