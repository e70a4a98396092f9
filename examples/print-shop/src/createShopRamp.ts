import { tracingChannel } from 'node:diagnostics_channel';
import { createRamp, type Ramp } from '@partner-ramp/react/server';
import { type SqlOrderStore, sqlOrderStore } from '@partner-ramp/react/server/sql';
import { createWebhookLog, type WebhookLog } from 'operator-page';
import type { Logger } from 'pino';
import { createPolicy } from './checkout/createPolicy.js';
import type { Config } from './config/readConfig.js';
import type { ShopDatabase } from './database/openDatabase.js';
import { createErrorLogger } from './http/createLogger.js';
import { orderOutcomes } from './orders/orderOutcomes.js';
import type { PrintReservations } from './prints/printReservations.js';
import type { Shopper } from './session/Shopper.js';
import { createRefusalReport } from './webhooks/createRefusalReport.js';

/** What the shop builds from `@partner-ramp/react/server`. */
interface ShopRamp {
  readonly ramp: Ramp<Shopper | undefined>;
  readonly store: SqlOrderStore;
  readonly webhookLog: WebhookLog;
  /** Writes the pending counts of the webhook log and of the report of refused webhooks, and counts no further ones. */
  close(): Promise<void>;
}

interface ShopRampOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: ShopDatabase;
  readonly prints: PrintReservations;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the handler of `/api/ramp` and what finds and delivers the orders. */
export function createShopRamp(options: ShopRampOptions): ShopRamp {
  const { config, logger, database, prints, now } = options;
  const logErrors = createErrorLogger(logger);
  const logRampError = logErrors('ramp failed');
  const { deliver, review, recordFailure } = orderOutcomes(database, now);
  const refusals = createRefusalReport((reasons) => logger.warn({ reasons }, 'webhooks refused'));
  const store = sqlOrderStore(database.db);
  const ramp = createRamp({
    apiUrl: config.apiUrl,
    partnerId: config.partnerId,
    secretKey: config.secretKey,
    apiPrivateKey: config.apiPrivateKey,
    webhookPublicKey: config.webhookPublicKey,
    webhookUrl: config.webhookUrl,
    store,
    allowedOrigins: config.shopOrigins,
    pollSeconds: config.pollSeconds,
    getShopper: ({ context }: { readonly context: Shopper | undefined }) => context,
    policy: createPolicy(prints, now),
    deliver,
    review,
    onError(error) {
      if (refusals.count(error)) return;
      logRampError(error);
      return recordFailure(error);
    },
  });
  const webhookLog = createWebhookLog(database, {
    now,
    onError: logErrors('webhook log could not be written'),
  });
  // The channel belongs to the process, which runs one shop.
  const { asyncEnd } = tracingChannel('partner-ramp:webhook');
  asyncEnd.subscribe(webhookLog.count);
  return {
    ramp,
    store,
    webhookLog,
    async close() {
      asyncEnd.unsubscribe(webhookLog.count);
      refusals.flush();
      await webhookLog.flush();
    },
  };
}
