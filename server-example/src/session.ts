import { randomBytes } from 'node:crypto';
import cookieSession from 'cookie-session';
import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { type Account, demoShopper, type Shopper } from './shopper.js';

/** What the signed cookie holds: no name, no wallet, nothing worth stealing. */
const schema = z.object({
  visitor: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  /** `null`: signed out. */
  account: z.enum(['a', 'b']).nullable(),
});

type Session = z.infer<typeof schema>;

const DAY_MS = 86_400_000;

/** Reads and writes the session cookie. It is `Secure` wherever the request came over TLS. */
export function shopSession(secret: string): RequestHandler {
  return cookieSession({
    name: 'shop',
    keys: [secret],
    httpOnly: true,
    sameSite: 'lax',
    maxAge: 30 * DAY_MS,
  });
}

/** Who is signed in, if anybody. */
export function shopperOf(req: Request): Shopper | undefined {
  const session = read(req);
  return session?.account ? demoShopper(session.visitor, session.account) : undefined;
}

/** Signs in to a demo account, or out with `null`. A visitor stays the same visitor. */
export function signIn(req: Request, account: Account | null): void {
  const visitor = read(req)?.visitor ?? randomBytes(16).toString('base64url');
  (req as { session?: unknown }).session = { visitor, account } satisfies Session;
}

/** The first visit is signed in, so that the shop can be tried at once. */
export function signInFirstVisit(req: Request): void {
  if (!read(req)) signIn(req, 'a');
}

function read(req: Request): Session | undefined {
  return schema.safeParse((req as { session?: unknown }).session).data;
}
