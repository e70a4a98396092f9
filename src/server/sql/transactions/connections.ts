import { type DatabaseConnection, Kysely, type QueryExecutor } from 'kysely';

export interface HeldConnection {
  readonly connection: DatabaseConnection;
  release(): void;
}

/** Takes a connection from a Kysely instance for exclusive use until `release` is called. */
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
 *
 * @param refuse - Throws the error for a transaction that is begun with Kysely's own methods.
 */
export function withConnections<Database>(
  kysely: Kysely<Database>,
  acquire: () => Promise<HeldConnection>,
  refuse: () => never,
): Kysely<Database> {
  const refuseTransaction = async () => refuse();
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
