import type { Request, Response } from 'express';
import { SESSION_SECONDS } from './operatorSessions.js';

const NAME = 'operator';
const PATH = '/api/operator';

/** The token that a request brings, if it has the form of one. */
export function tokenOf(req: Request): string | undefined {
  return /(?:^|;\s*)operator=([A-Za-z0-9_-]{43})(?:;|$)/.exec(req.get('cookie') ?? '')?.[1];
}

/** `SameSite=Strict`: no other page's request brings it. */
const attributes = (req: Request) =>
  ({ path: PATH, httpOnly: true, sameSite: 'strict', secure: req.secure }) as const;

export function keepToken(req: Request, res: Response, token: string): void {
  res.cookie(NAME, token, { ...attributes(req), maxAge: SESSION_SECONDS * 1000 });
}

export function dropToken(req: Request, res: Response): void {
  res.clearCookie(NAME, attributes(req));
}
