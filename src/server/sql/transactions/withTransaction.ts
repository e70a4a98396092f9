import type { Kysely } from 'kysely';
import { processRuntime, type Runtime } from '../../internal/runtime.js';
import { parseSqlOptions, type SqlTransactionOptions } from '../parseSqlOptions.js';
import { queueConnections } from './queueConnections.js';
import { withImmediateTransaction } from './withImmediateTransaction.js';
import { withPostgresTransaction } from './withPostgresTransaction.js';

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
  options: SqlTransactionOptions = {},
  runtime: Runtime = processRuntime,
): Promise<Result> {
  const { dialect, limits } = parseSqlOptions('withTransaction', kysely, options);
  return dialect === 'sqlite'
    ? withImmediateTransaction({ db: queueConnections(kysely, runtime), limits, runtime }, work)
    : withPostgresTransaction({ db: kysely, limits, runtime }, work);
}
