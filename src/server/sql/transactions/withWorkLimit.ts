import type { CompiledQuery, DatabaseConnection, Kysely } from 'kysely';
import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import type { TransactionTarget } from '../SqlDatabase.js';
import { withConnections } from './withConnections.js';

/**
 * Runs the callback of a transaction for at most `workMs`. Its connection works only until the callback has
 * settled or the limit is reached: a statement that comes later would be outside the transaction, and would be
 * committed although the transaction was rolled back.
 *
 * @param held - A Kysely instance with the one connection of the transaction.
 * @throws RampError `ERR_TIMEOUT` at the limit, and the errors of `work`.
 */
export async function withWorkLimit<Database, Result>(
  held: Kysely<Database>,
  { limits, runtime }: Omit<TransactionTarget<Database>, 'db'>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const { workMs } = limits;
  // Directly on the connection, so that a statement of the callback that never ends does not keep the
  // transaction from its rollback.
  const connection = await findConnection(held);
  let ended: RampError | undefined;
  const check = () => {
    if (ended) throw ended;
  };
  const guarded: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery) {
      check();
      return connection.executeQuery<Row>(query);
    },
    async *streamQuery<Row>(query: CompiledQuery, size?: number) {
      check();
      for await (const rows of connection.streamQuery<Row>(query, size)) {
        yield rows;
        check();
      }
    },
  };
  // One statement at a time, in the order of the calls.
  let last: Promise<void> = Promise.resolve();
  const acquire = async () => {
    let release = () => {};
    const previous = last;
    last = new Promise((done) => {
      release = done;
    });
    await previous;
    return { connection: guarded, release };
  };
  const onTimeout = () => {
    ended = createTimeoutError(workMs);
    throw ended;
  };
  try {
    const run = async () => work(withConnections(held, acquire));
    return await withTimeLimit({ runtime, limitMs: workMs, onTimeout }, run);
  } finally {
    ended ??= createEndedError();
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
    'has ended, and its connection was used afterwards, so this statement was not executed. Await every statement in the callback of withTransaction, and use the connection nowhere else.',
  );
