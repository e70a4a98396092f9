import { CompiledQuery, type DatabaseConnection, type Kysely, type RawBuilder, sql } from 'kysely';
import { createConfigError } from '../../../protocol/errors/RampError.js';
import type { Runtime } from '../../internal/runtime.js';
import type { TransactionTarget } from '../SqlDatabase.js';
import { runCallback } from './runCallback.js';

/** The maximum number of attempts if another transaction holds a lock that the transaction needs. */
const MAX_LOCK_WAITS = 5;
/**
 * How long a rollback is retried if the server does not confirm it. Until it ends, the connection stays out of the
 * pool.
 */
const MAX_ROLLBACK_MS = 60_000;

/**
 * Runs a PostgreSQL transaction, and resolves after the server has confirmed the commit. This function is safe on every
 * kind of pool. If a pooled connection still has an open transaction, that transaction is rolled back first. The
 * connection returns to the pool only after the server has confirmed the end of this transaction, or has not responded
 * for a minute.
 *
 * @param advisoryLock - The number of an advisory lock to acquire first. PostgreSQL releases the lock when the
 * transaction ends.
 * @throws the errors of `work` and of the database, such as `55P03` when a lock was not free in time. After an error
 * the transaction is rolled back, unless the commit itself failed, for example with a timeout or a broken connection:
 * then the transaction may have been committed.
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
        runCheckedCallback(connection, target, work),
      );
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE) || wait === MAX_LOCK_WAITS) throw error;
    }
  }
}

/**
 * Runs the callback. If one of its statements has failed, asks the server whether the transaction can still be
 * committed. After a failed statement PostgreSQL answers `commit` with a rollback, and reports no error. Only a
 * rollback to a savepoint prevents that.
 */
async function runCheckedCallback<Database, Result>(
  held: Kysely<Database>,
  target: TransactionTarget<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  let failed: { error: unknown; connection: DatabaseConnection } | undefined;
  const running = runCallback(held, target, work, async (error, connection) => {
    failed ??= { error, connection };
    return undefined;
  });
  const result = await running.catch((error) => {
    // A later statement only reports that an earlier one has failed.
    throw failed && failed.error !== error && hasCode(error, IN_FAILED_TRANSACTION)
      ? createCaughtError(failed.error)
      : error;
  });
  if (!failed) return result;
  const { error, connection } = failed;
  try {
    await connection.executeQuery(CompiledQuery.raw('select 1'));
    return result;
  } catch {
    throw createCaughtError(error);
  }
}

function createCaughtError(cause: unknown) {
  const { code } = Object(cause) as { code?: unknown };
  return createConfigError(
    'The callback of a transaction (withTransaction, deliver or review)',
    `caught the error of a statement (${code ?? 'without a code'}), after which PostgreSQL can only roll back, so nothing was written. Let the error through, or prevent it, for example with "on conflict do nothing". A statement that may fail needs a savepoint before it, and "rollback to" that savepoint after its error.`,
    { cause },
  );
}

const LOCK_NOT_AVAILABLE = ['55P03'];
const IN_FAILED_TRANSACTION = ['25P02'];
/** The codes of the PostgreSQL errors active_sql_transaction and in_failed_sql_transaction. */
const ALREADY_IN_TRANSACTION = ['25001', '25P02'];

/**
 * Returns one statement that sets the limits and then acquires the advisory lock, to save a round trip. `lock_timeout`
 * is set first, so it already limits the wait for the advisory lock.
 */
function setUpStatement(
  { lockMs, statementMs, idleMs }: TransactionTarget<unknown>['limits'],
  advisoryLock: number | undefined,
) {
  const settings = {
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
  };
  const calls: RawBuilder<unknown>[] = Object.entries(settings).map(
    ([name, ms]) => sql`set_config(${sql.lit(name)}, ${sql.lit(`${ms}`)}, true)`,
  );
  // A role or a database may have switched `synchronous_commit` off, and a power loss could then undo a commit.
  calls.push(
    sql`set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`,
  );
  // Each schema may have its own store.
  if (advisoryLock !== undefined)
    calls.push(
      sql`pg_advisory_xact_lock(${sql.lit(advisoryLock)}, hashtext(current_schema()::text))`,
    );
  return sql`select ${sql.join(calls)}`;
}

/**
 * Runs the transaction once. The promise settles as soon as the outcome is known. After an error, the connection is
 * held until the rollback has ended, which may be later.
 */
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
 * Begins a transaction. If the connection already has an open transaction, that transaction is rolled back first.
 *
 * PostgreSQL accepts `begin` inside an open transaction with only a warning, and the next `commit` would commit that
 * transaction too. `not deferrable` makes such a `begin` fail, because PostgreSQL allows this option only before the
 * first query of a transaction. The option has no other effect here.
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
 * Rolls back the transaction. After a client timeout the rollback is retried, because the transaction may still be open
 * on the server, and the connection's next user would end up inside it. After any other error the connection is broken,
 * so there is nothing left to roll back.
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

/** Returns whether the client stopped waiting for the server. Drivers report that with an error that has no code. */
const isClientTimeout = (error: unknown): boolean =>
  error instanceof Error && /time(d )?-?out/i.test(error.message) && !('code' in error);

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(`${error.code}`);
