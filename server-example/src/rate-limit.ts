import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { refuse } from './errors.js';

/**
 * At most 60 requests a minute from one address (one /56 of IPv6). Counted in this process: with
 * several instances, give it a shared store.
 */
export function rampRateLimit(): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: 60,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Anybody can send X-Forwarded-For. Unless TRUST_PROXY says so it is ignored, without a word.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res) =>
      refuse(res, 429, 'Too many checkouts were asked for. Wait a minute and try again.'),
  });
}
