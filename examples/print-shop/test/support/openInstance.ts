import type { OrderStore } from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { afterAll } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { createDeliverer } from '../../../../src/server/orders/tracker/deliverChanges.js';
import { toTrackerSettings } from '../../../../src/server/orders/tracker/trackerOptions.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
  type TestDatabase,
} from '../../../../test/support/database/sqlDatabases.js';
import { openDatabase, type ShopDatabase } from '../../src/database/openDatabase.js';
import { orderOutcomes } from '../../src/orders/orderOutcomes.js';
import { shopperOrders } from '../../src/orders/shopperOrders.js';
import { printReservations } from '../../src/prints/printReservations.js';

/** The time at which the clock starts in these tests, Unix seconds. */
export const at = 1_790_000_000;

const opened: ShopDatabase[] = [];
afterAll(async () => {
  for (const database of opened.splice(0)) await database.close();
});

export const databases: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['SQLite', createSqliteDatabase],
  ['PostgreSQL', createPostgresSchema],
];

/** Opens the parts of a shop that use the database, without its HTTP server. Several instances may share a database. */
export async function openInstance({ target }: TestDatabase) {
  const isPostgres = target.startsWith('postgres');
  const database = await openDatabase(
    { databaseFile: target, databaseUrl: isPostgres ? target : undefined },
    () => {},
  );
  opened.push(database);
  const clock = { at };
  const now = () => clock.at * 1000;
  const store = sqlOrderStore(database.db);
  const { deliver, review, recordFailure } = orderOutcomes(database, now);

  /** Delivers or reviews what is due, of all orders or of one of them, as `ramp.sync()` does. */
  async function deliverDue(orderId?: string): Promise<void> {
    const recorded: Promise<void>[] = [];
    const listPendingChanges: typeof store.listPendingChanges = async (time) =>
      (await store.listPendingChanges(time, 100)).filter(
        ({ record }) => orderId === undefined || record.order.orderId === orderId,
      );
    const settings = toTrackerSettings(
      {
        api: { async *eachOrder() {} },
        store: { ...store, listPendingChanges },
        deliver,
        review,
        onError: (error) => void recorded.push(recordFailure(error)),
      },
      { ...processRuntime, now },
    );
    const { signal } = new AbortController();
    await createDeliverer(settings).deliver(
      signal,
      () => true,
      () => false,
    );
    await Promise.all(recorded);
  }

  return {
    database,
    store,
    clock,
    now,
    prints: printReservations(database, now),
    deliverDue,
    /** Records listed orders, and delivers or reviews them. */
    async take(...listed: Parameters<OrderStore['recordOrders']>[0]): Promise<void> {
      await store.recordOrders(listed, clock.at);
      await deliverDue();
    },
    orders: shopperOrders(database, store),
  };
}

export type Instance = Awaited<ReturnType<typeof openInstance>>;
