import { type Kysely, sql } from 'kysely';
import { retryWhileBusy } from './retryWhileBusy.js';

/**
 * Runs a transaction on SQLite that takes the write lock at its beginning. Kysely's own transactions begin
 * as readers, and fail when they write while another one does.
 *
 * A single statement needs a transaction as well: a statement that libsql gave up as busy stays open, and
 * what is written after it is kept only by an explicit commit. That commit fails, and is retried, until the
 * garbage collector has closed the statement.
 */
export const withImmediateTransaction = <Database, Result>(
  db: Kysely<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> =>
  retryWhileBusy(() =>
    db.connection().execute(async (held) => {
      await sql`begin immediate`.execute(held);
      try {
        const result = await work(held);
        await sql`commit`.execute(held);
        return result;
      } catch (error) {
        await sql`rollback`.execute(held).catch(() => {});
        throw error;
      }
    }),
  );
