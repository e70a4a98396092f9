import { type Context, Hono } from 'hono';
import { cryptoIcons } from './cryptoIcons.js';
import { paymentIcons } from './paymentIcons.js';

/** Creates the routes of the icons that the partner API links to. Any page may show them. */
export function createIconRoutes() {
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
