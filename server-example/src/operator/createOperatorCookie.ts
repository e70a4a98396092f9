import type { Request, Response } from 'express';
import { getCookieNames, getUniqueCookie } from '../http/cookies.js';
import { SESSION_SECONDS } from './operatorSessions.js';

const PATH = '/api/operator';

/** `SameSite=Strict`: browsers do not send it with requests of other sites. */
const getCookieOptions = (req: Request) =>
  ({ path: PATH, httpOnly: true, sameSite: 'strict', secure: req.secure }) as const;

/** Creates the functions that read and write the operator's cookie. */
export function createOperatorCookie(shopOrigins: readonly string[]) {
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
