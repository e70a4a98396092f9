import { migrateOrderStore, postgresPool } from '@partner-ramp/react/server/sql';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/readConfig.js';
import { createShopTables } from './createShopTables.js';
import { openSqliteFile } from './openSqliteFile.js';
import type { ShopDatabase } from './ShopDatabase.js';
import type { ShopTables } from './ShopTables.js';

/**
 * Opens PostgreSQL if `databaseUrl` is set, otherwise a SQLite file, and migrates the tables of the order
 * store and of the shop.
 *
 * @param onError - Called when an idle connection breaks. A running query rejects as well.
 */
export async function openDatabase(
  { databaseUrl, databaseFile }: Pick<Config, 'databaseUrl' | 'databaseFile'>,
  onError: (error: unknown) => void,
): Promise<ShopDatabase> {
  const dialect = databaseUrl ? 'postgres' : 'sqlite';
  const db = new Kysely<ShopTables>({
    dialect: databaseUrl
      ? new PostgresDialect({
          pool: postgresPool({ Pool: pg.Pool, connectionString: databaseUrl, onError }),
        })
      : new SqliteDialect({ database: async () => openSqliteFile(databaseFile) }),
  });
  try {
    // It also sets SQLite to write-ahead logging, a busy_timeout and synchronous writes.
    await migrateOrderStore(db);
    await createShopTables({ db, dialect });
  } catch (error) {
    await db.destroy().catch(() => {});
    throw new Error(describeError(dialect, error), { cause: error });
  }
  return { db, dialect, close: () => db.destroy() };
}

function describeError(dialect: ShopDatabase['dialect'], error: unknown): string {
  const { code = 'no code' } = error as { code?: string };
  return dialect === 'postgres'
    ? `PostgreSQL could not be used (${code}): check DATABASE_URL, and that its user may create tables.`
    : `The database file could not be used (${code}): check DATABASE_FILE, and that this user may write there.`;
}
