import { withTransaction } from '@partner-ramp/react/server/sql';
import { type Kysely, sql } from 'kysely';
import type { ShopDatabase } from './ShopDatabase.js';
import type { ShopTables } from './ShopTables.js';

/** Any number that is the same for all instances of this shop. */
const LOCK = 0x73686f70;

/** Creates missing tables, one instance at a time. It only adds, because other instances may be running. */
export function createShopTables(database: Pick<ShopDatabase, 'db' | 'dialect'>): Promise<void> {
  return withTransaction(database.db, async (db) => {
    if (database.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db);
    await createSessionTable(db);
    await createPrintTables(db);
    await addBusySince(db, database.dialect);
    await createOrderTables(db);
    await createOperatorTables(db);
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
  await createTable(db, 'shop_reservations')
    .addColumn('print_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('visitor', 'text', (visitor) => visitor.notNull())
    .addColumn('held_since', 'bigint', (time) => time.notNull())
    .addColumn('held_until', 'bigint', (time) => time.notNull())
    .execute();
  await createTable(db, 'shop_sold')
    .addColumn('print_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('order_id', 'text', (id) => id.notNull().unique())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .execute();
}

/** Adds the column that tables of earlier versions do not have. */
async function addBusySince(
  db: Kysely<ShopTables>,
  dialect: ShopDatabase['dialect'],
): Promise<void> {
  const found =
    dialect === 'sqlite'
      ? sql`select 1 from pragma_table_info('shop_reservations') where name = 'busy_since'`
      : sql`select 1 from pg_attribute where attrelid = 'shop_reservations'::regclass and attname = 'busy_since'`;
  if ((await found.execute(db)).rows.length > 0) return;
  await db.schema
    .alterTable('shop_reservations')
    .addColumn('busy_since', 'bigint', (time) => time.notNull().defaultTo(0))
    .execute();
}

async function createOrderTables(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_checkouts')
    .addColumn('reference', 'text', (reference) => reference.primaryKey().notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('print_id', 'text')
    .addColumn('quantity', 'integer', (count) => count.notNull())
    .addColumn('opened_at', 'bigint', (time) => time.notNull())
    .addColumn('has_order', 'integer', (flag) => flag.notNull())
    .execute();
  await db.schema
    .createIndex('shop_checkouts_of')
    .ifNotExists()
    .on('shop_checkouts')
    .columns(['subject', 'opened_at', 'reference'])
    .execute();
  await createTable(db, 'shop_changes')
    .addColumn('key', 'text', (key) => key.primaryKey().notNull())
    .addColumn('at', 'bigint', (time) => time.notNull())
    .execute();
  await createTable(db, 'shop_deliveries')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('delivered_at', 'bigint', (time) => time.notNull())
    .addColumn('settled_at', 'bigint')
    .execute();
}

async function createOperatorTables(db: Kysely<ShopTables>): Promise<void> {
  await createTable(db, 'shop_cases')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('reference', 'text', (reference) => reference.notNull())
    .addColumn('reason', 'text', (reason) => reason.notNull())
    .addColumn('field', 'text')
    .addColumn('opened_at', 'bigint', (time) => time.notNull())
    .addColumn('handled_at', 'bigint')
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
