import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import type { Config } from '../config/readConfig.js';
import { sendError } from './errors.js';
import { getRoutedPath } from './getRoutedPath.js';
import { isForwardedIgnored } from './proxyWarnings.js';

/**
 * Creates the rate limits of `/api/ramp`: per minute and address (one /56 of IPv6), 60 checkouts, 300
 * prices and 600 reads of a checkout. Each process counts its own requests; several instances need a
 * shared store.
 *
 * Webhooks are not limited: the service sends all of them from a few addresses, each one once, and a
 * refused one would be lost. A forged one costs reading at most 64 KB and one signature check, and
 * writes no separate line to the log.
 */
export const rampRateLimits = (): readonly RequestHandler[] => [
  createLimit(60, 'Too many checkouts were asked for. Wait a minute and try again.', isCheckout),
  createLimit(300, 'Too many prices were asked for. Wait a minute and try again.', isPrice),
  createLimit(600, 'Checkouts were looked at too often. Wait a minute and try again.', isStatus),
];

const isWebhook = (req: Request) => getRoutedPath(req) === '/webhook';
const isStatus = (req: Request) => req.method !== 'POST' && isUnderCheckouts(req);
const isUnderCheckouts = (req: Request) => getRoutedPath(req).startsWith('/checkouts/');
const isCheckout = (req: Request) => req.method === 'POST' && !isWebhook(req);
const isPrice = (req: Request) => req.method !== 'POST' && !isStatus(req);

/** The shop's own lists: 600 a minute. */
export const listRateLimit = (): RequestHandler =>
  createLimit(600, 'The shop was asked too often. Wait a minute and try again.');

/** Signing in and out: 60 a minute. Each leaves a row until the session would have expired. */
export const sessionRateLimit = (): RequestHandler =>
  createLimit(60, 'You signed in or out too often. Wait a minute and try again.');

/**
 * Ten wrong passwords from one address within a quarter of an hour. Behind a proxy that is not trusted
 * (see TRUST_PROXY) the address is not known: 100 from all callers together, so that the mistakes of a
 * few do not lock the operator out. A password of twelve random characters withstands either number.
 */
export const loginRateLimit = (config: Pick<Config, 'trustProxy'>): RequestHandler =>
  createLimit(10, 'Too many attempts. Wait a quarter of an hour.', undefined, {
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
    // Anybody can send X-Forwarded-For. It is ignored without a warning unless TRUST_PROXY is set.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res) => sendError(res, 429, words),
    ...more,
  });
}
