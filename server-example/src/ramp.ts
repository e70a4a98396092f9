import { createRamp } from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import type { ShopDatabase } from './database.js';
import { deliver, review } from './orders.js';
import { findShopper } from './shoppers.js';
import { policy } from './wallets.js';

/**
 * Creates the backend of the checkout. This is the only place that reads the SecretKey. It goes into `createRamp` and
 * nowhere else: what leaves the server is a signature of single parameters, never the key.
 *
 * @throws RampError `ERR_CONFIG_INVALID` if a variable is missing or malformed. The message doesn't contain its value.
 */
export function createShopRamp(database: ShopDatabase) {
  const { env } = process;
  return createRamp({
    apiUrl: env.RAMP_API_URL,
    partnerId: env.RAMP_PARTNER_ID,
    secretKey: env.RAMP_SECRET_KEY, // signs the parameters of the widget
    apiPrivateKey: env.RAMP_API_PRIVATE_KEY, // signs requests to the service: prices and orders
    webhookPublicKey: env.RAMP_WEBHOOK_PUBLIC_KEY, // verifies webhooks; not secret
    webhookUrl: env.RAMP_WEBHOOK_URL,
    store: sqlOrderStore(database),
    allowedOrigins: env.SHOP_ORIGIN?.split(',') ?? [],
    pollSeconds: Number(env.RAMP_POLL_SECONDS || 60),
    getShopper: ({ request }) => findShopper(request.headers.get('cookie')),
    policy,
    deliver,
    review,
  });
}
