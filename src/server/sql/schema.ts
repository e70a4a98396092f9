import { createHash } from 'node:crypto';
import { type ColumnType, type Generated, sql } from 'kysely';
import { createConfigError } from '../../protocol/errors/RampError.js';
import type { OrderRecord } from '../orders/store/OrderRecord.js';
import type { SqlConnection, SqlDatabase, SqlDialect } from './SqlDatabase.js';
import { createSearchIndexes } from './searchIndexes.js';
import { retryWhileBusy } from './transactions/sqliteTransactions.js';
import { withWriteLock } from './transactions/withTransaction.js';

/** A 64-bit integer. PostgreSQL drivers return it as text. */
type Whole = ColumnType<number | string, number, number>;

/**
 * The tables of a store. References, order IDs and other names from outside are stored as keys, which `toKey` creates.
 * JSON is stored as text, because a JSON column could change it.
 */
export interface Tables {
  ramp_checkouts: {
    /** Increases: of two checkouts with the same `merchant_order_no`, the one with the higher id is newer. */
    id: Generated<number | string>;
    reference: string;
    merchant_order_no: string | null;
    expires_at: Whole;
    /** When the checkout expires. Null once it has expired, or an order has matched it. */
    open_until: Whole | null;
    outcome: string | null;
    /** When the page first reported the checkout as opened, or one of its orders was announced or recorded. */
    opened_at: Whole | null;
    /** When a webhook announced an order of the checkout. */
    announced_at: Whole | null;
    /** The first order that matched the checkout. */
    matched_order_id: string | null;
    /** The granted checkout as JSON. */
    terms: string;
    /** The key of the subject. */
    subject: string;
    created_at: Whole;
  };
  ramp_orders: {
    /** Increases: it sorts the orders of a checkout by age. */
    id: Generated<number | string>;
    order_id: string;
    reference: string | null;
    match_status: OrderRecord['matchStatus'];
    changed_at: Whole;
    /** When an unsettled NFT order finished. Null for other orders. */
    unsettled_since: Whole | null;
    /** When `deliver` succeeded. */
    delivered_at: Whole | null;
    /** The reasons for which `review` has succeeded, separated by spaces. */
    reviewed_for: string | null;
    record: string;
  };
  /** The outbox: changes that have not been delivered yet. */
  ramp_changes: {
    /** Increases: it sorts the changes by age. */
    id: Generated<number | string>;
    key: string;
    reference: string | null;
    /** When the order reached the state of the change. */
    changed_at: Whole;
    not_before: Whole;
    tries: Whole;
    record: string;
  };
  ramp_replays: {
    hash: string;
    keep_until: Whole;
  };
  /** Has exactly one row. */
  ramp_state: {
    id: number;
    /** The random id of the sync that holds the lease until `lease_until`. */
    lease_owner: string | null;
    lease_until: Whole;
    /** What one sync hands on to the next. Null before the first sync. */
    sync_state: string | null;
    /** Increases with each write of `sync_state`. */
    sync_revision: Whole;
    /** The partner of the store. Null before the first sync or checkout. */
    partner_id: string | null;
    /** The host of the partner API. Null before the first sync or checkout. */
    environment: string | null;
  };
  ramp_migrations: {
    version: number;
  };
}

/** The longest escaped name that `toKey` does not hash. PostgreSQL cannot index a text of more than 2,704 bytes. */
const MAX_LENGTH = 300;

/**
 * Returns the key under which a name from outside, such as an order ID, is stored. The name is escaped, because
 * PostgreSQL cannot store NUL, and no encoding can store half of a surrogate pair. Unescaped, a single such name would
 * make its whole page of the order list fail at every sync.
 */
export function toKey(name: string): string {
  const escaped = JSON.stringify(name).slice(1, -1);
  if (escaped.length <= MAX_LENGTH) return escaped;
  return `sha256:${createHash('sha256').update(escaped).digest('hex')}`;
}

/** The number of rows per statement. The parameters of these rows stay below SQLite's limit of 32,766. */
const CHUNK = 500;

