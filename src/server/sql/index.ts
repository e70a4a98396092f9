/**
 * The store for PostgreSQL and SQLite, under Kysely.
 *
 * @module
 */

export { type PostgresPoolOptions, postgresPool } from './pool/postgresPool.js';
export type { SqlDialect } from './SqlDatabase.js';
export { migrateOrderStore, sqlOrderStore } from './sqlOrderStore.js';
export type { SqlOrderStoreOptions } from './toSqlDatabase.js';
export type { TransactionLimits } from './transactions/TransactionLimits.js';
