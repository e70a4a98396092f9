import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { migrateOrderStore, sqlOrderStore } from '../../../src/server/sql/index.js';
import { migrations } from '../../../src/server/sql/schema.js';
import { connect } from '../../support/database/connectSource.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
  sqlDatabases,
  type TestDatabase,
} from '../../support/database/sqlDatabases.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

/** Reverts the tables to version 2, in which an intent has no columns for its subject and its time. */
async function revertSubjects(kysely: Kysely<unknown>): Promise<void> {
  for (const name of ['intents_listed', 'intents_unfilled', 'intents_subject', 'intents_marked'])
    await kysely.schema.dropIndex(`ramp_${name}`).execute();
  await kysely.schema.dropIndex('ramp_events_checkout').execute();
  for (const column of ['subject', 'created_at', 'erase_orders', 'erased'])
    await kysely.schema.alterTable('ramp_intents').dropColumn(column).execute();
  for (const column of ['sync_memory', 'sync_revision', 'partner_id', 'environment'])
    await kysely.schema.alterTable('ramp_state').dropColumn(column).execute();
  await sql`delete from ramp_migrations where version > 2`.execute(kysely);
}

/** Writes a checkout as an instance of release 0.1 does: without values in the columns `subject` and `created_at`. */
const saveAsEarlierRelease = async (
  kysely: Kysely<unknown>,
  given: Parameters<typeof onRampIntent>[0],
  openedAt: number | null = baseTime,
) => {
  const intent = onRampIntent(given);
  await sql`insert into ramp_intents (reference, expires_at, open_until, opened_at, intent) values
    (${intent.reference}, ${intent.expiresAt}, ${intent.expiresAt}, ${openedAt}, ${JSON.stringify(intent)})`.execute(
    kysely,
  );
};

const listReferences = async (store: OrderStore, subject = 'u1') =>
  (await store.listCheckouts({ subject, limit: 2000 })).map(({ intent }) => intent.reference);

