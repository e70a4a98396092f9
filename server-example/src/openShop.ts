import type { Express } from 'express';
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
import { createErrorLogger } from './http/createLogger.js';
import { operatorService } from './operator/operatorService.js';
import { operatorSessions } from './operator/operatorSessions.js';
import { shopperOrders } from './orders/shopperOrders.js';
import { printReservations } from './prints/printReservations.js';
import { createShopSessions } from './session/createShopSessions.js';

/** A shop whose database is open. */
export interface OpenShop {
  readonly app: Express;
  /** Starts the order tracker. */
  start(): void;
  /** Closes the event streams and stops the order tracker. Both would keep the process alive. */
  stopBackgroundWork(): Promise<void>;
  /** Closes the database. Call it after the last request. */
  close(): Promise<void>;
}

interface ShopOptions {
  /** The folder of the built storefront. */
  readonly storefront: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the database and creates all parts of the shop. */
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
  const sessions = createShopSessions(database, {
    now,
    onError: createErrorLogger(logger)('sessions of open streams could not be read'),
  });
  const prints = printReservations(database, now);
  const ramp = createShopRamp({ config, logger, database, prints, now });
  const { handler, store, tracker, webhookLog } = ramp;
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
    stopBackgroundWork: ramp.stop,
    async close() {
      await ramp.flush();
      await database.close();
    },
  };
}
