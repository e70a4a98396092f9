import { json, type Request, type RequestHandler, type Response, Router } from 'express';
import * as z from 'zod';
import {
  getUniqueCookie,
  orderId,
  reference,
  requireOrigin,
  sendError,
  setNoStore,
} from './http.js';
import { type OperatorService, ORDER_FILTERS } from './operatorService.js';
import { type OperatorSessions, SESSION_SECONDS } from './operatorSessions.js';

const login = z.object({ password: z.string().max(256) });

const page = z.object({
  filter: z.enum(ORDER_FILTERS).optional(),
  /** Together with `orderId`, the cursor of the page: `next` of the previous page. */
  changedAt: z.coerce.number().int().nonnegative().optional(),
  orderId: orderId.optional(),
});

const details = z.union([z.object({ reference }), z.object({ orderId })]);

/** The maximum length of a searched text. No reference, order ID, wallet or transaction is longer. */
const MAX_SEARCH = 256;
/**
 * The maximum number of texts in a search. The page extracts them from what the operator pastes. A search finds what
 * matches any of them.
 */
const MAX_TEXTS = 10;
const search = z.object({
  text: z.union([z.string().transform((text) => [text]), z.array(z.string()).max(MAX_TEXTS)]),
});

const MAX_NOTE = 2000;
const outcome = z.enum(['refunded', 'delivered', 'closed']);
const resolution = z.object({ outcome, note: z.string(), seen: outcome.nullish() });
const reopening = z.object({ handledAt: z.int().nonnegative() });

const OUTCOMES = {
  refunded: 'refunded',
  delivered: 'completed by hand',
  closed: 'nothing to do',
} as const;

interface OperatorRouteOptions {
  /** The origins of the page. If all are https, the cookie is `Secure`. */
  readonly origins: readonly string[];
  /** Undefined if no password is configured, which disables the operator page. */
  readonly operator:
    | { readonly sessions: OperatorSessions; readonly service: OperatorService }
    | undefined;
  /** Limits sign-ins with a wrong password. */
  readonly loginLimit: RequestHandler;
}

/** Creates the routes of `/api/operator`: the sign-in with the operator's password, and the operator's data. */
export function operatorRoutes({ origins, operator, loginLimit }: OperatorRouteOptions): Router {
  const router = Router();
  router.use(setNoStore);
  if (!operator) {
    router.use((_req, res) =>
      sendError(res, 404, 'The operator page is disabled: the server needs OPERATOR_PASSWORD.'),
    );
    return router;
  }
  const { sessions, service } = operator;
  const cookie = createOperatorCookie(origins);
  router.use(requireOrigin(origins));

  router.get('/session', async (req, res) => {
    res.json({ signedIn: await sessions.isSignedIn(cookie.read(req)) });
  });
  router.post('/session', loginLimit, json({ limit: '1kb' }), async (req, res) => {
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
  router.get('/search', async (req, res) => {
    const { data } = search.safeParse(req.query);
    const texts = data?.text.filter((text) => text.trim() !== '') ?? [];
    if (texts.length === 0) return sendError(res, 400, 'Enter what you search for.');
    const length = Math.max(...texts.map((text) => text.length));
    if (length > MAX_SEARCH)
      return sendError(
        res,
        400,
        `This text has ${formatCount(length)} characters. A reference, order, wallet or transaction has at most ${MAX_SEARCH}: search for one of them.`,
      );
    res.json(await service.search(texts));
  });
  router.get('/details', async (req, res) => {
    const { data } = details.safeParse(req.query);
    const found = data && (await service.readDetails(data));
    if (found) res.json(found);
    else sendError(res, 404, 'This shop has no such checkout or order.');
  });
  router.post('/sync', async (_req, res) => {
    const isSynced = await service.sync().catch(() => undefined);
    if (isSynced !== undefined) res.json({ isSynced });
    else sendError(res, 503, SYNC_FAILED);
  });
  router.post('/orders/:orderId/retry', async (req, res) => {
    const id = orderId.safeParse(req.params.orderId);
    const result = id.success
      ? await service.retryDelivery(id.data).catch(() => undefined)
      : 'not-found';
    if (result === undefined) sendError(res, 503, SYNC_FAILED);
    else if (result === 'not-found')
      sendError(res, 404, 'Nothing is left to do for this order, or it does not exist.');
    else res.json({ result });
  });
  router.post('/cases/:orderId/handled', json({ limit: '64kb' }), async (req, res) => {
    const id = orderId.safeParse(req.params.orderId);
    const { data } = resolution.safeParse(req.body);
    if (!id.success) return sendError(res, 404, NO_CASE);
    if (!data) return sendError(res, 400, 'Send { outcome, note } as JSON.');
    if (data.note.length > MAX_NOTE)
      return sendError(
        res,
        400,
        `The note has ${formatCount(data.note.length)} characters, and may have ${formatCount(MAX_NOTE)}. Shorten it, and keep the rest in your support system.`,
      );
    const note = toStorableText(data.note);
    const handled = await service.handleCase(id.data, { ...data, note });
    if (handled.result === 'handled') return res.json({ handledAt: handled.handledAt });
    if (handled.result === 'not-found') return sendError(res, 404, NO_CASE);
    if (handled.result === 'delivered')
      return sendError(
        res,
        409,
        'The shop has delivered this order in the meantime. Nothing was changed.',
      );
    sendError(
      res,
      409,
      handled.outcome
        ? `A colleague has already handled this case: ${OUTCOMES[handled.outcome]}. Nothing was changed.`
        : CASE_CHANGED,
    );
  });
  router.post('/cases/:orderId/reopen', json({ limit: '1kb' }), async (req, res) => {
    const id = orderId.safeParse(req.params.orderId);
    const { data } = reopening.safeParse(req.body);
    if (id.success && data && (await service.reopenCase(id.data, data.handledAt)))
      return res.json({ reopened: true });
    sendError(res, 409, CASE_CHANGED);
  });
  return router;
}

const SYNC_FAILED =
  "The service's order list could not be read. The shop tries again by itself; the server's log has the error.";

const CASE_CHANGED = 'A colleague has changed this case in the meantime. Nothing was changed.';

const NO_CASE = 'This order needs nobody any more, or does not exist.';

const formatCount = (count: number): string => count.toLocaleString('en');

/**
 * Removes control characters except line breaks and tabs, and replaces lone surrogates: PostgreSQL cannot store NUL,
 * and UTF-8 cannot encode a lone surrogate. Also removes the marks that reverse the direction of text, because they
 * can make a note read differently than it was written.
 */
const toStorableText = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();

const PATH = '/api/operator';

/**
 * Returns the options of the session cookie. With `SameSite=Strict`, browsers do not send the cookie with requests from
 * other sites.
 */
const getCookieOptions = (req: Request) =>
  ({ path: PATH, httpOnly: true, sameSite: 'strict', secure: req.secure }) as const;

function createOperatorCookie(origins: readonly string[]) {
  // With the prefix, browsers accept the cookie only with `Secure`. Without TLS, as in development, they reject it.
  const isHttpsOnly = origins.every((origin) => origin.startsWith('https:'));
  const name = isHttpsOnly ? '__Secure-operator' : 'operator';
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
