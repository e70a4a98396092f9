import { Hono } from 'hono';
import { type ApiSettings, createApiRoutes } from './api/createApiRoutes.js';
import { createIconRoutes } from './catalog/icons/createIconRoutes.js';
import { createHomeRoute, type HomeSettings } from './checkout/page/createHomeRoute.js';
import { createSignInRoutes, requireSignIn } from './checkout/page/createSignInRoutes.js';
import { readWidgetFiles } from './checkout/page/readWidgetFiles.js';
import { REFUSAL_STYLES_PATH, refusalStyles } from './checkout/page/renderRefusalPage.js';
import { setPageHeaders } from './checkout/page/setPageHeaders.js';
import { createPurchaseRoutes } from './checkout/purchase/createPurchaseRoutes.js';
import { createSessionStore } from './checkout/session/createWidgetSession.js';
import { createErrorResponse, handleThrownError } from './internal/createErrorResponse.js';

export type SandboxService = HomeSettings & ApiSettings;

/** Creates the Hono app with all routes of the sandbox. */
export function createSandboxApp(service: SandboxService): Hono {
  const app = new Hono();
  const sessions = createSessionStore();
  app.onError(handleThrownError);
  app.notFound((c) => createErrorResponse(c, 404, 'ERR_REQUEST', 'Route not found.'));
  app.use(setPageHeaders);
  // A page in development sends HEAD. Chromium shows it as aborted if the response names a content type.
  app.get('/health', (c) => (c.req.method === 'HEAD' ? c.body(null, 204) : c.json({ ok: true })));
  app.get('/', (c) => c.redirect('/home'));
  app.get('/home', createHomeRoute(service, sessions, service.orders));
  app.get(REFUSAL_STYLES_PATH, (c) =>
    c.body(refusalStyles, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
  if (service.needsCookie) {
    app.route('/home/sign-in', createSignInRoutes());
    app.use('/home/quote', requireSignIn);
    app.use('/home/orders', requireSignIn);
  }
  app.route('/home', createPurchaseRoutes(sessions, service.orders, service.now));
  app.route('/open/api', createApiRoutes(service));
  app.route('/icons', createIconRoutes());
  app.get('/widget/assets/:name', (c) => {
    const asset = readWidgetFiles().assets.get(c.req.param('name'));
    if (!asset) return c.notFound();
    return c.body(asset.body, 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
  return app;
}
