import { fileURLToPath } from 'node:url';
import {
  createPartnerApi,
  createRampHandler,
  createWidgetSigner,
} from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { errorHandler, notFound } from './errors.js';
import { shownListings } from './listings.js';
import { requestLogger } from './logger.js';
import { policy, type ShopContext } from './policy.js';
import { rampRateLimits } from './rate-limit.js';
import { securityHeaders } from './security-headers.js';
import { shopperOf, shopSession } from './session.js';
import { sessionRoutes } from './session-routes.js';
import { storefrontFiles } from './storefront-files.js';

/** Where the build puts the storefront, beside the compiled server. */
const BUILT_STOREFRONT = fileURLToPath(new URL('../storefront/', import.meta.url));

/** The shop: signing backend, demo session and storefront. It does not listen yet. */
export function createApp(config: Config, logger: Logger, storefront = BUILT_STOREFRONT): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.use(requestLogger(logger), ...securityHeaders(config));

  app.get('/health', (_req, res) => {
    res.json({ ok: true });
  });
  // All that the page needs to know, here and in the next. What is not listed stays on the server.
  app.get('/config.json', (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.json({ widgetUrl: config.widgetUrl });
  });
  app.get('/listings.json', (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.json({ listings: shownListings });
  });

  app.use(shopSession(config.sessionSecret));
  const handler = createRampHandler<ShopContext>({
    signer: createWidgetSigner({ partnerId: config.partnerId, secretKey: config.secretKey }),
    policy,
    api: createPartnerApi({
      baseUrl: config.apiUrl,
      partnerId: config.partnerId,
      privateKey: config.apiPrivateKey,
    }),
    allowedOrigins: config.shopOrigins,
    onError: (err) => logger.error({ err }, 'the ramp handler failed'),
  });
  app.use(
    '/api/ramp',
    ...rampRateLimits(),
    toExpress(handler, { context: (req) => ({ shopper: shopperOf(req) }) }),
  );
  app.use('/api/session', sessionRoutes(config.shopOrigins));
  app.use(storefrontFiles(storefront));
  app.use(notFound, errorHandler);
  return app;
}
