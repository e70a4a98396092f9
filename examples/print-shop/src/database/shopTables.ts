import { withTransaction } from '@partner-ramp/react/server/sql';
import { type ColumnType, type Kysely, sql } from 'kysely';
import { createOperatorTables, type OperatorTables } from 'operator-page';
import type { ShopDatabase } from './openDatabase.js';

/** A 64-bit integer, which PostgreSQL returns as text. */
type Whole = ColumnType<number | string, number, number>;

/** The shop's tables. They are in the same database as the tables of `sqlOrderStore`. Times are Unix seconds. */
export interface ShopTables extends OperatorTables {
  /** Reservations of prints that exist once. */
  shop_holds: { print_id: string; subject: string; held_until: Whole };
  /** Sold prints that exist once, with their order. */
  shop_sold: { print_id: string; order_id: string; subject: string };
  /** Delivered orders. */
  shop_deliveries: {
    order_id: string;
    reference: string;
    subject: string;
    delivered_at: Whole;
  };
  /** Shoppers whose data is being erased. The row is deleted once no checkout of the shopper is kept. */
  shop_erasures: { subject: string };
  /**
   * Sessions of shoppers that were signed out. Without this row, the session's cookie would be valid until
   * `expires_at`.
   */
  shop_ended_sessions: { session_id: string; expires_at: Whole };
  /** The counts of the rate limits, by the hash of an address or a shopper. PostgreSQL only. */
  shop_limits: { key: string; points: number; expire: Whole | null };
}

/** The key of the advisory lock. Any number will do if all instances of this shop use the same number. */
const LOCK = 0x73686f70;

/** Creates missing tables, one instance at a time. */
export function createShopTables(database: Pick<ShopDatabase, 'db' | 'dialect'>): Promise<void> {
  return withTransaction(database.db, async (db) => {
    if (database.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db);
    await createSessionTable(db);
    await createPrintTables(db);
    await createOrderTables(db);
    await createErasureTable(db);
    await createOperatorTables(db);
    if (database.dialect === 'postgres') await createLimitTable(db);
  });
}

const createTable = ({ schema }: Kysely<ShopTables>, name: keyof ShopTables) =>
  schema.createTable(name).ifNotExists();

async function createSessionTable(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_ended_sessions')
    .addColumn('session_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (time) => time.notNull())
    .execute();
  await db.schema
    .createIndex('shop_ended_sessions_expiry')
    .ifNotExists()
    .on('shop_ended_sessions')
    .column('expires_at')
    .execute();
}

async function createPrintTables(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_holds')
    .addColumn('print_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('held_until', 'bigint', (time) => time.notNull())
    .execute();
  await createTable(db, 'shop_sold')
    .addColumn('print_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('order_id', 'text', (id) => id.notNull().unique())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .execute();
}

async function createOrderTables(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_deliveries')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('delivered_at', 'bigint', (time) => time.notNull())
    .execute();
}

/**
 * Creates the table that `rate-limiter-flexible` expects. It is unlogged, which makes counting cheaper: after a crash of
 * PostgreSQL it is empty.
 */
async function createLimitTable(db: Kysely<ShopTables>): Promise<void> {
  await sql`create unlogged table if not exists shop_limits (
    key varchar(255) primary key, points integer not null default 0, expire bigint
  )`.execute(db);
}

async function createErasureTable(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_erasures')
    .addColumn('subject', 'text', (subject) => subject.primaryKey().notNull())
    .execute();
}
