import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { SqlConnection } from '../../../../src/server/sql/SqlDatabase.js';

/** Decides whether a statement fails: returns its error, or undefined for success. */
export type Script = (statement: string) => Error | undefined;

/**
 * Creates a Kysely instance with one fake connection to PostgreSQL. `script` decides which statements fail. `log` gets
 * each statement, and `released` when the connection returns to its pool.
 */
export function scriptedPostgres(script: Script = () => undefined) {
  const log: string[] = [];
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql }: { sql: string }): Promise<QueryResult<Row>> {
      log.push(sql);
      const error = script(sql);
      if (error) throw error;
      return { rows: [] };
    },
    streamQuery: () => {
      throw new Error('The store must not stream rows.');
    },
  };
  const driver: Driver = {
    async init() {},
    acquireConnection: async () => connection,
    async beginTransaction() {},
    async commitTransaction() {},
    async rollbackTransaction() {},
    releaseConnection: async () => void log.push('released'),
    async destroy() {},
  };
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db: db as unknown as SqlConnection, log };
}
