import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import type { Config } from '../config/readConfig.js';
import { sendError } from './errors.js';
import type { CreateCounter } from './limitCounters.js';
import { isForwardedIgnored } from './proxyWarnings.js';
import { getRoutedPath } from './requests.js';

/** The rate limits of the shop. With PostgreSQL, all instances count together. */
export interface RateLimits {
  /**
   * The limits of `/api/ramp`. In one minute, an address (with IPv6, a /56 network) may open or continue 60 checkouts,
   * request 300 prices or lists of currencies, and read or list checkouts 600 times.
   *
   * Webhooks are not limited. The service sends all webhooks from few addresses, and sends each webhook only once, so a
   * rejected one would be lost. A forged webhook costs little: the server reads at most 64 KB, checks one signature, and
   * logs no line.
   */
  readonly ramp: readonly RequestHandler[];
  /**
   * Limits requests for one of the shop's lists to 600 a minute from one address.
   *
   * @param name - The name of the list. Each list is counted separately.
   */
  list(name: string): RequestHandler;
  /**
   * Limits sign-ins and sign-outs to 60 a minute from one address, because each of them can add a row to the database.
   * The row stays until the former session would have expired.
   */
  readonly session: RequestHandler;
  /**
   * Limits wrong passwords to ten from one address within 15 minutes. Behind a proxy that is not trusted (see
   * TRUST_PROXY), the caller's address is unknown. All callers then share one limit of 100, so that a few wrong
   * passwords of others do not lock the operator out. A password of twelve random characters cannot be guessed within
   * either limit.
   */
  readonly login: RequestHandler;
}

export function rateLimits(
  createCounter: CreateCounter,
  config: Pick<Config, 'trustProxy'>,
): RateLimits {
  const createLimit = (options: LimitOptions) => createRateLimit(createCounter, options);
  return {
    ramp: [
      createLimit({
        name: 'checkouts',
        limit: 60,
        words: 'Too many checkouts. Wait a minute and try again.',
        counts: isCheckout,
      }),
      createLimit({
        name: 'prices',
        limit: 300,
        words: 'Too many price requests. Wait a minute and try again.',
        counts: isPrice,
      }),
      createLimit({
        name: 'states',
        limit: 600,
        words: 'Too many status requests. Wait a minute and try again.',
        counts: isStatus,
      }),
    ],
    list: (name) =>
      createLimit({
        name: `list-${name}`,
        limit: 600,
        words: 'Too many requests. Wait a minute and try again.',
      }),
    session: createLimit({
      name: 'sessions',
      limit: 60,
      words: 'Too many sign-ins and sign-outs. Wait a minute and try again.',
    }),
    login: createLimit({
      name: 'logins',
      limit: 100,
      seconds: 15 * 60,
      words: 'Too many attempts. Wait 15 minutes and try again.',
      more: {
        skipSuccessfulRequests: true,
        limit: (req) => (isForwardedIgnored(req, config) ? 100 : 10),
        keyGenerator: (req) =>
          isForwardedIgnored(req, config) ? 'behind a proxy' : ipKeyGenerator(req.ip ?? ''),
      },
    }),
  };
}

const isWebhook = (req: Request) => getRoutedPath(req) === '/webhook';
/** Each checkout that is opened is reported with a POST, beside the one that signed it. */
const isReport = (req: Request) => getRoutedPath(req).endsWith('/opened');
const isStatus = (req: Request) =>
  (req.method !== 'POST' || isReport(req)) && isUnderCheckouts(req);
const isUnderCheckouts = (req: Request) => /^\/checkouts(?:\/|$)/.test(getRoutedPath(req));
const isCheckout = (req: Request) => req.method === 'POST' && !isWebhook(req) && !isReport(req);
const isPrice = (req: Request) => req.method !== 'POST' && !isStatus(req);

interface LimitOptions {
  readonly name: string;
  readonly limit: number;
  readonly words: string;
  readonly seconds?: number;
  readonly counts?: (req: Request) => boolean;
  readonly more?: Partial<Options>;
}

function createRateLimit(
  createCounter: CreateCounter,
  { name, limit, words, seconds = 60, counts = () => true, more = {} }: LimitOptions,
): RequestHandler {
  const counter = createCounter(name, limit, { seconds });
  return rateLimit({
    windowMs: seconds * 1000,
    limit,
    skip: (req) => !counts(req),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Turn off the library's warning about X-Forwarded-For: any caller can send this header, and without TRUST_PROXY
    // it is ignored.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res) => sendError(res, 429, words),
    store: {
      prefix: name,
      async increment(key) {
        const { count, resetTime } = await counter.increment(key);
        return { totalHits: count, resetTime };
      },
      decrement: counter.decrement,
      resetKey: counter.reset,
    },
    ...more,
  });
}
