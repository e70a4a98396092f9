import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, DialectAdapter, Kysely } from 'kysely';
import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import type { Runtime } from '../../internal/runtime.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import type { TransactionTarget } from '../SqlDatabase.js';
import { withConnections } from './connections.js';
import { hasTransactionControl } from './transactionControl.js';

/** The callback of an open transaction. */
export interface RunningCallback {
  /** The adapter of the database, which Kysely instances that are derived from one another share. */
  readonly adapter: DialectAdapter;
  /**
   * Makes the transaction fail with this error, even if the callback catches it, and refuse all further statements.
   * Returns the first error that it was called with.
   */
  refuse(error: RampError): RampError;
  /**
   * Waits for the statements that have begun so far.
   *
   * @throws RampError `ERR_CONFIG_INVALID` if the callback has not awaited one of them, or broke another rule.
   */
  settle(): Promise<void>;
}

const callbacks = new AsyncLocalStorage<RunningCallback & { isOpen: boolean }>();

/** Returns the callback that the caller runs in, unless its transaction has ended. */
export function findRunningCallback(): RunningCallback | undefined {
  const callback = callbacks.getStore();
  return callback?.isOpen ? callback : undefined;
}

/**
 * Runs the callback of a transaction for at most `workMs`. It resolves only if the transaction can be committed with
 * everything that the callback wrote, whatever errors the callback has caught:
 *
 * - A statement that was not awaited fails the transaction, because it may fail or run after the commit.
 * - A statement that begins or ends a transaction is refused, and fails the transaction.
 * - After the callback has settled or the limit is reached, its connection refuses statements. Such a statement would
 *   run outside the transaction, and would be committed even if the transaction was rolled back.
 *
 * @param held - A Kysely instance with the one connection of the transaction.
 * @param onFailure - Called when a statement has failed, before the next one. If the database has ended the
 * transaction, it returns the transaction's error.
 * @throws RampError `ERR_TIMEOUT` at the limit, `ERR_CONFIG_INVALID` in the cases above, and the errors of `work`.
 */
export async function runCallback<Database, Result>(
  held: Kysely<Database>,
  { limits, runtime }: Omit<TransactionTarget<Database>, 'db'>,
  work: (connection: Kysely<Database>) => Promise<Result>,
  onFailure: (error: unknown, connection: DatabaseConnection) => Promise<RampError | undefined>,
): Promise<Result> {
  const { workMs } = limits;
  // Run statements directly on the connection. `held` runs one query at a time, so a statement of the callback that
  // never ends would block the rollback.
  const connection = await findConnection(held);
  let refusal: RampError | undefined;
  // The statements of the callback run one at a time, in the order of the calls.
  let last: Promise<void> = Promise.resolve();
  let unfinished = 0;
  let hasSettled = false;
  let isUnawaited = false;
  const settle = async () => {
    hasSettled = true;
    isUnawaited ||= unfinished > 0;
    // Run such statements before the rollback. If they were refused, their promises would reject, perhaps unhandled,
    // and Node.js would end the process.
    await untilSettled(() => last, runtime);
    hasSettled = false;
    if (refusal) throw refusal;
    if (isUnawaited) throw createUnawaitedError();
  };
  const callback = {
    adapter: held.getExecutor().adapter,
    isOpen: true,
    settle,
    refuse(error: RampError) {
      refusal ??= error;
      return refusal;
    },
  };
  const checkOpen = () => {
    if (refusal) throw refusal;
    if (!callback.isOpen) throw createEndedError();
  };
  const check = ({ sql }: CompiledQuery) => {
    checkOpen();
    if (hasTransactionControl(sql)) throw callback.refuse(createControlError());
  };
  const noticeFailure = async (error: unknown) => {
    const ended = callback.isOpen && (await onFailure(error, connection));
    if (ended) callback.refuse(ended);
  };
  const guarded: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery) {
      check(query);
      try {
        return await connection.executeQuery<Row>(query);
      } catch (error) {
        await noticeFailure(error);
        throw error;
      }
    },
    async *streamQuery<Row>(query: CompiledQuery, size?: number) {
      check(query);
      try {
        for await (const rows of connection.streamQuery<Row>(query, size)) {
          yield rows;
          checkOpen();
        }
      } catch (error) {
        await noticeFailure(error);
        throw error;
      }
    },
  };
  const acquire = async () => {
    let release = () => {};
    const previous = last;
    last = new Promise((done) => {
      release = done;
    });
    unfinished++;
    isUnawaited ||= hasSettled;
    await previous;
    return {
      connection: guarded,
      release: () => {
        unfinished--;
        release();
      },
    };
  };
  const refuseTransaction = () => {
    throw callback.refuse(createControlError());
  };
  const run = async () => {
    const result = await work(withConnections(held, acquire, refuseTransaction));
    await settle();
    return result;
  };
  const onTimeout = () => {
    throw callback.refuse(createTimeoutError(workMs));
  };
  try {
    return await callbacks.run(callback, () =>
      withTimeLimit({ runtime, limitMs: workMs, onTimeout }, run),
    );
  } finally {
    callback.isOpen = false;
  }
}

/**
 * Waits until the statements of a callback have settled. A statement takes some microtasks from its call to `acquire`,
 * so one iteration of the event loop passes each time.
 */
async function untilSettled(getLast: () => Promise<void>, runtime: Runtime): Promise<void> {
  let last: Promise<void> | undefined;
  while (last !== getLast()) {
    last = getLast();
    await last;
    await new Promise<void>((next) => runtime.setImmediate(next));
  }
}

async function findConnection<Database>(held: Kysely<Database>): Promise<DatabaseConnection> {
  return held.getExecutor().provideConnection(async (connection) => connection);
}

const createTimeoutError = (workMs: number) =>
  new RampError(
    'ERR_TIMEOUT',
    `The callback of a transaction did not settle within ${workMs} ms, so the transaction was rolled back, and its connection can no longer be used. Other writes wait for a transaction: await only its statements in the callback, and call other services, such as mail, before or after it. A longer callback needs a higher limits.workMs.`,
  );

const createEndedError = () =>
  createConfigError(
    'A transaction',
    'has ended, and its connection was used afterwards, so this statement was not executed. Await every statement in the callback of withTransaction, in deliver and in review, and use the connection nowhere else.',
  );

const createUnawaitedError = () =>
  createConfigError(
    'The callback of a transaction (withTransaction, deliver or review)',
    'settled before one of its statements, so everything was rolled back. Await every statement, also in a loop: forEach does not wait, for ... of with await does.',
  );

const createControlError = () =>
  createConfigError(
    'The callback of a transaction (withTransaction, deliver or review)',
    'must not begin, commit or roll back one, because it already runs in it: use the connection that it is called with for all statements, and throw an error to roll back.',
  );
