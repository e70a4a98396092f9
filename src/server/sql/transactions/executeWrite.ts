import type { SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { withImmediateTransaction } from './withImmediateTransaction.js';
import { withPostgresTransaction } from './withPostgresTransaction.js';

/** Runs writes that belong together in one transaction, without the write lock of the event log. */
export const executeWrites = <Result>(
  database: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> =>
  database.dialect === 'sqlite'
    ? withImmediateTransaction(database, work)
    : withPostgresTransaction(database, work);

/**
 * Runs a single write statement in a separate transaction. Otherwise the statement could join a transaction
 * that was left open on a pooled connection, and be lost with it.
 */
export const executeWrite = <Result>(
  database: SqlDatabase,
  statement: (connection: SqlConnection) => { execute(): Promise<Result> },
): Promise<Result> => executeWrites(database, (connection) => statement(connection).execute());
