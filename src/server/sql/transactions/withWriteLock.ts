import type { SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { withImmediateTransaction } from './withImmediateTransaction.js';
import { withPostgresTransaction } from './withPostgresTransaction.js';

/** Any number that is the same for all; PostgreSQL tells such locks apart by number and database. */
const LOCK = 0x72616d70;

/**
 * Runs a transaction that writes the log, one at a time over all instances. Each sees what those before
 * it wrote, and the ids that it takes become visible after theirs: a reader that has seen an id misses
 * none below it.
 */
export const withWriteLock = <Result>(
  { db, dialect, limits }: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> =>
  dialect === 'sqlite'
    ? withImmediateTransaction(db, work)
    : withPostgresTransaction(db, work, { limits, advisoryLock: LOCK });