describe.each(sqlDatabases)('migrate on %s', (_, empty) => {
  /**
   * Returns the tables in the schema of this test. Do not read all schemas: other tests create and drop theirs meanwhile.
   */
  const namesIn = async (kysely: Kysely<unknown>, { schema }: TestDatabase) => {
    const tables = schema
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${schema}`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`;
    const { rows } = await tables.execute(kysely);
    return rows.map(({ name }) => name);
  };

  it('creates the tables once in five concurrent calls, and has no effect later', async () => {
    const database = await empty();
    const { connect } = database;
    const kysely = connect();
    await Promise.all(Array.from({ length: 5 }, () => migrateOrderStore(connect())));
    const store = sqlOrderStore(kysely);
    await store.saveIntent(onRampIntent());
    const tables = await namesIn(kysely, database);
    await migrateOrderStore(kysely);
    expect(await namesIn(kysely, database)).toEqual(tables);
    expect(await store.findCheckout('r1')).toBeDefined();
    const versions = await sql<{ version: number }>`select version from ramp_migrations`.execute(
      kysely,
    );
    expect(versions.rows.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1));
  });

  it('creates only tables that begin with ramp_', async () => {
    const database = await empty();
    const kysely = database.connect();
    await migrateOrderStore(kysely);
    const names = await namesIn(kysely, database);
    const own = names.filter((name) => name.startsWith('ramp_'));
    expect(own.length).toBeGreaterThanOrEqual(7);
    expect(names.filter((name) => !/^ramp_|^sqlite_/.test(name))).toEqual([]);
  });

  it('gives recorded orders of an unknown state a status of their own, and keeps the keys of their changes', async () => {
    const { connect, store } = await empty();
    const kysely = connect();
    const earlier = store();
    await earlier.saveIntent(nftIntent());
    const stray = nftOrder('unknown', {
      orderId: 'stray',
      ext: undefined,
      details: { merchantOrderNo: undefined },
    });
    await earlier.recordOrders([nftOrder('unknown'), stray], baseTime);
    // Rewrite the rows as the first version recorded them: an order in an unknown state as matched.
    for (const table of ['ramp_orders', 'ramp_changes'])
      await sql`update ${sql.table(table)} set record = replace(record, '"matchStatus":"unknown"', '"matchStatus":"matched"')`.execute(
        kysely,
      );
    await sql`update ramp_orders set match_status = 'matched' where order_id = 'o1'`.execute(
      kysely,
    );
    await revertSubjects(kysely);
    await sql`delete from ramp_migrations where version > 1`.execute(kysely);
    const current = store();
    expect(await current.listOrders({ matchStatus: 'unknown', limit: 9 })).toMatchObject([
      { matchStatus: 'unknown', reference: 'r1', order: { orderId: 'o1' } },
    ]);
    expect(await current.listOrders({ matchStatus: 'unmatched', limit: 9 })).toMatchObject([
      { matchStatus: 'unmatched', order: { orderId: 'stray' } },
    ]);
    expect(await current.listPendingChanges(baseTime, 9)).toMatchObject([
      { key: 'o1:unknown', matchStatus: 'unknown', intent: { reference: 'r1' } },
      { key: 'stray:unknown', matchStatus: 'unmatched' },
    ]);
    // The store also corrects what it reads, so look at the row itself.
    const { rows } = await sql<{
      record: string;
    }>`select record from ramp_changes order by event_id`.execute(kysely);
    expect(rows.map(({ record }) => JSON.parse(record).matchStatus)).toEqual([
      'unknown',
      'unmatched',
    ]);
    await current.recordOrders([nftOrder('finished')], baseTime + 1);
    expect(await current.listOrders({ matchStatus: 'matched', limit: 9 })).toHaveLength(1);
  });

  it('never delivers an order of an unknown state as matched, although release 0.1 recorded it beside this one', async () => {
    const { connect, store } = await empty();
    const current = store();
    await current.saveIntent(nftIntent());
    await current.recordOrders([nftOrder('unknown')], baseTime);
    await sql`update ramp_changes set record = replace(record, '"matchStatus":"unknown"', '"matchStatus":"matched"')`.execute(
      connect(),
    );
    expect(await current.listPendingChanges(baseTime, 9)).toMatchObject([
      { matchStatus: 'unknown', record: { matchStatus: 'unknown' } },
    ]);
  });

  it('lists the checkouts that release 0.1 stored, and those with an order although it did not mark them as opened', async () => {
    const { connect, store } = await empty();
    const kysely = connect();
    await migrateOrderStore(kysely);
    await revertSubjects(kysely);
    const count = 1001;
    for (let i = 0; i < count; i++)
      await saveAsEarlierRelease(kysely, { reference: `r${i + 1000}`, createdAt: baseTime - i });
    await saveAsEarlierRelease(kysely, { reference: 'unopened' }, null);
    await saveAsEarlierRelease(kysely, { reference: 'other', subject: '\0' });
    await saveAsEarlierRelease(kysely, { reference: 'paid', createdAt: baseTime + 1 }, null);
    const record = { matchStatus: 'matched', reference: 'paid', order: onRampOrder() };
    for (const [id, changedAt] of [
      ['o1', baseTime + 5],
      ['o2', baseTime + 3],
    ])
      await sql`insert into ramp_orders (order_id, first_event_id, reference, match_status, changed_at, record)
        values (${id}, 1, 'paid', 'matched', ${changedAt}, ${JSON.stringify(record)})`.execute(
        kysely,
      );
    await migrateOrderStore(kysely);
    const current = store();
    const listed = await listReferences(current);
    expect(listed).toHaveLength(count + 1);
    expect([listed[0], listed[1], listed.at(-1)]).toEqual(['paid', 'r1000', 'r2000']);
    expect(await listReferences(current, '\0')).toEqual(['other']);
    expect(await current.findCheckout('paid')).toMatchObject({ openedAt: baseTime + 3 });
    expect(await current.findCheckout('unopened')).not.toHaveProperty('openedAt');
    const unfilled = sql<object>`select id from ramp_intents where subject is null or created_at is null`;
    expect((await unfilled.execute(kysely)).rows).toEqual([]);
  });

  it('lists a checkout that an instance of release 0.1 stores later after the next sync', async () => {
    const { connect, store } = await empty();
    const current = store();
    await current.saveIntent(onRampIntent({ reference: 'a' }));
    await current.markOpened('a', baseTime);
    await saveAsEarlierRelease(connect(), { reference: 'b', expiresAt: baseTime + 1 });
    expect(await listReferences(current)).toEqual(['a']);
    await current.expireCheckouts(baseTime);
    expect(await listReferences(current)).toEqual(['b', 'a']);
  });

  it('completes at most 2,000 checkouts of release 0.1 in a sync, so that no delivery waits for more', async () => {
    const { connect, store } = await empty();
    const kysely = connect();
    await store().saveIntent(onRampIntent());
    await sql`
      insert into ramp_intents (reference, expires_at, intent)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2050)
      select 'c' || i, 1, intent from ramp_intents, n
    `.execute(kysely);
    const readLeft = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ramp_intents where subject is null
      `.execute(kysely);
      return Number(rows[0]?.count);
    };
    await store().expireCheckouts(baseTime);
    expect(await readLeft()).toBe(50);
    await store().expireCheckouts(baseTime);
    expect(await readLeft()).toBe(0);
  });

  it('lists a checkout whose order an instance of release 0.1 recorded, once that order is read again', async () => {
    const { connect, store } = await empty();
    const current = store();
    await current.saveIntent(onRampIntent());
    await current.recordOrders([onRampOrder({ walletAddress: '0x9' })], baseTime);
    await sql`update ramp_intents set opened_at = null`.execute(connect());
    expect(await listReferences(current)).toEqual([]);
    expect(await current.recordOrders([onRampOrder({ walletAddress: '0x9' })], baseTime + 5)).toBe(
      0,
    );
    expect(await listReferences(current)).toEqual(['r1']);
  });

  it('leaves the tables unchanged when a migration fails', async () => {
    const database = await empty();
    const { connect, store } = database;
    const kysely = connect();
    await sql`create table ramp_replays (something text)`.execute(kysely);
    await expect(store().readWatermark()).rejects.toThrow(/ramp_replays/);
    expect(await namesIn(kysely, database)).toEqual(['ramp_replays']);
    await sql`drop table ramp_replays`.execute(kysely);
    const mended = store();
    await mended.writeWatermark(baseTime);
    expect(await mended.readWatermark()).toBe(baseTime);
  });

  it('leaves tables of a newer version unchanged', async () => {
    const { connect, store } = await empty();
    await migrateOrderStore(connect());
    await sql`insert into ramp_migrations (version) values (999)`.execute(connect());
    await store().saveIntent(onRampIntent());
    expect(await store().findCheckout('r1')).toBeDefined();
  });
});

it('sqlOrderStore on PostgreSQL needs no right to create tables that exist', async () => {
  const database = await createPostgresSchema();
  const owner = database.connect();
  await migrateOrderStore(owner);
  const { schema = '' } = database;
  const role = `${schema}_backend`;
  await sql`create role ${sql.id(role)} login password 'secret'`.execute(owner);
  await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(owner);
  for (const kind of ['tables', 'sequences'])
    await sql`grant all on all ${sql.raw(kind)} in schema ${sql.id(schema)} to ${sql.id(role)}`.execute(
      owner,
    );
  const url = new URL(database.target);
  url.username = role;
  url.password = 'secret';
  const backend = connect(url.href);
  try {
    await expect(sql`create table other (id text)`.execute(backend)).rejects.toThrow(/permission/);
    const store = sqlOrderStore(backend);
    await store.saveIntent(onRampIntent());
    expect(await store.findCheckout('r1')).toBeDefined();
  } finally {
    await backend.destroy();
    await sql`drop owned by ${sql.id(role)}`.execute(owner);
    await sql`drop role ${sql.id(role)}`.execute(owner);
  }
});

it('sqlOrderStore on SQLite waits for other processes, and syncs each commit to the disk', async () => {
  const kysely = (await createSqliteDatabase()).connect();
  await sqlOrderStore(kysely).lastEventId();
  const setting = async (name: string) =>
    Object.values((await sql.raw<object>(`pragma ${name}`).execute(kysely)).rows[0] ?? {})[0];
  expect(await setting('journal_mode')).toBe('wal');
  expect(await setting('busy_timeout')).toBe(20);
  // 2 is `full`: each commit is synchronised with the disk.
  expect(await setting('synchronous')).toBe(2);
});
