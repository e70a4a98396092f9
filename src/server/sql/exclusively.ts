import { sql } from 'kysely';
import { immediately } from './immediately.js';
import type { Connection, SqlDatabase } from './SqlDatabase.js';

/** Any number that is the same for all; PostgreSQL tells such locks apart by number and database. */
const LOCK = 0x72616d70;

/**
 * Runs what writes the log in a transaction of its own, one at a time over all instances. Each sees what
 * those before it wrote, and the ids that it takes become visible after theirs: a reader who has seen an
 * id misses none below it.
 */
export async function exclusively<Result>(
  { db, dialect }: SqlDatabase,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (dialect === 'sqlite') return immediately(db, work);
  const transaction = db.transaction().setIsolationLevel('read committed');
  return transaction.execute(async (held) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(held);
    return work(held);
  });
}
