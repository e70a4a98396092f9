import { json, type Request, type RequestHandler, type Response, Router } from 'express';
import * as z from 'zod';
import type { Config } from '../config/readConfig.js';
import { getCookieNames, getUniqueCookie } from '../http/cookies.js';
import { sendError } from '../http/errors.js';
import { loginRateLimit } from '../http/rateLimits.js';
import { orderId, requireOrigin, setNoStore } from '../http/requests.js';
import type { OperatorService } from './operatorService.js';
import { type OperatorSessions, SESSION_SECONDS } from './operatorSessions.js';

const login = z.object({ password: z.string().max(256) });

const page = z.object({
  matchStatus: z.enum(['matched', 'unknown', 'quarantined', 'unmatched']).optional(),
  /** The cursor: `changedAt` and the ID of the last order of the previous page. */
  changedAt: z.coerce.number().int().nonnegative().optional(),
  orderId: orderId.optional(),
});

interface OperatorRouteOptions {
  readonly config: Pick<Config, 'shopOrigins' | 'trustProxy'>;
  /** Undefined if no password is configured, which disables the operator page. */
  readonly operator:
    | { readonly sessions: OperatorSessions; readonly service: OperatorService }
    | undefined;
}

/** Creates the routes of `/api/operator`: the sign-in with the operator's password, and the operator's data. */
export function operatorRoutes({ config, operator }: OperatorRouteOptions): Router {
  const router = Router();
  router.use(setNoStore);
  if (!operator) {
    router.use((_req, res) =>
      sendError(res, 404, 'The operator page is disabled: the server needs OPERATOR_PASSWORD.'),
    );
    return router;
  }
  const { sessions, service } = operator;
  const cookie = createOperatorCookie(config.shopOrigins);
  router.use(requireOrigin(config.shopOrigins));

  router.get('/session', async (req, res) => {
    res.json({ signedIn: await sessions.isSignedIn(cookie.read(req)) });
  });
  router.post('/session', loginRateLimit(config), json({ limit: '1kb' }), async (req, res) => {
    const { data } = login.safeParse(req.body);
    if (!data) return sendError(res, 400, 'Send { password } as JSON.');
    const token = await sessions.signIn(data.password);
    if (!token) return sendError(res, 401, 'Wrong password.');
    cookie.write(req, res, token);
    res.json({ signedIn: true });
  });
  router.delete('/session', async (req, res) => {
    await sessions.signOut(cookie.read(req));
    cookie.clear(req, res);
    res.json({ signedIn: false });
  });

  const requireOperator: RequestHandler = async (req, res, next) => {
    if (await sessions.isSignedIn(cookie.read(req))) next();
    else sendError(res, 401, 'Sign in as the operator.');
  };
  router.use(requireOperator);
  router.get('/overview', async (_req, res) => {
    res.json(await service.readOverview());
  });
  router.get('/orders', async (req, res) => {
    const { data } = page.safeParse(req.query);
    if (!data) return sendError(res, 400, 'The parameters of the order list are invalid.');
    res.json(await service.listOrders(data));
  });
  router.post('/cases/:orderId/handled', async (req, res) => {
    const { data } = orderId.safeParse(req.params.orderId);
    if (data !== undefined && (await service.closeCase(data))) res.json({ handled: true });
    else sendError(res, 404, 'Case not found.');
  });
  return router;
}

const PATH = '/api/operator';

/** With `SameSite=Strict`, browsers do not send the cookie with requests from other sites. */
const getCookieOptions = (req: Request) =>
  ({ path: PATH, httpOnly: true, sameSite: 'strict', secure: req.secure }) as const;

/** Creates the functions that read and write the operator's cookie. */
function createOperatorCookie(shopOrigins: readonly string[]) {
  const { operator: name } = getCookieNames(shopOrigins);
  return {
    /** Returns the token of a request if it is well-formed. */
    read(req: Request): string | undefined {
      const value = getUniqueCookie(req, name);
      return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
    },
    write(req: Request, res: Response, token: string): void {
      res.cookie(name, token, { ...getCookieOptions(req), maxAge: SESSION_SECONDS * 1000 });
    },
    clear(req: Request, res: Response): void {
      res.clearCookie(name, getCookieOptions(req));
    },
  };
}
