import { createHash } from 'node:crypto';
import { type ColumnType, type Generated, sql } from 'kysely';
import { correctMatchStatus, type OrderRecord } from '../orders/store/OrderRecord.js';
import type { SqlConnection, SqlDatabase, SqlDialect } from './SqlDatabase.js';
import { retryWhileBusy } from './transactions/sqliteTransactions.js';
import { withWriteLock } from './transactions/withTransaction.js';

/** A whole number of 64 bits, which PostgreSQL returns as text. */
type Whole = ColumnType<number | string, number, number>;

/** The tables of a store. `toKey` creates the keys. JSON is stored as text, so that it does not change. */
export interface Tables {
  ramp_intents: {
    /** Of two intents with one order number, the one with the higher id is newer. */
    id: Generated<number | string>;
    reference: string;
    merchant_order_no: string | null;
    expires_at: Whole;
    /** When the checkout expires, while it is open. */
    open_until: Whole | null;
    outcome: string | null;
    /** When the state of the checkout was first requested, or its order announced. */
    opened_at: Whole | null;
    /** When a webhook announced an order of the checkout. */
    announced_at: Whole | null;
    /** The order that matched the intent first. */
    matched_order_id: string | null;
    intent: string;
  };
  ramp_orders: {
    order_id: string;
    /** The log entry that recorded the order first. */
    first_event_id: Whole;
    reference: string | null;
    match_status: OrderRecord['matchStatus'];
    changed_at: Whole;
    /** When the order finished, while its NFT is not settled. */
    unsettled_since: Whole | null;
    record: string;
  };
  ramp_events: {
    id: Whole;
    at: Whole;
    reference: string | null;
    outcome: string | null;
    record: string | null;
  };
  /** The outbox: changes that were not delivered yet. */
  ramp_changes: {
    key: string;
    event_id: Whole;
    reference: string | null;
    not_before: Whole;
    tries: Whole;
    record: string;
  };
  ramp_replays: {
    hash: string;
    keep_until: Whole;
  };
  /** One row. */
  ramp_state: {
    id: number;
    last_event_id: Whole;
    watermark: Whole | null;
    /** The instance that has the lease, which lasts until `lease_until`. */
    lease_owner: string | null;
    lease_until: Whole;
  };
  ramp_migrations: {
    version: number;
  };
}

/** The longest text that becomes a key unhashed. PostgreSQL cannot index a text of more than 2,704 bytes. */
const MAX_LENGTH = 300;

/**
 * Returns a key for an external name. PostgreSQL cannot store NUL, and no encoding can store half of a
 * surrogate pair: an order with such a name would fail its whole page at every sync.
 */
export function toKey(name: string): string {
  const escaped = JSON.stringify(name).slice(1, -1);
  if (escaped.length <= MAX_LENGTH) return escaped;
  return `sha256:${createHash('sha256').update(escaped).digest('hex')}`;
}

/** The number of rows per statement. Their parameters stay below the limit of SQLite: 32,766. */
const CHUNK = 500;

