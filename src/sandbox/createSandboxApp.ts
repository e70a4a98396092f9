import { Hono } from 'hono';
import { type ApiSettings, apiRoutes } from './api/apiRoutes.js';
import { iconRoutes } from './catalog/icons/iconRoutes.js';
import { type HomeSettings, homeRoute } from './checkout/page/homeRoute.js';
import { readWidgetFiles } from './checkout/page/readWidgetFiles.js';
import { REFUSAL_STYLES_PATH, refusalStyles } from './checkout/page/renderRefusalPage.js';
import { setPageHeaders } from './checkout/page/setPageHeaders.js';
import { requireSignIn, signInRoutes } from './checkout/page/signInRoutes.js';
import { purchaseRoutes } from './checkout/purchase/purchaseRoutes.js';
import { createSessionStore } from './checkout/session/createWidgetSession.js';
import { createErrorResponse, handleThrownError } from './internal/createErrorResponse.js';

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
