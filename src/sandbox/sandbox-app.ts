import { Hono } from 'hono';
import { type ApiSettings, apiRoutes } from './api/api-routes.js';
import { type HomeSettings, homeRoute } from './home-route.js';
import { createErrorResponse, handleThrownError } from './http-errors.js';
import { iconRoutes } from './icons/icon-routes.js';
import { purchaseRoutes } from './order-routes.js';
import { setPageHeaders } from './page-headers.js';
import { REFUSAL_STYLES_PATH, refusalStyles } from './refusal-page.js';
import { requireSignIn, signInRoutes } from './sign-in-routes.js';
import { readWidgetFiles } from './widget-files.js';
import { createSessionStore } from './widget-sessions.js';

export type SandboxService = HomeSettings & ApiSettings;

/** Every route of the sandbox, as one function from `Request` to `Response`. */
export function createSandboxApp(service: SandboxService): Hono {
  const app = new Hono();
  const sessions = createSessionStore();
  app.onError(handleThrownError);
  app.notFound((c) => createErrorResponse(c, 404, 'ERR_REQUEST', 'The sandbox has nothing here.'));
  app.use(setPageHeaders);
  app.get('/health', (c) => c.json({ ok: true }));
  app.get('/', (c) => c.redirect('/home'));
  app.get('/home', homeRoute(service, sessions, service.orders));
  app.get(REFUSAL_STYLES_PATH, (c) =>
    c.body(refusalStyles, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
  if (service.needsCookie) {
    app.route('/home/sign-in', signInRoutes());
    app.use('/home/quote', requireSignIn);
    app.use('/home/orders', requireSignIn);
  }
  app.route('/home', purchaseRoutes(sessions, service.orders, service.now));
  app.route('/open/api', apiRoutes(service));
  app.route('/icons', iconRoutes());
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
