import type { RampHandler } from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { errorHandler, notFound } from './errors.js';
import { requestLogger } from './logger.js';
import type { OperatorDesk } from './operator/operatorDesk.js';
import { operatorRoutes } from './operator/operatorRoutes.js';
import type { OperatorSessions } from './operator/operatorSessions.js';
import { orderRoutes } from './order-routes.js';
import type { ShopperOrders } from './orders/shopperOrders.js';
import type { ShopContext } from './policy.js';
import type { PrintDesk } from './prints/createPrintDesk.js';
import { shownListings } from './prints/listings.js';
import { listRateLimit, rampRateLimits } from './rate-limit.js';
import { securityHeaders } from './security-headers.js';
import { shopperOf, shopSession } from './session.js';
import { sessionRoutes } from './session-routes.js';
import { storefrontFiles } from './storefront-files.js';

interface AppParts {
  readonly config: Config;
  readonly logger: Logger;
  /** Where the built storefront is. */
  readonly storefront: string;
  /** Returns whether the database can be used. */
  readonly isReady: () => Promise<boolean>;
  readonly handler: RampHandler<ShopContext>;
  readonly prints: PrintDesk;
  readonly orders: ShopperOrders;
  readonly operator:
    | { readonly sessions: OperatorSessions; readonly desk: OperatorDesk }
    | undefined;
}

/** The routes of the shop: signing backend, demo session, lists and pages. */
export function createApp({ config, logger, storefront, handler, ...parts }: AppParts): Express {
  const { isReady, prints, orders, operator } = parts;
  const { shopOrigins } = config;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.use(requestLogger(logger), ...securityHeaders(config));

  app.get('/health', (_req, res) => {
    res.json({ ok: true });
  });
  app.get('/ready', async (_req, res) => {
    const ready = await isReady();
    res.status(ready ? 200 : 503).json({ ready });
  });
  // All that the page needs to know, here and in the next. What is not listed stays on the server.
  app.get('/config.json', (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.json({ widgetUrl: config.widgetUrl });
  });

  app.use(shopSession(config.sessionSecret));
  app.get('/listings.json', listRateLimit(), async (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    const states = await prints.states(shopperOf(req)?.id);
    const listings = shownListings.map((listing) => ({
      ...listing,
      ...(states.get(listing.id) ?? { state: 'for-sale' }),
    }));
    res.json({ listings });
  });
  app.use(
    '/api/ramp',
    ...rampRateLimits(),
    toExpress(handler, { context: (req) => ({ shopper: shopperOf(req) }) }),
  );
  app.use('/api/session', sessionRoutes(shopOrigins));
  app.use('/api/orders', listRateLimit(), orderRoutes(orders, shopOrigins));
  app.use('/api/operator', listRateLimit(), operatorRoutes({ shopOrigins, operator }));
  app.use(storefrontFiles(storefront));
  app.use(notFound, errorHandler);
  return app;
}
