import type { SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { withImmediateTransaction } from './withImmediateTransaction.js';
import { withPostgresTransaction } from './withPostgresTransaction.js';

/** The number of the advisory lock, which is the same for all instances. PostgreSQL scopes it to the database. */
const LOCK = 0x72616d70;

/**
 * Runs a transaction that writes the log, one at a time across all instances. Each transaction sees the writes
 * of earlier ones, and its ids become visible after theirs: a reader that has seen an id has not missed a
 * lower one.
 */
export const withWriteLock = <Result>(
  database: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> =>
  database.dialect === 'sqlite'
    ? withImmediateTransaction(database, work)
    : withPostgresTransaction(database, work, LOCK);
