import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import type { Config } from '../config/readConfig.js';
import { sendError } from './errors.js';
import { isForwardedIgnored } from './proxyWarnings.js';
import { getRoutedPath } from './requests.js';

/**
 * Creates the rate limits of `/api/ramp`. In one minute, an address (with IPv6, a /56 network) may open or continue 60
 * checkouts, request 300 prices or lists of currencies, and read or list checkouts 600 times. Each process counts its
 * own requests. If you run several instances, use a shared store.
 *
 * Webhooks are not limited. The service sends all webhooks from few addresses, and sends each webhook only once, so a
 * rejected one would be lost. A forged webhook costs little: the server reads at most 64 KB, checks one signature, and
 * logs no line.
 */
export const rampRateLimits = (): readonly RequestHandler[] => [
  createLimit(60, 'Too many checkouts. Wait a minute and try again.', isCheckout),
  createLimit(300, 'Too many price requests. Wait a minute and try again.', isPrice),
  createLimit(600, 'Too many status requests. Wait a minute and try again.', isStatus),
];

const isWebhook = (req: Request) => getRoutedPath(req) === '/webhook';
const isStatus = (req: Request) => req.method !== 'POST' && isUnderCheckouts(req);
const isUnderCheckouts = (req: Request) => /^\/checkouts(?:\/|$)/.test(getRoutedPath(req));
const isCheckout = (req: Request) => req.method === 'POST' && !isWebhook(req);
const isPrice = (req: Request) => req.method !== 'POST' && !isStatus(req);

/** Limits requests for the shop's lists to 600 a minute from one address. */
export const listRateLimit = (): RequestHandler =>
  createLimit(600, 'Too many requests. Wait a minute and try again.');

/**
 * Limits sign-ins and sign-outs to 60 a minute from one address, because each of them can add a row to the database.
 * The row stays until the former session would have expired.
 */
export const sessionRateLimit = (): RequestHandler =>
  createLimit(60, 'Too many sign-ins and sign-outs. Wait a minute and try again.');

/**
 * Limits wrong passwords to ten from one address within 15 minutes. Behind a proxy that is not trusted (see
 * TRUST_PROXY), the caller's address is unknown. All callers then share one limit of 100, so that a few wrong
 * passwords of others do not lock the operator out. A password of twelve random characters cannot be guessed within
 * either limit.
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
    // Turn off the library's warning about X-Forwarded-For: any caller can send this header, and without TRUST_PROXY
    // it is ignored.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res) => sendError(res, 429, words),
    ...more,
  });
}
