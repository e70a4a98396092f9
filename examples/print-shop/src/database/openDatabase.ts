import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrateOrderStore, postgresPool, sqliteDialect } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/readConfig.js';
import { createShopTables, type ShopTables } from './shopTables.js';

export interface ShopDatabase {
  readonly db: Kysely<ShopTables>;
  readonly dialect: 'postgres' | 'sqlite';
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL if `databaseUrl` is set, otherwise a SQLite file, and migrates the tables of the order store and
 * of the shop.
 *
 * @param onError - Called when a connection to PostgreSQL breaks. A query on this connection rejects as well.
 */
export async function openDatabase(
  { databaseUrl, databaseFile }: Pick<Config, 'databaseUrl' | 'databaseFile'>,
  onError: (error: unknown) => void,
): Promise<ShopDatabase> {
  const dialect = databaseUrl ? 'postgres' : 'sqlite';
  const db = new Kysely<ShopTables>({
    dialect: databaseUrl
      ? new PostgresDialect({
          pool: postgresPool({ pg, connectionString: databaseUrl, onError }),
        })
      : sqliteDialect(openSqliteFile(databaseFile)),
  });
  try {
    // `migrateOrderStore` also configures SQLite: write-ahead logging, a busy_timeout and synchronous writes.
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

/**
 * Opens a SQLite file. Creates the folder and the file with access only for the user of this process, because they
 * contain wallets and orders. The files that SQLite adds to the folder get the mode of the database file. Folders and
 * files that already exist keep their mode.
 */
function openSqliteFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  // Overwrite deleted data with zeros. Otherwise SQLite leaves it readable in free pages of the file.
  database.exec('pragma secure_delete = on');
  return database;
}

const LIMIT_MS = 2000;

/**
 * Creates the check for `GET /ready`. The check returns true if `query` succeeds within two seconds.
 *
 * Concurrent probes share one query, however often a load balancer probes. Otherwise, while the database does not
 * respond, each probe would take another connection of the pool.
 */
export function createReadinessCheck(query: () => Promise<void>): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined;
  return async () => {
    pending ??= query()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pending = undefined;
      });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, LIMIT_MS, false);
    });
    try {
      return await Promise.race([pending, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Throws unless the database executes a query. */
export async function queryDatabase({ db }: Pick<ShopDatabase, 'db'>): Promise<void> {
  await sql`select 1`.execute(db);
}
