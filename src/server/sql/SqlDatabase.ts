import type { Kysely } from 'kysely';
import type { Tables } from './schema/Tables.js';
import type { TransactionLimits } from './transactions/TransactionLimits.js';

/** The SQL of a database. */
export type SqlDialect = 'postgres' | 'sqlite';

/** A connection to the tables. */
export type SqlConnection = Kysely<Tables>;

/** A database with the tables of a store. */
export interface SqlDatabase {
  readonly db: SqlConnection;
  readonly dialect: SqlDialect;
  /** The limits of transactions. */
  readonly limits: TransactionLimits;
}

/** A function that resolves with the database when its tables are ready. */
export type OpenDatabase = () => Promise<SqlDatabase>;
