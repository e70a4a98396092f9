import { immediately } from './immediately.js';
import type { Connection, SqlDatabase } from './SqlDatabase.js';

/** Runs a single statement that writes. */
export function write<Result>(
  { db, dialect }: SqlDatabase,
  statement: (connection: Connection) => { execute(): Promise<Result> },
): Promise<Result> {
  const run = (connection: Connection) => statement(connection).execute();
  return dialect === 'sqlite' ? immediately(db, run) : run(db);
}
