import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';

/**
 * Creates functions that connect to a target. A target is the URL of a PostgreSQL database, which is opened with the
 * given `postgresPool`, or the name of a SQLite file.
 *
 * @param {typeof import('../../../src/server/sql/index.js').postgresPool} postgresPool
 */
export function connectWith(postgresPool) {
  /** @param {string} target */
  const dialectOf = (target) =>
    target.startsWith('postgres')
      ? new PostgresDialect({
          // onError ignores broken connections, because some tests break them on purpose.
          pool: postgresPool({ Pool: pg.Pool, connectionString: target, max: 4, onError() {} }),
        })
      : new SqliteDialect({ database: async () => new Libsql(target) });
  /** @param {string} target */
  const connect = (target) => new Kysely({ dialect: dialectOf(target) });
  return { dialectOf, connect };
}
