import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from './openDatabase.js';
import type { ShopTables } from './ShopTables.js';

const PATIENCE_MS = 10_000;

/**
 * Does all of it or nothing. In SQLite it writes from its beginning, as to become a writer later fails
 * beside another process, and it is tried again while the file is busy.
 */
export async function withTransaction<Result>(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  work: (held: Kysely<ShopTables>) => Promise<Result>,
): Promise<Result> {
  if (dialect === 'postgres')
    return db.transaction().setIsolationLevel('read committed').execute(work);
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await db.connection().execute((held) => withImmediateTransaction(held, work));
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    await delay(Math.random() * 20);
  }
}

async function withImmediateTransaction<Result>(
  held: Kysely<ShopTables>,
  work: (held: Kysely<ShopTables>) => Promise<Result>,
): Promise<Result> {
  await sql`begin immediate`.execute(held);
  try {
    const result = await work(held);
    await sql`commit`.execute(held);
    return result;
  } catch (error) {
    await sql`rollback`.execute(held).catch(() => {});
    throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY');
