import { randomBytes } from 'node:crypto';
import cookieSession from 'cookie-session';
import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { dropAmbiguousCookies, getCookieName } from '../http/cookies.js';
import type { Account } from './Shopper.js';

const randomId = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

/** The content of the cookie. It is signed but not encrypted, so it identifies the visitor only by random IDs. */
const schema = z.object({
  /** A new ID at each sign-in and sign-out. */
  id: randomId,
  visitor: randomId,
  /** `null` if the visitor is signed out. */
  account: z.enum(['a', 'b']).nullable(),
  /** Unix seconds. The server checks this time, because a browser may keep the cookie for longer. */
  expiresAt: z.int(),
});

export type Session = z.infer<typeof schema>;

const LIFE_SECONDS = 30 * 86_400;

/**
 * Creates the middleware that reads and writes the session cookie. The cookie is `Secure` if the browser's connection
 * is.
 */
export function sessionCookie(
  secret: string,
  shopOrigins: readonly string[],
): readonly RequestHandler[] {
  const name = getCookieName(shopOrigins);
  return [
    dropAmbiguousCookies(name, `${name}.sig`),
    cookieSession({
      name,
      keys: [secret],
      httpOnly: true,
      sameSite: 'lax',
      maxAge: LIFE_SECONDS * 1000,
    }),
  ];
}

/** Returns the session in the cookie, unless it has expired. This does not check whether the session was signed out. */
export function readSession(req: Request, seconds: number): Session | undefined {
  const { data } = schema.safeParse((req as { session?: unknown }).session);
  return data && data.expiresAt > seconds ? data : undefined;
}

/** Starts a session and writes it to the cookie. Without `visitor`, it belongs to a new visitor. */
export function writeSession(
  req: Request,
  account: Account | null,
  seconds: number,
  visitor = createId(),
): void {
  const session: Session = { id: createId(), visitor, account, expiresAt: seconds + LIFE_SECONDS };
  (req as { session?: unknown }).session = session;
}

const createId = () => randomBytes(16).toString('base64url');
