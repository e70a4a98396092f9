import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { afterAll } from 'vitest';
import {
  createPostgresSchema,
  createSqliteDatabase,
  type TestDatabase,
} from '../../../test/support/database/sqlDatabases.js';
import { openDatabase, type ShopDatabase } from '../../src/database/openDatabase.js';
import { createOrderChangeHandler } from '../../src/orders/createOrderChangeHandler.js';
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
  return {
    database,
    store,
    clock,
    now,
    prints: printReservations(database, now),
    applyChange: createOrderChangeHandler(database, now),
    orders: shopperOrders(database, store),
  };
}

export type Instance = Awaited<ReturnType<typeof openInstance>>;
