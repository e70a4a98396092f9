/**
 * The order store for PostgreSQL and SQLite, built on Kysely. `withTransaction` runs your own writes with the same
 * isolation, time limits and retries.
 *
 * @module
 */

export { type PostgresPoolOptions, postgresPool } from './postgresPool.js';
export type {
  SqlDialect,
  SqlOptions,
  TransactionLimits,
} from './SqlDatabase.js';
export { type SqliteConnection, type SqliteStatement, sqliteDialect } from './sqliteDialect.js';
export { migrateOrderStore, sqlOrderStore } from './sqlOrderStore.js';
export type {
  ErasureResult,
  OpenCheckout,
  OrderCursor,
  ResolveCondition,
  ResolvedOrder,
  SearchResult,
  SqlOrderStore,
  UndeliveredChange,
} from './store/SqlOrderStore.js';
export { withTransaction } from './transactions/withTransaction.js';
