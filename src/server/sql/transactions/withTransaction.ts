import type { Kysely } from 'kysely';
import { processRuntime, type Runtime } from '../../internal/runtime.js';
import {
  type SqlConnection,
  type SqlDatabase,
  type SqlTransactionOptions,
  toSqlDatabase,
} from '../SqlDatabase.js';
import { withPostgresTransaction } from './postgresTransactions.js';
import { withImmediateTransaction } from './sqliteTransactions.js';

/**
 * Runs a transaction with the guarantees of the writes of `sqlOrderStore`: it is atomic, and the promise
 * resolves only when it is durable.
 *
 * In SQLite it acquires the write lock when it begins, because a transaction that begins as a reader fails if
 * it writes while another process does. It is retried for 15 seconds while another process locks the file. In
 * PostgreSQL it runs at the level read committed under the `limits`, which the server enforces, and is retried
 * after `lockMs`. It never joins a transaction that was left open on a pooled connection, and its connection
 * returns to the pool only after the server has confirmed the end of the transaction.
 *
 * `work` may run several times, so it must not have other side effects. It must use the connection that it is
 * called with, and must neither begin a transaction nor call the order store. If it does not settle within
 * `limits.workMs`, the transaction is rolled back. Its connection refuses every statement after the end of the
 * transaction.
 *
 * @throws RampError `ERR_TIMEOUT` when `work` does not settle in time, or when a SQLite transaction waits for
 * others for more than 15 seconds; `ERR_CONFIG_INVALID` when the database is neither PostgreSQL nor SQLite, or
 * when `work` begins another transaction; and the errors of `work` and of the database.
 * @example
 * const onOrderChange = ({ key, record }) =>
 *   withTransaction(kysely, async (transaction) => {
 *     const isNew = await transaction
 *       .insertInto('handled_changes')
 *       .values({ key })
 *       .onConflict((conflict) => conflict.column('key').doNothing())
 *       .returning('key')
 *       .executeTakeFirst();
 *     if (isNew) await shipOrder(transaction, record);
 *   });
 */
export function withTransaction<Database, Result>(
  kysely: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<Result>,
  options?: SqlTransactionOptions,
): Promise<Result>;
/** @internal */
export function withTransaction<Database, Result>(
  kysely: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<Result>,
  options: SqlTransactionOptions | undefined,
  runtime: Runtime,
): Promise<Result>;
export async function withTransaction<Database, Result>(
  kysely: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<Result>,
  options?: SqlTransactionOptions,
  runtime: Runtime = processRuntime,
): Promise<Result> {
  return runTransaction(toSqlDatabase('withTransaction', kysely, options, runtime), work);
}

function runTransaction<Schema, Result>(
  database: SqlDatabase<Schema>,
  work: (connection: Kysely<Schema>) => Promise<Result>,
  advisoryLock?: number,
): Promise<Result> {
  return database.dialect === 'sqlite'
    ? withImmediateTransaction(database, work)
    : withPostgresTransaction(database, work, advisoryLock);
}

/** The number of the advisory lock, which is the same for all instances. PostgreSQL scopes it to the database. */
const LOCK = 0x72616d70;

/**
 * Runs a transaction that writes the log, one at a time across all instances. Each transaction sees the writes
 * of earlier ones, and its ids become visible after theirs: a reader that has seen an id has not missed a
 * lower one.
 */
export const withWriteLock = <Result>(
  database: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> => runTransaction(database, work, LOCK);

/** Runs writes that belong together in one transaction, without the write lock of the log. */
export const executeWrites = <Result>(
  database: SqlDatabase,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> => runTransaction(database, work);

/**
 * Runs a single write statement in a separate transaction. Otherwise the statement could join a transaction
 * that was left open on a pooled connection, and be lost with it.
 */
export const executeWrite = <Result>(
  database: SqlDatabase,
  statement: (connection: SqlConnection) => { execute(): Promise<Result> },
): Promise<Result> => runTransaction(database, (connection) => statement(connection).execute());
