import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
  type OrderStore,
  type OrderTracker,
  type RampHandler,
} from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import type { Logger } from 'pino';
import { createPolicy, type ShopContext } from './checkout/createPolicy.js';
import type { Config } from './config/readConfig.js';
import type { ShopDatabase } from './database/openDatabase.js';
import { createErrorLogger } from './http/createLogger.js';
import { createOrderChangeHandler } from './orders/createOrderChangeHandler.js';
import type { PrintReservations } from './prints/printReservations.js';
import { createRefusalReport } from './webhooks/createRefusalReport.js';
import { createWebhookLog, type WebhookLog } from './webhooks/createWebhookLog.js';

/** What the shop builds from `@partner-ramp/react/server`. */
interface ShopRamp {
  readonly handler: RampHandler<ShopContext>;
  readonly store: OrderStore;
  readonly tracker: OrderTracker;
  readonly webhookLog: WebhookLog;
  /** Stops the order tracker. */
  stop(): Promise<void>;
  /** Writes the pending counts of the webhook log and of the report of refused webhooks. */
  flush(): Promise<void>;
}

interface ShopRampOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: ShopDatabase;
  readonly prints: PrintReservations;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the handler of `/api/ramp` with its signer, order tracker and webhook verifier. */
export function createShopRamp(options: ShopRampOptions): ShopRamp {
  const { config, logger, database, prints, now } = options;
  const logErrors = createErrorLogger(logger);
  const store = sqlOrderStore(database.db);
  const api = createPartnerApi({
    baseUrl: config.apiUrl,
    partnerId: config.partnerId,
    privateKey: config.apiPrivateKey,
  });
  const tracker = createOrderTracker({
    api,
    store,
    now,
    pollSeconds: config.pollSeconds,
    onOrderChange: createOrderChangeHandler(database, now),
    onError: logErrors('sync or delivery failed and is retried'),
  });
  const verifier = createWebhookVerifier({
    publicKey: config.webhookPublicKey,
    url: config.webhookUrl,
    replays: store,
    now,
  });
  const webhookLog = createWebhookLog(database, {
    now,
    onError: logErrors('webhook log could not be written'),
  });
  const refusals = createRefusalReport((reasons) => logger.warn({ reasons }, 'webhooks refused'));
  const onHandlerError = logErrors('ramp handler failed');
  const handler = createRampHandler<ShopContext>({
    signer: createWidgetSigner({ partnerId: config.partnerId, secretKey: config.secretKey }),
    policy: createPolicy(prints, now),
    api,
    store,
    tracker,
    webhooks: webhookLog.countResults(verifier),
    getSubject: ({ context }) => context.shopper?.id,
    allowedOrigins: config.shopOrigins,
    now,
    onError: (error) => {
      if (!refusals.count(error)) onHandlerError(error);
    },
  });
  return {
    handler,
    store,
    tracker,
    webhookLog,
    stop: () => tracker.stop(),
    async flush() {
      refusals.flush();
      await webhookLog.flush();
    },
  };
}
