/** Types of the parts that the shop uses, because the package has no types. */
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
