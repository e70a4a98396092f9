import { type Kysely, sql } from 'kysely';
import type { TransactionTarget } from '../SqlDatabase.js';
import { retryWhileBusy } from './retryWhileBusy.js';
import { withWorkLimit } from './withWorkLimit.js';

/**
 * Runs a SQLite transaction that acquires the write lock when it begins. Transactions of Kysely begin as
 * readers, and fail if they write while another transaction does.
 *
 * A single statement needs a transaction as well: after SQLITE_BUSY libsql leaves the statement open, and
 * later writes are kept only by an explicit commit. That commit fails and is retried until the garbage
 * collector has closed the statement.
 *
 * @param target - Its database is a result of `queueConnections`.
 */
export const withImmediateTransaction = <Database, Result>(
  target: TransactionTarget<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> =>
  retryWhileBusy(target.runtime, () =>
    target.db.connection().execute(async (held) => {
      await sql`begin immediate`.execute(held);
      try {
        const result = await withWorkLimit(held, target, work);
        await sql`commit`.execute(held);
        return result;
      } catch (error) {
        await sql`rollback`.execute(held).catch(() => {});
        throw error;
      }
    }),
  );
