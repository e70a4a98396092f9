/**
 * The order store for PostgreSQL and SQLite, built on Kysely, and `withTransaction`, which gives your own writes the
 * same guarantees.
 *
 * @module
 */

export { type PostgresPoolOptions, postgresPool } from './postgresPool.js';
export type {
  SqlDialect,
  SqlOrderStoreOptions,
  SqlTransactionOptions,
  TransactionLimits,
} from './SqlDatabase.js';
export { migrateOrderStore, sqlOrderStore } from './sqlOrderStore.js';
export { withTransaction } from './transactions/withTransaction.js';
