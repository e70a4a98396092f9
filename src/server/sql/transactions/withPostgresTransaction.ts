import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { TransactionLimits } from './TransactionLimits.js';

/** How often a transaction waits for a lock that another one holds. */
const MAX_LOCK_WAITS = 5;
/** How long a connection is kept from the pool while the server does not confirm a rollback. */
const MAX_ROLLBACK_MS = 60_000;

interface TransactionOptions {
  readonly limits: TransactionLimits;
  /** An advisory lock to take first. It is released with the transaction. */
  readonly advisoryLock?: number | undefined;
}

/**
 * Runs a transaction on PostgreSQL and resolves after the server has confirmed its commit. It is safe on a
 * pool of any make: it never joins a transaction that was left open on a pooled connection, and does not
 * return its own connection to the pool before the server has confirmed that the transaction is over.
 *
 * @throws whatever `work` throws, and the database's own errors: `55P03` when a lock was not free
 * for too long. The transaction may have been committed only if the connection broke during the commit.
 */
export async function withPostgresTransaction<Database, Result>(
  db: Kysely<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
  { limits, advisoryLock }: TransactionOptions,
): Promise<Result> {
  const setUp = setUpStatement(limits, advisoryLock);
  for (let wait = 1; ; wait++) {
    try {
      return await runTransaction(db, setUp, work);
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE) || wait === MAX_LOCK_WAITS) throw error;
    }
  }
}

const LOCK_NOT_AVAILABLE = ['55P03'];
/** active_sql_transaction, in_failed_sql_transaction */
const ALREADY_IN_TRANSACTION = ['25001', '25P02'];

/** One statement, so that it costs one round trip. `lock_timeout` holds for the advisory lock already. */
function setUpStatement(limits: TransactionLimits, advisoryLock: number | undefined) {
  const { lockMs, statementMs, idleMs } = limits;
  const settings = {
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
  };
  const calls = Object.entries(settings).map(
    ([name, ms]) => sql`set_config(${sql.lit(name)}, ${sql.lit(`${ms}`)}, true)`,
  );
  if (advisoryLock !== undefined) calls.push(sql`pg_advisory_xact_lock(${sql.lit(advisoryLock)})`);
  return sql`select ${sql.join(calls)}`;
}

/** Settles as soon as the outcome is certain; the connection may be kept for longer. */
function runTransaction<Database, Result>(
  db: Kysely<Database>,
  setUp: RawBuilder<unknown>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const run = async (connection: Kysely<Database>) => {
      try {
        await begin(connection);
        await setUp.execute(connection);
        const result = await work(connection);
        await sql`commit`.execute(connection);
        resolve(result);
      } catch (error) {
        reject(error);
        await rollBack(connection);
      }
    };
    db.connection().execute(run).catch(reject);
  });
}

/**
 * PostgreSQL takes `begin` within a transaction with a mere warning, and the next `commit` would end
 * whatever was left open there. `not deferrable` changes nothing else, but it may only be said before the
 * first query of a transaction, so it makes such a `begin` fail.
 */
async function begin<Database>(connection: Kysely<Database>): Promise<void> {
  const start = sql`begin isolation level read committed, not deferrable`;
  try {
    await start.execute(connection);
  } catch (error) {
    if (!hasCode(error, ALREADY_IN_TRANSACTION)) throw error;
    await sql`rollback`.execute(connection);
    await start.execute(connection);
  }
}

/**
 * Retries while only this process gave up waiting: the transaction is still open on the server then, and
 * the next user of the connection would be inside it. Any other error means that the connection is broken.
 */
async function rollBack<Database>(connection: Kysely<Database>): Promise<void> {
  for (const end = performance.now() + MAX_ROLLBACK_MS; performance.now() < end; ) {
    try {
      await sql`rollback`.execute(connection);
      return;
    } catch (error) {
      if (!isClientTimeout(error)) return;
    }
  }
}

/** Drivers report the end of their own patience without a code of PostgreSQL. */
const isClientTimeout = (error: unknown): boolean =>
  error instanceof Error && /time(d )?-?out/i.test(error.message) && !('code' in error);

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(`${error.code}`);
