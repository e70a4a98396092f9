import { randomBytes } from 'node:crypto';
import cookieSession from 'cookie-session';
import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { dropAmbiguousCookies, getCookieNames } from '../http/cookies.js';
import type { Account } from './Shopper.js';

const randomId = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

/** The content of the signed cookie, without personal data. */
const schema = z.object({
  /** A new ID at each sign-in and sign-out. */
  id: randomId,
  visitor: randomId,
  /** `null`: signed out. */
  account: z.enum(['a', 'b']).nullable(),
  /** Unix seconds. The browser may keep the cookie for longer. */
  expiresAt: z.int(),
});

export type Session = z.infer<typeof schema>;

const LIFE_SECONDS = 30 * 86_400;

/** Reads and writes the session cookie. It is `Secure` if the browser's connection is. */
export function sessionCookie(
  secret: string,
  shopOrigins: readonly string[],
): readonly RequestHandler[] {
  const { session: name } = getCookieNames(shopOrigins);
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

/** Returns the session of the cookie. It may have been signed out since. */
export function readSession(req: Request, seconds: number): Session | undefined {
  const { data } = schema.safeParse((req as { session?: unknown }).session);
  return data && data.expiresAt > seconds ? data : undefined;
}

/** Starts a session, for a new visitor unless one is given. */
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
