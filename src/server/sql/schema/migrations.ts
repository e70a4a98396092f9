import { sql } from 'kysely';
import type { SqlConnection, SqlDialect } from '../SqlDatabase.js';

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
];

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
