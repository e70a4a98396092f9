/** Types for the parts of cookie-session that the shop uses. The package has no types of its own. */
declare module 'cookie-session' {
  import type { RequestHandler } from 'express';

  interface CookieSessionOptions {
    readonly name: string;
    readonly keys: readonly string[];
    readonly httpOnly: boolean;
    readonly sameSite: 'lax' | 'strict';
    readonly maxAge: number;
  }

  export default function cookieSession(options: CookieSessionOptions): RequestHandler;
}
