import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import type { Config } from '../config/readConfig.js';
import { sendError } from './errors.js';
import { isForwardedIgnored } from './proxyWarnings.js';
import { getRoutedPath } from './requests.js';

/**
 * Creates the rate limits of `/api/ramp`: per minute and address (one /56 of IPv6), 60 checkouts, 300
 * prices and 600 reads of a checkout. Each process counts its own requests; several instances need a
 * shared store.
 *
 * Webhooks are not limited, because the service sends each of them once and from few addresses, so a
 * rejected one would be lost. A forged webhook costs at most 64 KB of reading and one signature check, and
 * has no separate line in the log.
 */
export const rampRateLimits = (): readonly RequestHandler[] => [
  createLimit(60, 'Too many checkouts. Wait a minute and try again.', isCheckout),
  createLimit(300, 'Too many price requests. Wait a minute and try again.', isPrice),
  createLimit(600, 'Too many status requests. Wait a minute and try again.', isStatus),
];

const isWebhook = (req: Request) => getRoutedPath(req) === '/webhook';
const isStatus = (req: Request) => req.method !== 'POST' && isUnderCheckouts(req);
const isUnderCheckouts = (req: Request) => getRoutedPath(req).startsWith('/checkouts/');
const isCheckout = (req: Request) => req.method === 'POST' && !isWebhook(req);
const isPrice = (req: Request) => req.method !== 'POST' && !isStatus(req);

/** Limits requests for the shop's lists: 600 a minute. */
export const listRateLimit = (): RequestHandler =>
  createLimit(600, 'Too many requests. Wait a minute and try again.');

/** Limits sign-ins and sign-outs: 60 a minute. Each leaves a row until the session would have expired. */
export const sessionRateLimit = (): RequestHandler =>
  createLimit(60, 'Too many sign-ins and sign-outs. Wait a minute and try again.');

/**
 * Limits wrong passwords to ten from one address within 15 minutes. Behind a proxy that is not trusted (see
 * TRUST_PROXY) the address is unknown, so the limit is 100 from all callers together: a few mistakes of
 * others must not lock the operator out. A password of twelve random characters withstands both limits.
 */
export const loginRateLimit = (config: Pick<Config, 'trustProxy'>): RequestHandler =>
  createLimit(10, 'Too many attempts. Wait 15 minutes and try again.', undefined, {
    windowMs: 15 * 60_000,
    skipSuccessfulRequests: true,
    limit: (req) => (isForwardedIgnored(req, config) ? 100 : 10),
    keyGenerator: (req) =>
      isForwardedIgnored(req, config) ? 'behind a proxy' : ipKeyGenerator(req.ip ?? ''),
  });

function createLimit(
  limit: number,
  words: string,
  counts: (req: Request) => boolean = () => true,
  more: Partial<Options> = {},
) {
  return rateLimit({
    windowMs: 60_000,
    limit,
    skip: (req) => !counts(req),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Any caller can send X-Forwarded-For. Without TRUST_PROXY it is ignored, so this warning is off.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res) => sendError(res, 429, words),
    ...more,
  });
}