/** Runs work with each chunk of a list, one after the other, and returns all results. */
export async function inChunks<Row, Result>(
  rows: readonly Row[],
  work: (chunk: readonly Row[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += CHUNK)
    results.push(...(await work(rows.slice(start, start + CHUNK))));
  return results;
}

/** One migration. It only adds, because instances of the previous version still run while the next one starts. */
type Migration = (db: SqlConnection, dialect: SqlDialect) => Promise<void>;

/** The migrations in sequence. A published migration must never change. */
export const migrations: readonly Migration[] = [
  async (db, dialect) => {
    await createIntents(db, dialect);
    await createOrders(db);
    await createLog(db);
    await createState(db);
  },
  separateUnknownStates,
];

/** Gives the orders of an unknown state, which were `matched`, the status `unknown`. Their keys stay. */
async function separateUnknownStates(db: SqlConnection): Promise<void> {
  const rename = (text: string): string | undefined => {
    const stored: OrderRecord = JSON.parse(text);
    const record = correctMatchStatus(stored);
    return record === stored ? undefined : JSON.stringify(record);
  };
  const pattern = '%"state":"unknown"%';
  const orders = db.selectFrom('ramp_orders').select(['order_id', 'record']);
  for (const { order_id, record: text } of await orders
    .where('record', 'like', pattern)
    .execute()) {
    const record = rename(text);
    if (!record) continue;
    const renamed = db.updateTable('ramp_orders').set({ match_status: 'unknown', record });
    await renamed.where('order_id', '=', order_id).execute();
  }
  const changes = db.selectFrom('ramp_changes').select(['key', 'record']);
  for (const { key, record: text } of await changes.where('record', 'like', pattern).execute()) {
    const record = rename(text);
    if (!record) continue;
    await db.updateTable('ramp_changes').set({ record }).where('key', '=', key).execute();
  }
}

const MAX_MIGRATION_MS = 3_600_000;

/**
 * Creates or updates the tables. Several instances may call it concurrently. If the tables are up to date, it
 * changes nothing and needs no right to alter tables.
 */
export async function migrate(database: SqlDatabase): Promise<void> {
  if (database.dialect === 'sqlite') await configureSqlite(database);
  try {
    if ((await readVersion(database.db)) >= migrations.length) return;
  } catch {
    // It fails without tables. Any other error occurs again below.
  }
  // An index over a large table may take minutes.
  const limits = {
    ...database.limits,
    statementMs: MAX_MIGRATION_MS,
    workMs: MAX_MIGRATION_MS,
  };
  await withWriteLock({ ...database, limits }, async (db) => {
    const versions = db.schema.createTable('ramp_migrations').ifNotExists();
    await versions.addColumn('version', 'integer', (one) => one.primaryKey().notNull()).execute();
    const steps = [...migrations.entries()].slice(await readVersion(db));
    for (const [index, migration] of steps) {
      await migration(db, database.dialect);
      await db
        .insertInto('ramp_migrations')
        .values({ version: index + 1 })
        .execute();
    }
  });
}

async function readVersion(db: SqlConnection): Promise<number> {
  const { max } = db.fn;
  const newest = db.selectFrom('ramp_migrations').select(max('version').as('version'));
  return Number((await newest.executeTakeFirstOrThrow()).version);
}

/** Configures SQLite: acknowledged writes survive a loss of power, and readers do not wait for writers. */
async function configureSqlite({ db, runtime }: SqlDatabase): Promise<void> {
  await sql`pragma busy_timeout = 1000`.execute(db);
  await sql`pragma synchronous = full`.execute(db);
  await retryWhileBusy(runtime, () => sql`pragma journal_mode = wal`.execute(db));
}

async function createIntents({ schema }: SqlConnection, dialect: SqlDialect): Promise<void> {
  await schema
    .createTable('ramp_intents')
    .addColumn('id', dialect === 'postgres' ? 'bigserial' : 'integer', (id) => id.primaryKey())
    .addColumn('reference', 'text', (reference) => reference.notNull().unique())
    .addColumn('merchant_order_no', 'text')
    .addColumn('expires_at', 'bigint', (time) => time.notNull())
    .addColumn('open_until', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('opened_at', 'bigint')
    .addColumn('announced_at', 'bigint')
    .addColumn('matched_order_id', 'text')
    .addColumn('intent', 'text', (intent) => intent.notNull())
    .execute();
  const index = (name: string) => schema.createIndex(`ramp_intents_${name}`).on('ramp_intents');
  // With this index a purge does not read the paid checkouts, which may be many.
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
}

async function createOrders({ schema }: SqlConnection): Promise<void> {
  await schema
    .createTable('ramp_orders')
    .addColumn('order_id', 'text', (id) => id.primaryKey().notNull())
    .addColumn('first_event_id', 'bigint', (id) => id.notNull())
    .addColumn('reference', 'text')
    .addColumn('match_status', 'text', (status) => status.notNull())
    .addColumn('changed_at', 'bigint', (time) => time.notNull())
    .addColumn('unsettled_since', 'bigint')
    .addColumn('record', 'text', (record) => record.notNull())
    .execute();
  const index = (name: string) => schema.createIndex(`ramp_orders_${name}`).on('ramp_orders');
  const ofCheckout = index('checkout').columns(['reference', 'first_event_id']);
  await ofCheckout.where('reference', 'is not', null).execute();
  await index('newest').columns(['changed_at', 'order_id']).execute();
  await index('match_status').columns(['match_status', 'changed_at', 'order_id']).execute();
  const unsettled = index('unsettled').column('unsettled_since');
  await unsettled.where('unsettled_since', 'is not', null).execute();
}

async function createLog({ schema }: SqlConnection): Promise<void> {
  await schema
    .createTable('ramp_events')
    .addColumn('id', 'bigint', (id) => id.primaryKey().notNull())
    .addColumn('at', 'bigint', (time) => time.notNull())
    .addColumn('reference', 'text')
    .addColumn('outcome', 'text')
    .addColumn('record', 'text')
    .execute();
  await schema.createIndex('ramp_events_age').on('ramp_events').column('at').execute();
  await schema
    .createTable('ramp_changes')
    .addColumn('key', 'text', (key) => key.primaryKey().notNull())
    .addColumn('event_id', 'bigint', (id) => id.notNull())
    .addColumn('reference', 'text')
    .addColumn('not_before', 'bigint', (time) => time.notNull())
    .addColumn('tries', 'bigint', (tries) => tries.notNull())
    .addColumn('record', 'text', (record) => record.notNull())
    .execute();
  const due = schema.createIndex('ramp_changes_due').on('ramp_changes');
  await due.columns(['not_before', 'event_id']).execute();
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
    .addColumn('last_event_id', 'bigint', (id) => id.notNull())
    .addColumn('watermark', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (time) => time.notNull())
    .execute();
  await db.insertInto('ramp_state').values({ id: 1, last_event_id: 0, lease_until: 0 }).execute();
}
