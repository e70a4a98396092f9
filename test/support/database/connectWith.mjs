import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';

/** Creates functions that connect to PostgreSQL by URL, with the given `postgresPool`, or to SQLite by file name. */
export function connectWith(postgresPool) {
  const dialectOf = (target) =>
    target.startsWith('postgres')
      ? new PostgresDialect({
          // Some tests break connections.
          pool: postgresPool({ Pool: pg.Pool, connectionString: target, max: 4, onError() {} }),
        })
      : new SqliteDialect({ database: async () => new Libsql(target) });
  return { dialectOf, connect: (target) => new Kysely({ dialect: dialectOf(target) }) };
}
