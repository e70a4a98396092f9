import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';

/**
 * Creates functions that connect to PostgreSQL by URL, with the given `postgresPool`, or to SQLite by file name.
 *
 * @param {typeof import('../../../src/server/sql/index.js').postgresPool} postgresPool
 */
export function connectWith(postgresPool) {
  /** @param {string} target */
  const dialectOf = (target) =>
    target.startsWith('postgres')
      ? new PostgresDialect({
          // Some tests break connections.
          pool: postgresPool({ Pool: pg.Pool, connectionString: target, max: 4, onError() {} }),
        })
      : new SqliteDialect({ database: async () => new Libsql(target) });
  /** @param {string} target */
  const connect = (target) => new Kysely({ dialect: dialectOf(target) });
  return { dialectOf, connect };
}
