import type { Express } from 'express';
import { operatorService, operatorSessions } from 'operator-page';
import type { Logger } from 'pino';
import type { Config } from './config/readConfig.js';
import { createApp } from './createApp.js';
import { createShopRamp } from './createShopRamp.js';
import {
  createReadinessCheck,
  openDatabase,
  queryDatabase,
  type ShopDatabase,
} from './database/openDatabase.js';
import { shopperErasures } from './erasure/shopperErasures.js';
import { createErrorLogger } from './http/createLogger.js';
import { limitCounters } from './http/limitCounters.js';
import { operatorShop } from './orders/operatorShop.js';
import { shopperOrders } from './orders/shopperOrders.js';
import { printReservations } from './prints/printReservations.js';
import { createShopSessions } from './session/createShopSessions.js';

export interface OpenShop {
  readonly app: Express;
  /** Starts to read the order list, and a job that continues incomplete erasures once an hour. */
  start(): void;
  /** Stops what `start` has started. */
  stopBackgroundWork(): Promise<void>;
  /** Writes the counts of webhooks that are still pending, and closes the database. Call it after the last request. */
  close(): Promise<void>;
}

interface ShopOptions {
  /** The folder of the built storefront. */
  readonly storefront: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the database and creates all parts of the shop. Nothing runs in the background until `start` is called. */
export async function openShop(
  config: Config,
  logger: Logger,
  { storefront, now = Date.now }: ShopOptions,
): Promise<OpenShop> {
  const onError = createErrorLogger(logger)('database connection lost');
  const database = await openDatabase(config, onError);
  try {
    return createShop(config, logger, database, { storefront, now });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function createShop(
  config: Config,
  logger: Logger,
  database: ShopDatabase,
  { storefront, now }: Required<ShopOptions>,
): OpenShop {
  const sessions = createShopSessions(database, now);
  const prints = printReservations(database, now);
  const shopRamp = createShopRamp({ config, logger, database, prints, now });
  const { ramp, store, webhookLog, close } = shopRamp;
  const erasures = shopperErasures({
    database,
    store,
    onError: createErrorLogger(logger)('data of a shopper could not be erased and is retried'),
  });
  const { operatorPassword } = config;
  const app = createApp({
    config,
    logger,
    storefront,
    sessions,
    isReady: createReadinessCheck(() => queryDatabase(database)),
    handler: ramp.handler,
    createCounter: limitCounters(database, config),
    prints,
    orders: shopperOrders(database, store),
    operator:
      operatorPassword === undefined
        ? undefined
        : {
            sessions: operatorSessions(database, operatorPassword, now),
            service: operatorService({
              database,
              store,
              shop: operatorShop(database),
              ramp,
              webhookLog,
              now,
            }),
          },
  });
  return {
    app,
    start() {
      ramp.start();
      erasures.start();
    },
    async stopBackgroundWork() {
      await Promise.all([ramp.stop(), erasures.stop()]);
    },
    async close() {
      await close();
      await database.close();
    },
  };
}
