import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

/**
 * Creates functions that connect to a target. A target is the URL of a PostgreSQL database, which is opened with the
 * given `postgresPool`, or the name of a SQLite file.
 *
 * @param {Pick<typeof import('../../../src/server/sql/index.js'), 'postgresPool' | 'sqliteDialect'>} package
 */
export function connectWith({ postgresPool, sqliteDialect }) {
  /** @param {string} target */
  const dialectOf = (target) =>
    target.startsWith('postgres')
      ? new PostgresDialect({
          // onError ignores broken connections, because some tests break them on purpose.
          pool: postgresPool({ pg, connectionString: target, max: 4, onError() {} }),
        })
      : sqliteDialect(new DatabaseSync(target));
  /** @param {string} target */
  const connect = (target) => new Kysely({ dialect: dialectOf(target) });
  return { dialectOf, connect };
}
