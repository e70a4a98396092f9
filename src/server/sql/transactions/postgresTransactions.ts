import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Runtime } from '../../internal/runtime.js';
import type { TransactionLimits, TransactionTarget } from '../SqlDatabase.js';
import { withWorkLimit } from './connections.js';

/** The number of attempts of a transaction while another one holds a lock. */
const MAX_LOCK_WAITS = 5;
/** How long a connection is kept from the pool while the server does not confirm a rollback. */
const MAX_ROLLBACK_MS = 60_000;

/**
 * Runs a PostgreSQL transaction and resolves after the server has confirmed its commit. It is safe on every
 * kind of pool: it never joins a transaction that was left open on a pooled connection, and returns its
 * connection to the pool only after the server has confirmed that the transaction has ended.
 *
 * @param advisoryLock - The number of an advisory lock to acquire first. It is released with the transaction.
 * @throws the errors of `work` and of the database, such as `55P03` after too long a wait for a lock. After
 * an error, the transaction may be committed only if the connection broke during the commit.
 */
export async function withPostgresTransaction<Database, Result>(
  target: TransactionTarget<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
  advisoryLock?: number,
): Promise<Result> {
  const setUp = setUpStatement(target.limits, advisoryLock);
  for (let wait = 1; ; wait++) {
    try {
      return await runTransaction(target, setUp, (connection) =>
        withWorkLimit(connection, target, work),
      );
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE) || wait === MAX_LOCK_WAITS) throw error;
    }
  }
}

const LOCK_NOT_AVAILABLE = ['55P03'];
/** active_sql_transaction, in_failed_sql_transaction */
const ALREADY_IN_TRANSACTION = ['25001', '25P02'];

/** Returns the first statement. It needs one round trip. `lock_timeout` already applies to the advisory lock. */
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

/** Runs the transaction once. It settles when the outcome is certain; the connection may be kept for longer. */
function runTransaction<Database, Result>(
  { db, runtime }: TransactionTarget<Database>,
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
        await rollBack(connection, runtime);
      }
    };
    db.connection().execute(run).catch(reject);
  });
}

/**
 * Begins a transaction. Inside another transaction, PostgreSQL accepts `begin` with only a warning, and the
 * next `commit` would end that other transaction. `not deferrable` makes such a `begin` fail: it has no
 * other effect, but is allowed only before the first query of a transaction.
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
 * Rolls back. Retries after a client timeout: the transaction is then still open on the server, and the next
 * user of the connection would be inside it. Any other error means that the connection is broken.
 */
async function rollBack<Database>(
  connection: Kysely<Database>,
  { monotonic }: Runtime,
): Promise<void> {
  for (const end = monotonic() + MAX_ROLLBACK_MS; monotonic() < end; ) {
    try {
      await sql`rollback`.execute(connection);
      return;
    } catch (error) {
      if (!isClientTimeout(error)) return;
    }
  }
}

/** Returns whether the client timed out. Drivers report that without an error code of PostgreSQL. */
const isClientTimeout = (error: unknown): boolean =>
  error instanceof Error && /time(d )?-?out/i.test(error.message) && !('code' in error);

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(`${error.code}`);
