/**
 * The order store for PostgreSQL and SQLite, on Kysely, and transactions with the same guarantees.
 *
 * @module
 */

export type { SqlTransactionOptions } from './parseSqlOptions.js';
export { type PostgresPoolOptions, postgresPool } from './pool/postgresPool.js';
export type { SqlDialect } from './SqlDatabase.js';
export { migrateOrderStore, sqlOrderStore } from './sqlOrderStore.js';
export type { SqlOrderStoreOptions } from './toSqlDatabase.js';
export type { TransactionLimits } from './transactions/TransactionLimits.js';
export { withTransaction } from './transactions/withTransaction.js';
