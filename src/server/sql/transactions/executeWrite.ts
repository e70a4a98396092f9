import type { SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { withImmediateTransaction } from './withImmediateTransaction.js';
import { withPostgresTransaction } from './withPostgresTransaction.js';

/** Runs writes that belong together in one transaction, without the write lock of the event log. */
export const executeWrites = <Result>(
  { db, dialect, limits }: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> =>
  dialect === 'sqlite'
    ? withImmediateTransaction(db, work, limits)
    : withPostgresTransaction(db, work, { limits });

/**
 * Runs a single write statement in a separate transaction. Otherwise the statement could join a transaction
 * that was left open on a pooled connection, and be lost with it.
 */
export const executeWrite = <Result>(
  database: SqlDatabase,
  statement: (connection: SqlConnection) => { execute(): Promise<Result> },
): Promise<Result> => executeWrites(database, (connection) => statement(connection).execute());
