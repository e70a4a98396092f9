import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { RequestError } from '../../../server/internal/RequestError.js';
import { createRandomHex } from '../../internal/createRandomHex.js';

const COOKIE = 'sandbox_shopper';
const isSignedIn = (c: Context) => getCookie(c, COOKIE) !== undefined;

/**
 * Creates the routes of a service with a login: `GET /` returns whether the browser sends the service's
 * cookie, `POST /` sets it. The cookie is not partitioned, so browsers that block third-party cookies
 * send it from a frame only after they have granted the widget storage access.
 */
export function createSignInRoutes() {
  const routes = new Hono();
  routes.get('/', (c) => c.json({ isSignedIn: isSignedIn(c) }));
  routes.post('/', (c) => {
    setCookie(c, COOKIE, createRandomHex(16), {
      path: '/',
      httpOnly: true,
      // Browsers accept it over http: on loopback, because loopback is a trustworthy origin.
      secure: true,
      sameSite: 'None',
    });
    return c.body(null, 204);
  });
  return routes;
}

/** Refuses a request without the service's cookie. */
export const requireSignIn = createMiddleware(async (c, next) => {
  if (!isSignedIn(c))
    throw new RequestError(403, "The service's cookie is missing. Sign in first.");
  await next();
});
