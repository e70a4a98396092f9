import type { Kysely } from 'kysely';
import type { ShopTables } from './ShopTables.js';

/** The open database of the shop. */
export interface ShopDatabase {
  readonly db: Kysely<ShopTables>;
  readonly dialect: 'postgres' | 'sqlite';
  close(): Promise<void>;
}
