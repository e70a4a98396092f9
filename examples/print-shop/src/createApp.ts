import type { RampHandler } from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express, { type Express, type Request } from 'express';
import { type OperatorService, type OperatorSessions, operatorRoutes } from 'operator-page';
import type { Logger } from 'pino';
import type { Config } from './config/readConfig.js';
import { setBrowserProtocol } from './http/cookies.js';
import { createRequestLogger } from './http/createLogger.js';
import { errorHandler, notFound } from './http/errors.js';
import type { CreateCounter } from './http/limitCounters.js';
import { warnAboutForwarded, warnAboutMissingProxy } from './http/proxyWarnings.js';
import { rateLimits } from './http/rateLimits.js';
import { getRoutedPath } from './http/requests.js';
import { securityHeaders } from './http/securityHeaders.js';
import { orderRoutes } from './orders/orderRoutes.js';
import type { ShopperOrders } from './orders/shopperOrders.js';
import { publicListings } from './prints/listings.js';
import type { PrintReservations } from './prints/printReservations.js';
import type { ShopSessions } from './session/createShopSessions.js';
import type { Shopper } from './session/Shopper.js';
import { sessionCookie } from './session/sessionCookie.js';
import { sessionRoutes } from './session/sessionRoutes.js';
import { storefrontFiles } from './storefrontFiles.js';

interface AppParts {
  readonly config: Config;
  readonly logger: Logger;
  /** The folder of the built storefront. */
  readonly storefront: string;
  /** Returns whether the database can be used. */
  readonly isReady: () => Promise<boolean>;
  readonly sessions: ShopSessions;
  readonly handler: RampHandler<Shopper | undefined>;
  readonly createCounter: CreateCounter;
  readonly prints: PrintReservations;
  readonly orders: ShopperOrders;
  readonly operator:
    | { readonly sessions: OperatorSessions; readonly service: OperatorService }
    | undefined;
}

/** Creates the app: the ramp handler, the session, the lists of prints and orders, the operator's data, the pages. */
export function createApp({ config, logger, storefront, sessions, ...parts }: AppParts): Express {
  const { handler, isReady, prints, orders, operator, createCounter } = parts;
  const limits = rateLimits(createCounter, config);
  const { shopOrigins } = config;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  warnAboutMissingProxy(config, logger);
  app.use(warnAboutForwarded(config, logger), setBrowserProtocol(shopOrigins));
  app.use(createRequestLogger(logger), ...securityHeaders(config));

  app.get('/health', (_req, res) => {
    res.json({ ok: true });
  });
  app.get('/ready', async (_req, res) => {
    const ready = await isReady();
    res.status(ready ? 200 : 503).json({ ready });
  });
  // Publish only the widget's URL, because the rest of the configuration contains secrets.
  app.get('/config.json', (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.json({ widgetUrl: config.widgetUrl });
  });

  app.use(...sessionCookie(config.sessionSecret, shopOrigins));
  app.get('/listings.json', limits.list('listings'), async (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    const states = await prints.listStates((await sessions.getShopper(req))?.id);
    const listings = publicListings.map((listing) => ({
      ...listing,
      ...(states.get(listing.id) ?? { state: 'for-sale' }),
    }));
    res.json({ listings });
  });
  app.use(
    '/api/ramp',
    ...limits.ramp,
    toExpress(handler, {
      // Query the session only for checkouts: prices and webhooks do not depend on the shopper.
      context: async (req) => (isOfShopper(req) ? sessions.getShopper(req) : undefined),
    }),
  );
  app.use(
    '/api/session',
    limits.list('sessions'),
    sessionRoutes(sessions, shopOrigins, limits.session),
  );
  app.use('/api/orders', limits.list('orders'), orderRoutes(orders, sessions));
  app.use(
    '/api/operator',
    limits.list('operator'),
    operatorRoutes({ origins: shopOrigins, operator, loginLimit: limits.login }),
  );
  app.use(storefrontFiles(storefront, sessions));
  app.use(notFound, errorHandler);
  return app;
}

const isOfShopper = (req: Request) => /^\/checkouts(?:\/|$)/.test(getRoutedPath(req));
