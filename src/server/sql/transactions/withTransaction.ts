import type { Kysely } from 'kysely';
import { createConfigError } from '../../../protocol/errors/RampError.js';
import { processRuntime, type Runtime } from '../../internal/runtime.js';
import {
  type SqlConnection,
  type SqlDatabase,
  type SqlOptions,
  toSqlDatabase,
} from '../SqlDatabase.js';
import { withPostgresTransaction } from './postgresTransactions.js';
import { findRunningCallback } from './runCallback.js';
import { withImmediateTransaction } from './sqliteTransactions.js';

/**
 * Runs a transaction with the same guarantees as writes by `sqlOrderStore`: the transaction is atomic, and the promise
 * resolves only when it is durable.
 *
 * In SQLite, the transaction acquires the write lock when it begins, because a transaction that begins as a reader
 * fails if it writes while another process writes. While another process locks the file, the transaction is retried for
 * 15 seconds.
 *
 * In PostgreSQL, the transaction runs at the isolation level read committed, and the server enforces `lockMs` and
 * `statementMs` of the `limits`. The server also ends a transaction that waits longer than 5 seconds for its next
 * statement. If a lock is not free within `lockMs`, the transaction is retried, up to five attempts. The transaction
 * never joins one that was left open on a pooled connection. Its connection returns to the pool only after the server
 * has confirmed the end of the transaction, or has not responded to a rollback for a minute.
 *
 * `work` may run several times, so it must have no side effects other than statements of this transaction. It must run
 * them on the connection that it is called with, and await each. It must neither begin nor end a transaction, nor call
 * the order store. If `work` does not settle within `limits.workMs`, the transaction is rolled back. After the end of
 * the transaction, the connection refuses every statement.
 *
 * The promise resolves only if everything that `work` wrote is committed, even if `work` has caught errors. So it
 * rejects when a statement was not awaited, and in PostgreSQL after the error of a statement, unless `work` has rolled
 * back to a savepoint.
 *
 * @throws RampError `ERR_TIMEOUT` when `work` does not settle in time, or when a SQLite transaction waits longer than
 * 15 seconds for others; `ERR_CONFIG_INVALID` when the database is neither PostgreSQL nor SQLite, when an option is
 * invalid, or when `work` breaks one of these rules.
 * @throws the errors of `work` and of the database.
 * @example
 * await withTransaction(kysely, async (transaction) => {
 *   await transaction.deleteFrom('carts').where('user', '=', user).execute();
 *   await transaction.insertInto('purchases').values(purchase).execute();
 * });
 */
export function withTransaction<Database, Result>(
  kysely: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<Result>,
  options?: SqlOptions,
): Promise<Result>;
/** @internal */
export function withTransaction<Database, Result>(
  kysely: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<Result>,
  options: SqlOptions | undefined,
  runtime: Runtime,
): Promise<Result>;
export async function withTransaction<Database, Result>(
  kysely: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<Result>,
  options?: SqlOptions,
  runtime: Runtime = processRuntime,
): Promise<Result> {
  const database = toSqlDatabase('withTransaction', kysely, options, runtime);
  const callback = findRunningCallback();
  if (callback) throw callback.refuse(createNestedError());
  return runTransaction(database, work);
}

const createNestedError = () =>
  createConfigError(
    'withTransaction',
    'was called in the callback of another transaction, such as deliver or review. One of them could be committed without the other: use the connection of the outer callback for all statements.',
  );

function runTransaction<Schema, Result>(
  database: SqlDatabase<Schema>,
  work: (connection: Kysely<Schema>) => Promise<Result>,
  advisoryLock?: number,
): Promise<Result> {
  return database.dialect === 'sqlite'
    ? withImmediateTransaction(database, work)
    : withPostgresTransaction(database, work, advisoryLock);
}

/**
 * The number ("ramp" in ASCII) of the PostgreSQL advisory lock that all instances on one schema share. The same
 * number in another database is a different lock.
 */
const LOCK = 0x72616d70;

/**
 * Runs a transaction that reads checkouts or orders and writes what follows from them. Only one such transaction runs
 * at a time across all instances, so what it has read stays true until it commits.
 */
export const withWriteLock = <Result>(
  database: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> => runTransaction(database, work, LOCK);

/** Runs several writes, which depend on nothing that was read, in one transaction. */
export const executeWrites = <Result>(
  database: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> => runTransaction(database, work);

/**
 * Runs a single write statement in its own transaction. Without one, the statement could join a transaction that was
 * left open on a pooled connection, and would be lost when that transaction is rolled back.
 */
export const executeWrite = <Result>(
  database: SqlDatabase,
  statement: (connection: SqlConnection) => { execute(): Promise<Result> },
): Promise<Result> => runTransaction(database, (connection) => statement(connection).execute());

/**
 * Runs a transaction that includes the partner's own code, which may call other services. Until `workMs` is over, the
 * server must not mistake its connection for a frozen one.
 *
 * @param work - Calls `settle` after the partner's code, and then runs its own statements. `settle` rejects if that
 * code has not awaited a statement.
 */
export const runDelivery = <Schema, Result>(
  database: SqlDatabase<Schema>,
  work: (connection: Kysely<Schema>, settle: () => Promise<void>) => Promise<Result>,
): Promise<Result> => {
  const { idleMs, workMs } = database.limits;
  const limits = { ...database.limits, idleMs: Math.max(idleMs, workMs) };
  return runTransaction({ ...database, limits }, (connection) =>
    work(connection, async () => findRunningCallback()?.settle()),
  );
};
