import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Lets only your staff pass, who enter the password in the browser's dialog. Your staff sign-in replaces it. */
export const requireOperator =
  (password: string | undefined): RequestHandler =>
  (req, res, next) => {
    if (!password) return void res.status(404).send('Set OPERATOR_PASSWORD to see the reviews.');
    const [scheme, credentials = ''] = (req.get('Authorization') ?? '').split(' ');
    const [, given = ''] = Buffer.from(credentials, 'base64').toString().split(/:(.*)/s);
    if (scheme === 'Basic' && isSame(given, password)) return next();
    res.set('WWW-Authenticate', 'Basic realm="Reviews"').status(401).send('Wrong password.');
  };

/** Compares two texts in a time that does not depend on where they differ. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(hash(a), hash(b));

const hash = (text: string) => createHash('sha256').update(text).digest();
