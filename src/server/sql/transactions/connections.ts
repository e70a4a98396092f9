import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryExecutor } from 'kysely';
import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import { withTimeLimit } from '../../internal/withTimeLimit.js';
import type { TransactionTarget } from '../SqlDatabase.js';

/**
 * Runs the callback of a transaction for at most `workMs`. After the callback has settled or the limit is reached, the
 * connection that it received refuses statements. Such a late statement would run outside the transaction, and would be
 * committed even if the transaction was rolled back.
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
  // Run statements directly on the connection. `held` runs one query at a time, so a statement of the callback that
  // never ends would block the rollback.
  const connection = await findConnection(held);
  let timeout: RampError | undefined;
  let hasEnded = false;
  const check = () => {
    if (timeout) throw timeout;
    if (hasEnded) throw createEndedError();
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
  // The statements of the callback run one at a time, in the order of the calls.
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
    timeout = createTimeoutError(workMs);
    throw timeout;
  };
  try {
    const run = async () => work(withConnections(held, acquire));
    return await withTimeLimit({ runtime, limitMs: workMs, onTimeout }, run);
  } finally {
    hasEnded = true;
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

export interface HeldConnection {
  readonly connection: DatabaseConnection;
  release(): void;
}

/** Takes a connection of a Kysely instance. Nobody else can use the connection until `release` is called. */
export const holdConnection = (executor: QueryExecutor): Promise<HeldConnection> =>
  new Promise((resolve, reject) => {
    executor
      .provideConnection(
        (connection) => new Promise<void>((release) => resolve({ connection, release })),
      )
      .catch(reject);
  });

/**
 * Returns a copy of a Kysely instance, with the same SQL dialect, types and plugins, that runs each query on a
 * connection from `acquire`.
 */
export function withConnections<Database>(
  kysely: Kysely<Database>,
  acquire: () => Promise<HeldConnection>,
): Kysely<Database> {
  const executor = kysely.getExecutor();
  const releases = new Map<DatabaseConnection, () => void>();
  return new Kysely<Database>({
    plugins: [...executor.plugins],
    dialect: {
      createAdapter: () => executor.adapter,
      createQueryCompiler: () => ({
        compileQuery: (node, id) => executor.compileQuery(node, id),
      }),
      createIntrospector: () => kysely.introspection,
      createDriver: () => ({
        async init() {},
        async acquireConnection() {
          const { connection, release } = await acquire();
          // Wrap the connection, so that `releases` has a separate key for each call: SQLite always has the same
          // connection.
          const own: DatabaseConnection = {
            executeQuery: (query) => connection.executeQuery(query),
            streamQuery: (query, size) => connection.streamQuery(query, size),
          };
          releases.set(own, release);
          return own;
        },
        async releaseConnection(own) {
          releases.get(own)?.();
          releases.delete(own);
        },
        beginTransaction: refuseTransaction,
        commitTransaction: refuseTransaction,
        rollbackTransaction: refuseTransaction,
        async destroy() {},
      }),
    },
  });
}

async function refuseTransaction(): Promise<never> {
  throw createConfigError(
    'withTransaction',
    'already runs its callback in a transaction, so the callback must not begin another one: use the connection that it is called with for all statements.',
  );
}
