import { withTransaction } from '@partner-ramp/react/server/sql';
import { type ColumnType, type Kysely, sql } from 'kysely';
import type { ShopDatabase } from './openDatabase.js';

/** A 64-bit integer, which PostgreSQL returns as text. */
type Whole = ColumnType<number | string, number, number>;

/** The shop's tables. They are in the same database as the tables of `sqlOrderStore`. Times are Unix seconds. */
export interface ShopTables {
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
  /** The last failure of each order that the shop could not deliver or review. Deleted once it has succeeded. */
  shop_failures: {
    order_id: string;
    /** Empty for an order that belongs to no checkout. */
    reference: string;
    subject: string;
    /** When the last attempt failed. */
    at: Whole;
    /** The code or class of the error, and its message, without secrets. */
    message: string;
    /** The number of failed attempts. */
    tries: Whole;
  };
  /** Orders that need, or needed, the operator. A failing delivery has no row until an operator handles it. */
  shop_cases: {
    order_id: string;
    reference: string;
    reason: string;
    field: string | null;
    opened_at: Whole;
    handled_at: Whole | null;
    /** Null for an order that belongs to no checkout. */
    subject: string | null;
    /** The operator's note, for colleagues only. What the operator did is the resolution of the order. */
    note: string | null;
  };
  /** Shoppers whose data is being erased. The row is deleted once no checkout of the shopper is kept. */
  shop_erasures: { subject: string };
  /** Counts of webhooks. Rows older than 30 days are deleted. */
  shop_webhooks: { minute: Whole; outcome: string; reason: string; count: Whole };
  /**
   * Sessions of shoppers that were signed out. Without this row, the session's cookie would be valid until
   * `expires_at`.
   */
  shop_ended_sessions: { session_id: string; expires_at: Whole };
  /** Sessions of the operator, by the hash of their token. */
  shop_operators: { token_hash: string; expires_at: Whole };
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
  await createTable(db, 'shop_failures')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('at', 'bigint', (time) => time.notNull())
    .addColumn('message', 'text', (message) => message.notNull())
    .addColumn('tries', 'bigint', (tries) => tries.notNull())
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

async function createOperatorTables(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_erasures')
    .addColumn('subject', 'text', (subject) => subject.primaryKey().notNull())
    .execute();
  await createTable(db, 'shop_cases')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('reason', 'text', (reason) => reason.notNull())
    .addColumn('field', 'text')
    .addColumn('opened_at', 'bigint', (time) => time.notNull())
    .addColumn('handled_at', 'bigint')
    .addColumn('subject', 'text')
    .addColumn('note', 'text')
    .execute();
  await createTable(db, 'shop_webhooks')
    .addColumn('minute', 'bigint', (time) => time.notNull())
    .addColumn('outcome', 'text', (outcome) => outcome.notNull())
    .addColumn('reason', 'text', (reason) => reason.notNull())
    .addColumn('count', 'bigint', (count) => count.notNull())
    .addPrimaryKeyConstraint('shop_webhooks_key', ['minute', 'outcome', 'reason'])
    .execute();
  await createTable(db, 'shop_operators')
    .addColumn('token_hash', 'text', (hash) => hash.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (time) => time.notNull())
    .execute();
}
