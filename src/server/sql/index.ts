/**
 * The store for PostgreSQL and SQLite, under Kysely.
 *
 * @module
 */
export type { SqlOrderStoreOptions } from './connectTo.js';
export { type PostgresPoolOptions, postgresPool } from './postgresPool.js';
export type { SqlDialect } from './SqlDatabase.js';
export { migrateOrderStore, sqlOrderStore } from './sqlOrderStore.js';
export type { TransactionLimits } from './TransactionLimits.js';
