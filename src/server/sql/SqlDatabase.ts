import type { Kysely } from 'kysely';
import type { Runtime } from '../internal/runtime.js';
import type { Tables } from './schema/Tables.js';
import type { TransactionLimits } from './transactions/TransactionLimits.js';

/** The SQL of a database. */
export type SqlDialect = 'postgres' | 'sqlite';

/** A connection to the tables. */
export type SqlConnection = Kysely<Tables>;

/** What a transaction needs. */
export interface TransactionTarget<Database> {
  readonly db: Kysely<Database>;
  readonly limits: TransactionLimits;
  readonly runtime: Runtime;
}

/** A database with the tables of a store. */
export interface SqlDatabase extends TransactionTarget<Tables> {
  readonly dialect: SqlDialect;
}

/** A function that resolves with the database when its tables are ready. */
export type OpenDatabase = () => Promise<SqlDatabase>;
