import { json, type RequestHandler, Router } from 'express';
import * as z from 'zod';
import type { Config } from '../config.js';
import { refuse } from '../errors.js';
import { noStore, onlyFrom } from '../only-from.js';
import { orderId } from '../patterns.js';
import { loginRateLimit } from '../rate-limit.js';
import { operatorCookie } from './operatorCookie.js';
import type { OperatorDesk } from './operatorDesk.js';
import type { OperatorSessions } from './operatorSessions.js';

const login = z.object({ password: z.string().max(256) });

const page = z.object({
  standing: z.enum(['matched', 'quarantined', 'foreign']).optional(),
  /** Where the page before ended: `changedAt` and the order's id. */
  changedAt: z.coerce.number().int().nonnegative().optional(),
  orderId: orderId.optional(),
});

interface OperatorRouteOptions {
  readonly config: Pick<Config, 'shopOrigins' | 'trustProxy'>;
  /** None without a password: there is no operator page then. */
  readonly operator:
    | { readonly sessions: OperatorSessions; readonly desk: OperatorDesk }
    | undefined;
}

/** `/api/operator`: signing in with the operator's password, and all that is for the operator alone. */
export function operatorRoutes({ config, operator }: OperatorRouteOptions): Router {
  const router = Router();
  router.use(noStore);
  if (!operator) {
    router.use((_req, res) =>
      refuse(res, 404, 'There is no operator page here: the server needs OPERATOR_PASSWORD.'),
    );
    return router;
  }
  const { sessions, desk } = operator;
  const cookie = operatorCookie(config.shopOrigins);
  router.use(onlyFrom(config.shopOrigins));

  router.get('/session', async (req, res) => {
    res.json({ signedIn: await sessions.isSignedIn(cookie.read(req)) });
  });
  router.post('/session', loginRateLimit(config), json({ limit: '1kb' }), async (req, res) => {
    const { data } = login.safeParse(req.body);
    if (!data) return refuse(res, 400, 'Send { password } as JSON.');
    const token = await sessions.signIn(data.password);
    if (!token) return refuse(res, 401, 'That is not the password.');
    cookie.write(req, res, token);
    res.json({ signedIn: true });
  });
  router.delete('/session', async (req, res) => {
    await sessions.signOut(cookie.read(req));
    cookie.clear(req, res);
    res.json({ signedIn: false });
  });

  const onlyOperator: RequestHandler = async (req, res, next) => {
    if (await sessions.isSignedIn(cookie.read(req))) next();
    else refuse(res, 401, 'Sign in as the operator.');
  };
  router.use(onlyOperator);
  router.get('/overview', async (_req, res) => {
    res.json(await desk.overview());
  });
  router.get('/orders', async (req, res) => {
    const { data } = page.safeParse(req.query);
    if (!data) return refuse(res, 400, 'There is no such page of orders.');
    res.json(await desk.orders(data));
  });
  router.post('/cases/:orderId/handled', async (req, res) => {
    const { data } = orderId.safeParse(req.params.orderId);
    if (data !== undefined && (await desk.handle(data))) res.json({ handled: true });
    else refuse(res, 404, 'There is no such case.');
  });
  return router;
}
