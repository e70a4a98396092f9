import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrateOrderStore, sqlOrderStore } from '../../../src/server/sql/index.js';
import { migrations } from '../../../src/server/sql/schema.js';
import { connect } from '../../support/database/connectSource.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
  sqlDatabases,
  type TestDatabase,
} from '../../support/database/sqlDatabases.js';
import { baseTime, nftIntent, nftOrder, onRampIntent } from '../../support/server/orderFixtures.js';

describe.each(sqlDatabases)('migrate on %s', (_, empty) => {
  /** Returns the tables in the schema of this test. Other tests have other schemas in the same database. */
  const namesIn = async (kysely: Kysely<unknown>, { schema }: TestDatabase) => {
    const tables = await kysely.introspection.getTables();
    return tables.filter((table) => table.schema === schema).map(({ name }) => name);
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
    await earlier.recordOrders([nftOrder('unknown')], baseTime);
    // Rewrite the rows as the first version recorded them: an order in an unknown state as matched.
    for (const table of ['ramp_orders', 'ramp_changes'])
      await sql`update ${sql.table(table)} set record = replace(record, '"matchStatus":"unknown"', '"matchStatus":"matched"')`.execute(
        kysely,
      );
    await sql`update ramp_orders set match_status = 'matched'`.execute(kysely);
    await sql`delete from ramp_migrations where version > 1`.execute(kysely);
    const current = store();
    expect(await current.listOrders({ matchStatus: 'unknown', limit: 9 })).toMatchObject([
      { matchStatus: 'unknown', reference: 'r1', order: { orderId: 'o1' } },
    ]);
    expect(await current.listPendingChanges(baseTime, 9)).toMatchObject([
      { key: 'o1:unknown', matchStatus: 'unknown', intent: { reference: 'r1' } },
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
  expect(await setting('busy_timeout')).toBe(1000);
  // 2 is `full`: each commit is synchronised with the disk.
  expect(await setting('synchronous')).toBe(2);
});
