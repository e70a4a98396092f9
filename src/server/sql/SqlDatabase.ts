import type { Kysely } from 'kysely';
import type { Tables } from './schema/Tables.js';
import type { TransactionLimits } from './transactions/TransactionLimits.js';

/** The databases that the order store supports. */
export type SqlDialect = 'postgres' | 'sqlite';

/** A connection to the tables. */
export type SqlConnection = Kysely<Tables>;

/** A database whose tables are there. */
export interface SqlDatabase {
  readonly db: SqlConnection;
  readonly dialect: SqlDialect;
  /** Of PostgreSQL's transactions. */
  readonly limits: TransactionLimits;
}

/** Answers the database, once it is ready. */
export type OpenDatabase = () => Promise<SqlDatabase>;
