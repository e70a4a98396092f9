import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { ShopDatabase } from './ShopDatabase.js';
import type { ShopTables } from './ShopTables.js';

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Runs `work` in a transaction. With SQLite, the transaction takes the write lock at its start, because
 * upgrading a read lock fails when another process writes, and it is retried while the file is busy.
 */
export async function withTransaction<Result>(
  { db, dialect }: Pick<ShopDatabase, 'db' | 'dialect'>,
  work: (connection: Kysely<ShopTables>) => Promise<Result>,
): Promise<Result> {
  if (dialect === 'postgres')
    return db.transaction().setIsolationLevel('read committed').execute(work);
  for (const end = Date.now() + BUSY_TIMEOUT_MS; ; ) {
    try {
      return await db
        .connection()
        .execute((connection) => withImmediateTransaction(connection, work));
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    await delay(Math.random() * 20);
  }
}

async function withImmediateTransaction<Result>(
  connection: Kysely<ShopTables>,
  work: (connection: Kysely<ShopTables>) => Promise<Result>,
): Promise<Result> {
  await sql`begin immediate`.execute(connection);
  try {
    const result = await work(connection);
    await sql`commit`.execute(connection);
    return result;
  } catch (error) {
    await sql`rollback`.execute(connection).catch(() => {});
    throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY');
