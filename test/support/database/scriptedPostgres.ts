import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { SqlConnection } from '../../../src/server/sql/SqlDatabase.js';

/** Returns the error of a statement, or undefined if it succeeds. */
export type Script = (statement: string) => Error | undefined;

/**
 * Creates a Kysely instance with one connection to a PostgreSQL that a test scripts, and logs the statements.
 * `released` is logged when the connection returns to its pool.
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
