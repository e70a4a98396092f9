import { immediately } from './immediately.js';
import { withPostgresTransaction } from './postgresTransaction.js';
import type { Connection, SqlDatabase } from './SqlDatabase.js';

/**
 * Runs a single statement that writes, in a separate transaction. Without one, the statement would join a
 * transaction that was left open on a pooled connection, and be lost with it.
 */
export function write<Result>(
  { db, dialect, limits }: SqlDatabase,
  statement: (connection: Connection) => { execute(): Promise<Result> },
): Promise<Result> {
  const run = (connection: Connection) => statement(connection).execute();
  return dialect === 'sqlite' ? immediately(db, run) : withPostgresTransaction(db, run, { limits });
}
