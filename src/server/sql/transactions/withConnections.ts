import { type DatabaseConnection, Kysely, type QueryExecutor } from 'kysely';
import { createConfigError } from '../../../protocol/errors/RampError.js';

/** A connection that is held until it is released. */
export interface HeldConnection {
  readonly connection: DatabaseConnection;
  release(): void;
}

/** Holds a connection of a Kysely instance until it is released. */
export const holdConnection = (executor: QueryExecutor): Promise<HeldConnection> =>
  new Promise((resolve, reject) => {
    executor
      .provideConnection(
        (connection) => new Promise<void>((release) => resolve({ connection, release })),
      )
      .catch(reject);
  });

/**
 * Returns a Kysely instance with the SQL, types and plugins of `kysely`, whose queries run on the connections
 * that `acquire` resolves with.
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
          // A separate object for each holder, because SQLite has one connection for all of them.
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
