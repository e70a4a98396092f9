import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';

/** PostgreSQL by its URL, or SQLite by the name of its file, through a given `postgresPool`. */
export function connectWith(postgresPool) {
  const dialectOf = (target) =>
    target.startsWith('postgres')
      ? new PostgresDialect({
          // Broken connections are part of some tests.
          pool: postgresPool({ Pool: pg.Pool, connectionString: target, max: 4, onError() {} }),
        })
      : new SqliteDialect({ database: async () => new Libsql(target) });
  return { dialectOf, connect: (target) => new Kysely({ dialect: dialectOf(target) }) };
}
