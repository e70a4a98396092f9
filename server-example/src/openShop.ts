import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWebhookVerifier,
  createWidgetSigner,
} from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { createPolicy, type ShopContext } from './checkout/createPolicy.js';
import type { Config } from './config/readConfig.js';
import { createApp } from './createApp.js';
import { createReadinessCheck, queryDatabase } from './database/createReadinessCheck.js';
import { openDatabase } from './database/openDatabase.js';
import { operatorService } from './operator/operatorService.js';
import { operatorSessions } from './operator/operatorSessions.js';
import { createOrderChangeHandler } from './orders/createOrderChangeHandler.js';
import { shopperOrders } from './orders/shopperOrders.js';
import { printReservations } from './prints/printReservations.js';
import { createShopSessions } from './session/createShopSessions.js';
import { createRefusalReport } from './webhooks/createRefusalReport.js';
import { createWebhookLog } from './webhooks/createWebhookLog.js';

/** A shop with its database open. */
export interface OpenShop {
  readonly app: Express;
  /** Begins to look for orders. */
  start(): void;
  /** Ends what would go on for ever: event streams, and the search for orders. */
  stopBackgroundWork(): Promise<void>;
  /** After the last request. */
  close(): Promise<void>;
}

interface ShopOptions {
  /** Where the built storefront is. */
  readonly storefront: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Streams of one shopper. A browser has six connections to one server at most, for all its pages. */
const STREAMS = { perSubject: 3, total: 5000 };

/** Puts the shop together: database, order tracker, webhooks, ramp handler and pages. */
export async function openShop(
  config: Config,
  logger: Logger,
  { storefront, now = Date.now }: ShopOptions,
): Promise<OpenShop> {
  const logErrors = (what: string) => (err: unknown) => logger.error({ err }, what);
  const database = await openDatabase(config, logErrors('database connection lost'));
  try {
    const stopping = new AbortController();
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
    const webhookLog = createWebhookLog(database, {
      now,
      onError: logErrors('webhook log could not be written'),
    });
    const refusals = createRefusalReport((reasons) => logger.warn({ reasons }, 'webhooks refused'));
    const onHandlerError = logErrors('ramp handler failed');
    const verifier = createWebhookVerifier({
      publicKey: config.webhookPublicKey,
      url: config.webhookUrl,
      replays: store,
      now,
    });
    const sessions = createShopSessions(database, {
      now,
      onError: logErrors('sessions of open streams could not be read'),
    });
    const prints = printReservations(database, now);
    const handler = createRampHandler<ShopContext>({
      signer: createWidgetSigner({ partnerId: config.partnerId, secretKey: config.secretKey }),
      policy: createPolicy(prints, now),
      api,
      store,
      tracker,
      webhooks: webhookLog.countResults(verifier),
      getSubject: ({ context }) => context.shopper?.id,
      maxStreams: STREAMS,
      signal: stopping.signal,
      allowedOrigins: config.shopOrigins,
      now,
      onError: (error) => {
        if (!refusals.count(error)) onHandlerError(error);
      },
    });
    const { operatorPassword } = config;
    const app = createApp({
      config,
      logger,
      storefront,
      sessions,
      isReady: createReadinessCheck(() => queryDatabase(database)),
      handler,
      prints,
      orders: shopperOrders(database, store, now),
      operator:
        operatorPassword === undefined
          ? undefined
          : {
              sessions: operatorSessions(database, operatorPassword, now),
              service: operatorService({ database, store, tracker, webhookLog, now }),
            },
    });
    return {
      app,
      start: tracker.start,
      async stopBackgroundWork() {
        stopping.abort();
        await tracker.stop();
      },
      async close() {
        refusals.flush();
        await webhookLog.flush();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
