import { sql } from 'kysely';
import type { SqlConnection } from '../SqlDatabase.js';
import { retryWhileBusy } from './retryWhileBusy.js';

/**
 * Runs a transaction of SQLite that writes from its beginning. Kysely's own begin as readers, and to
 * become a writer later fails beside another one.
 *
 * A single statement needs one as well: a statement that libsql gave up as busy stays open, and what is
 * written after it is kept only when it is committed by name. Then that fails, and is tried again, until
 * the garbage collector has taken the statement.
 */
export const withImmediateTransaction = <Result>(
  db: SqlConnection,
  work: (connection: SqlConnection) => Promise<Result>,
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
