import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';

/** PostgreSQL by its URL, or SQLite by the name of its file. */
export const dialectOf = (target) =>
  target.startsWith('postgres')
    ? new PostgresDialect({ pool: poolOf(target) })
    : new SqliteDialect({ database: async () => new Libsql(target) });

export const connect = (target) => new Kysely({ dialect: dialectOf(target) });

function poolOf(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 4 });
  // A connection that breaks would end the process, idle or not. What is asked of it fails anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
