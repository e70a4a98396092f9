import type { SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { withImmediateTransaction } from './withImmediateTransaction.js';
import { withPostgresTransaction } from './withPostgresTransaction.js';

/**
 * Runs a single write statement in a separate transaction. Otherwise the statement could join a transaction
 * that was left open on a pooled connection, and be lost with it.
 */
export function executeWrite<Result>(
  { db, dialect, limits }: SqlDatabase,
  statement: (connection: SqlConnection) => { execute(): Promise<Result> },
): Promise<Result> {
  const run = (connection: SqlConnection) => statement(connection).execute();
  return dialect === 'sqlite'
    ? withImmediateTransaction(db, run)
    : withPostgresTransaction(db, run, { limits });
}
