import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { refuse } from './errors.js';

/**
 * From one address (one /56 of IPv6) at most 60 checkouts and 300 prices a minute. Counted in this
 * process: with several instances, give it a shared store.
 */
export const rampRateLimits = (): readonly RequestHandler[] => [
  limitOf(60, 'Too many checkouts were asked for. Wait a minute and try again.', isCheckout),
  limitOf(300, 'Too many prices were asked for. Wait a minute and try again.', isPrice),
];

const isCheckout = (req: Request) => req.method === 'POST';
const isPrice = (req: Request) => !isCheckout(req);

function limitOf(limit: number, words: string, counts: (req: Request) => boolean) {
  return rateLimit({
    windowMs: 60_000,
    limit,
    skip: (req) => !counts(req),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Anybody can send X-Forwarded-For. Unless TRUST_PROXY says so it is ignored, without a word.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res) => refuse(res, 429, words),
  });
}