/** Calls `work` with one chunk of a list after another, and returns all results. */
export async function inChunks<Row, Result>(
  rows: readonly Row[],
  work: (chunk: readonly Row[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += CHUNK)
    results.push(...(await work(rows.slice(start, start + CHUNK))));
  return results;
}

/** One migration. It must not break instances of the previous version, which still run while the new version starts. */
type Migration = (db: SqlConnection, dialect: SqlDialect) => Promise<void>;

/** The migrations in the order in which they run. Never change one that was published: it does not run again. */
export const migrations: readonly Migration[] = [createTables];

const MAX_MIGRATION_MS = 3_600_000;

/**
 * Creates or updates the tables. Several instances may call it concurrently. If the tables are up to date, it changes
 * nothing, and needs no permission to alter tables.
 *
 * @param known - All migrations. Tests pass their own.
 */
export async function migrate(database: SqlDatabase, known = migrations): Promise<void> {
  await prepare(database);
  // The query fails if there are no tables yet. Any other error occurs again below, and is thrown there.
  const version = await readVersion(database.db).catch(() => 0);
  if (version >= known.length) return;
  // Raise the limits, because creating an index on a large table may take minutes.
  const limits = {
    ...database.limits,
    statementMs: MAX_MIGRATION_MS,
    workMs: MAX_MIGRATION_MS,
  };
  await withWriteLock({ ...database, limits }, async (db) => {
    const versions = db.schema.createTable('ramp_migrations').ifNotExists();
    await versions.addColumn('version', 'integer', (one) => one.primaryKey().notNull()).execute();
    const steps = [...known.entries()].slice(await readVersion(db));
    for (const [index, migration] of steps) {
      await migration(db, database.dialect);
      await db
        .insertInto('ramp_migrations')
        .values({ version: index + 1 })
        .execute();
    }
  });
}

/**
 * Refuses a database without the tables of this release. In production a shopper's request must not create tables or
 * indexes, which may take minutes.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export async function requireTables(database: SqlDatabase): Promise<void> {
  await prepare(database);
  const version = await readVersion(database.db).catch((cause: unknown) => {
    throw createTablesError(cause);
  });
  if (version < migrations.length) throw createTablesError();
}

const createTablesError = (cause?: unknown) =>
  createConfigError(
    'sqlOrderStore',
    'cannot read its tables, or they are those of an earlier release. In production, requests do not create them: call ramp.start() when the server starts, or migrateOrderStore(kysely) before you deploy functions.',
    { cause },
  );

async function prepare(database: SqlDatabase): Promise<void> {
  if (database.dialect === 'sqlite') await configureSqlite(database);
  else await refuseEncoding(database.db);
}

async function readVersion(db: SqlConnection): Promise<number> {
  const { max } = db.fn;
  const newest = db.selectFrom('ramp_migrations').select(max('version').as('version'));
  return Number((await newest.executeTakeFirstOrThrow()).version);
}

/**
 * Refuses a PostgreSQL database that cannot store every character. An order with an unsupported character would stop
 * every sync.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
async function refuseEncoding(db: SqlConnection): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding ?? 'UTF8';
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw createConfigError(
    'sqlOrderStore',
    `needs a PostgreSQL database with the encoding UTF8, and this one has ${encoding}, in which orders with other characters cannot be stored. Create one for the orders: create database orders encoding 'UTF8' template template0.`,
  );
}

/**
 * Configures SQLite so that acknowledged writes survive a power loss, and readers do not wait for writers. Before the
 * first process has switched to WAL, a writer locks out readers too, and even a pragma may find the file locked.
 */
async function configureSqlite({ db, runtime }: SqlDatabase): Promise<void> {
  await retryWhileBusy(runtime, async () => {
    // A driver blocks the event loop for this long, so keep it short: a statement that finds the file locked is
    // retried.
    await sql`pragma busy_timeout = 20`.execute(db);
    await refuseLibsql(db);
    await sql`pragma synchronous = full`.execute(db);
    await sql`pragma journal_mode = wal`.execute(db);
  });
}

/**
 * Refuses the libsql driver for a database file. When one of its statements finds the file locked, that statement stays
 * open. Later statements on the connection succeed, and are rolled back with the next transaction that fails.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
async function refuseLibsql(db: SqlConnection): Promise<void> {
  const { rows } = await sql`
    select 1 from pragma_function_list, pragma_database_list as databases
    where pragma_function_list.name = 'libsql_vector_idx' and databases.name = 'main' and databases.file <> ''
  `.execute(db);
  if (rows.length === 0) return;
  throw createConfigError(
    'sqlOrderStore',
    'refuses the driver libsql for a file: when the file is locked by another process, libsql leaves a statement open, and writes that have succeeded are rolled back later. Use sqliteDialect with @photostructure/sqlite, node:sqlite or better-sqlite3. The file stays the same.',
  );
}

/** The column type of an auto-incrementing id, by dialect. */
const ID_TYPE = { postgres: 'bigserial', sqlite: 'integer' } as const;

async function createTables(db: SqlConnection, dialect: SqlDialect): Promise<void> {
  await createCheckouts(db, dialect);
  await createOrders(db, dialect);
  await createChanges(db, dialect);
  await createState(db);
  await createSearchIndexes(db, dialect);
}

async function createCheckouts({ schema }: SqlConnection, dialect: SqlDialect): Promise<void> {
  await schema
    .createTable('ramp_checkouts')
    .addColumn('id', ID_TYPE[dialect], (id) => id.primaryKey())
    .addColumn('reference', 'text', (reference) => reference.notNull().unique())
    .addColumn('merchant_order_no', 'text')
    .addColumn('expires_at', 'bigint', (time) => time.notNull())
    .addColumn('open_until', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('opened_at', 'bigint')
    .addColumn('announced_at', 'bigint')
    .addColumn('matched_order_id', 'text')
    .addColumn('terms', 'text', (terms) => terms.notNull())
    .addColumn('subject', 'text', (subject) => subject.notNull())
    .addColumn('created_at', 'bigint', (time) => time.notNull())
    .execute();
  const index = (name: string) => schema.createIndex(`ramp_checkouts_${name}`).on('ramp_checkouts');
  // This index leaves out paid checkouts, of which there may be many, so that a purge does not read them.
  const unmatched = index('unmatched').columns(['expires_at', 'id']);
  await unmatched.where(sql.ref('matched_order_id'), 'is', null).execute();
  await index('open').column('open_until').where('open_until', 'is not', null).execute();
  const announced = index('announced').column('announced_at');
  await announced
    .where('announced_at', 'is not', null)
    .where(sql.ref('matched_order_id'), 'is', null)
    .execute();
  const numbered = index('order_no').columns(['merchant_order_no', 'id']);
  await numbered.where('merchant_order_no', 'is not', null).execute();
  const listed = index('listed').columns(['subject', 'created_at', 'reference']);
  await listed.where(sql.ref('opened_at'), 'is not', null).execute();
  const unpaid = index('unpaid').columns(['created_at', 'reference']);
  await unpaid
    .where(sql.ref('opened_at'), 'is not', null)
    .where(sql.ref('matched_order_id'), 'is', null)
    .where(sql.ref('announced_at'), 'is', null)
    .execute();
  await index('subject').columns(['subject', 'id']).execute();
}

async function createOrders({ schema }: SqlConnection, dialect: SqlDialect): Promise<void> {
  await schema
    .createTable('ramp_orders')
    .addColumn('id', ID_TYPE[dialect], (id) => id.primaryKey())
    .addColumn('order_id', 'text', (id) => id.notNull().unique())
    .addColumn('reference', 'text')
    .addColumn('match_status', 'text', (status) => status.notNull())
    .addColumn('changed_at', 'bigint', (time) => time.notNull())
    .addColumn('unsettled_since', 'bigint')
    .addColumn('delivered_at', 'bigint')
    .addColumn('reviewed_for', 'text')
    .addColumn('record', 'text', (record) => record.notNull())
    .execute();
  const index = (name: string) => schema.createIndex(`ramp_orders_${name}`).on('ramp_orders');
  const ofCheckout = index('checkout').columns(['reference', 'id']);
  await ofCheckout.where('reference', 'is not', null).execute();
  await index('newest').columns(['changed_at', 'order_id']).execute();
  await index('match_status').columns(['match_status', 'changed_at', 'order_id']).execute();
  const unsettled = index('unsettled').column('unsettled_since');
  await unsettled.where('unsettled_since', 'is not', null).execute();
}

async function createChanges({ schema }: SqlConnection, dialect: SqlDialect): Promise<void> {
  await schema
    .createTable('ramp_changes')
    .addColumn('id', ID_TYPE[dialect], (id) => id.primaryKey())
    .addColumn('key', 'text', (key) => key.notNull().unique())
    .addColumn('reference', 'text')
    .addColumn('changed_at', 'bigint', (time) => time.notNull())
    .addColumn('not_before', 'bigint', (time) => time.notNull())
    .addColumn('tries', 'bigint', (tries) => tries.notNull())
    .addColumn('record', 'text', (record) => record.notNull())
    .execute();
  const due = schema.createIndex('ramp_changes_due').on('ramp_changes');
  await due.columns(['not_before', 'id']).execute();
}

async function createState(db: SqlConnection): Promise<void> {
  await db.schema
    .createTable('ramp_replays')
    .addColumn('hash', 'text', (hash) => hash.primaryKey().notNull())
    .addColumn('keep_until', 'bigint', (time) => time.notNull())
    .execute();
  const age = db.schema.createIndex('ramp_replays_age').on('ramp_replays');
  await age.column('keep_until').execute();
  await db.schema
    .createTable('ramp_state')
    .addColumn('id', 'integer', (id) => id.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (time) => time.notNull())
    .addColumn('sync_state', 'text')
    .addColumn('sync_revision', 'bigint', (revision) => revision.notNull())
    .addColumn('partner_id', 'text')
    .addColumn('environment', 'text')
    .execute();
  const first = { id: 1, lease_until: 0, sync_revision: 0 };
  await db.insertInto('ramp_state').values(first).execute();
}
