import { sql } from 'kysely';
import type { ShopDatabase } from './ShopDatabase.js';

/** Throws unless the database executes a query. */
export async function queryDatabase({ db }: Pick<ShopDatabase, 'db'>): Promise<void> {
  await sql`select 1`.execute(db);
}
