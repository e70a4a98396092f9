import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/readConfig.js';
import { isHttpsOnly } from './cookies.js';

type ProxyConfig = Pick<Config, 'trustProxy' | 'shopOrigins'>;

const CONSEQUENCE =
  'all requests have the address of the proxy, so the rate limits and the limit on wrong operator passwords apply to all callers together. Set TRUST_PROXY to the number of proxies.';

/**
 * Logs a warning at start if the pages are https but no proxy is trusted. This server has no TLS, so there must be a
 * proxy.
 */
export function warnAboutMissingProxy({ trustProxy, shopOrigins }: ProxyConfig, logger: Logger) {
  if (trustProxy === 0 && isHttpsOnly(shopOrigins))
    logger.warn(
      `SHOP_ORIGIN is https, so a proxy terminates TLS, but TRUST_PROXY is 0: ${CONSEQUENCE}`,
    );
}

/**
 * Creates middleware that logs one warning when a request has a forwarded address but TRUST_PROXY is 0, so that the
 * address is ignored.
 */
export function warnAboutForwarded(config: ProxyConfig, logger: Logger): RequestHandler {
  let isLogged = false;
  return (req, _res, next) => {
    if (!isLogged && isForwardedIgnored(req, config)) {
      isLogged = true;
      logger.warn(
        `a request has X-Forwarded-For, but TRUST_PROXY is 0. If a proxy sent it, ${CONSEQUENCE}`,
      );
    }
    next();
  };
}

/**
 * Returns whether a request has a forwarded address that is ignored. A proxy may have sent the request, but any caller
 * can send this header too.
 */
export const isForwardedIgnored = (req: Request, { trustProxy }: Pick<Config, 'trustProxy'>) =>
  trustProxy === 0 && req.headers['x-forwarded-for'] !== undefined;
