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
import { createApp } from './app.js';
import type { Config } from './config.js';
import { openDatabase } from './database/openDatabase.js';
import { operatorDesk } from './operator/operatorDesk.js';
import { operatorSessions } from './operator/operatorSessions.js';
import { bookChange } from './orders/bookChange.js';
import { createRefusalReport } from './orders/createRefusalReport.js';
import { createWebhookLog } from './orders/createWebhookLog.js';
import { shopperOrders } from './orders/shopperOrders.js';
import { createPolicy, type ShopContext } from './policy.js';
import { createPrintDesk } from './prints/createPrintDesk.js';
import { createReadiness, queryDatabase } from './readiness.js';
import { createShopSessions } from './session/createShopSessions.js';

/** A shop with its database open. */
export interface OpenShop {
  readonly app: Express;
  /** Begins to look for orders. */
  start(): void;
  /** Ends what would go on for ever: event streams, and the search for orders. */
  quiet(): Promise<void>;
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
const STREAMS = { perSubject: 3, inAll: 5000 };

/** Puts the shop together: database, order tracker, webhooks, ramp handler and pages. */
export async function openShop(
  config: Config,
  logger: Logger,
  { storefront, now = Date.now }: ShopOptions,
): Promise<OpenShop> {
  const hear = (what: string) => (err: unknown) => logger.error({ err }, what);
  const database = await openDatabase(config, hear('a connection to the database broke'));
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
      onOrderChange: bookChange(database, now),
      onError: hear('a sweep or a delivery failed, and is tried again'),
    });
    const webhookLog = createWebhookLog(database, {
      now,
      onError: hear('the log of webhooks could not be written'),
    });
    const refusals = createRefusalReport((reasons) =>
      logger.warn({ reasons }, 'webhooks were refused'),
    );
    const onHandlerError = hear('the ramp handler failed');
    const verifier = createWebhookVerifier({
      publicKey: config.webhookPublicKey,
      url: config.webhookUrl,
      replays: store,
      now,
    });
    const sessions = createShopSessions(database, {
      now,
      onError: hear('the sessions of open streams could not be read'),
    });
    const prints = createPrintDesk(database, now);
    const handler = createRampHandler<ShopContext>({
      signer: createWidgetSigner({ partnerId: config.partnerId, secretKey: config.secretKey }),
      policy: createPolicy(prints, now),
      api,
      store,
      tracker,
      webhooks: webhookLog.counting(verifier),
      subjectOf: ({ context }) => context.shopper?.id,
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
      isReady: createReadiness(() => queryDatabase(database)),
      handler,
      prints,
      orders: shopperOrders(database, store, now),
      operator:
        operatorPassword === undefined
          ? undefined
          : {
              sessions: operatorSessions(database, operatorPassword, now),
              desk: operatorDesk({ database, store, tracker, webhookLog, now }),
            },
    });
    return {
      app,
      start: tracker.start,
      async quiet() {
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
