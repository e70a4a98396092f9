import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { sqliteDialect } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely } from 'kysely';

/** The shop's own tables. Those of the package begin with `ramp_`, and are in the same file. Times are Unix seconds. */
interface ShopTables {
  purchases: {
    order_id: string;
    shopper_id: string;
    coin: string | null;
    amount: string | null;
    delivered_at: number;
  };
  reviews: {
    key: string;
    order_id: string;
    shopper_id: string | null;
    reason: string;
    field: string | null;
    seen_at: number;
  };
}

export type ShopDatabase = Kysely<ShopTables>;

/** Opens the SQLite file, and creates missing tables. A new folder is readable only for the user of this server. */
export function openDatabase(file: string): ShopDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(file);
  connection.exec(`
    create table if not exists purchases (
      order_id text primary key,
      shopper_id text not null,
      coin text,
      amount text,
      delivered_at integer not null
    );
    create table if not exists reviews (
      key text primary key,
      order_id text not null,
      shopper_id text,
      reason text not null,
      field text,
      seen_at integer not null
    );
  `);
  return new Kysely<ShopTables>({ dialect: sqliteDialect(connection) });
}
