import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { processRuntime } from '../../../src/server/internal/runtime.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import { migrateOrderStore, sqlOrderStore } from '../../../src/server/sql/index.js';
import { toSqlDatabase, withoutPlugins } from '../../../src/server/sql/SqlDatabase.js';
import { migrate, migrations } from '../../../src/server/sql/schema.js';
import { connect } from '../../support/database/connectSource.js';
import {
  createPostgresDatabase,
  createPostgresSchema,
  createSqliteDatabase,
  sqlDatabases,
  type TestDatabase,
} from '../../support/database/sqlDatabases.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import { readWatermark, writeWatermark } from '../../support/server/syncStates.js';

afterEach(() => vi.unstubAllEnvs());

/** A migration that a later release could add. `runs` counts how often it ran. */
function laterMigration() {
  const runs: number[] = [];
  const migration: (typeof migrations)[number] = async ({ schema }) => {
    runs.push(1);
    await schema.alterTable('ramp_orders').addColumn('note', 'text').execute();
  };
  return { runs, known: [...migrations, migration] };
}

const openDatabase = (kysely: Kysely<unknown>) =>
  withoutPlugins(toSqlDatabase('sqlOrderStore', kysely, {}, processRuntime));

const readVersions = async (kysely: Kysely<unknown>) => {
  const versions = sql<{ version: number }>`select version from ramp_migrations order by version`;
  return (await versions.execute(kysely)).rows.map(({ version }) => version);
};

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
    await store.saveCheckout(onRampCheckout());
    const tables = await namesIn(kysely, database);
    await migrateOrderStore(kysely);
    expect(await namesIn(kysely, database)).toEqual(tables);
    expect(await store.findCheckout('r1')).toBeDefined();
    expect(await readVersions(kysely)).toEqual(migrations.map((_, i) => i + 1));
  });

  it('creates only tables that begin with ramp_', async () => {
    const database = await empty();
    const kysely = database.connect();
    await migrateOrderStore(kysely);
    const names = await namesIn(kysely, database);
    const own = names.filter((name) => name.startsWith('ramp_'));
    expect(own.length).toBeGreaterThanOrEqual(6);
    expect(names.filter((name) => !/^ramp_|^sqlite_/.test(name))).toEqual([]);
  });

  it('runs a later migration once for two instances that start together, and keeps the stored data', async () => {
    const { connect, store } = await empty();
    const earlier = store();
    await earlier.saveCheckout(onRampCheckout());
    await earlier.recordOrders([onRampOrder()], baseTime);
    const { runs, known } = laterMigration();
    await Promise.all([connect(), connect()].map((own) => migrate(openDatabase(own), known)));
    const kysely = connect();
    await migrate(openDatabase(kysely), known);
    expect(runs).toHaveLength(1);
    expect(await readVersions(kysely)).toEqual(known.map((_, i) => i + 1));
    expect((await sql`select order_id, note from ramp_orders`.execute(kysely)).rows).toEqual([
      { order_id: onRampOrder().orderId, note: null },
    ]);
    // The instance that has not been replaced yet goes on.
    expect(await earlier.findCheckout('r1')).toMatchObject({
      orders: [{ matchStatus: 'matched' }],
    });
    await earlier.saveCheckout(onRampCheckout({ reference: 'r2' }));
  });

  it('leaves the tables unchanged when a migration fails', async () => {
    const database = await empty();
    const { connect, store } = database;
    const kysely = connect();
    await sql`create table ramp_replays (something text)`.execute(kysely);
    await expect(store().readSyncState()).rejects.toThrow(/ramp_replays/);
    expect(await namesIn(kysely, database)).toEqual(['ramp_replays']);
    await sql`drop table ramp_replays`.execute(kysely);
    const mended = store();
    await writeWatermark(mended, baseTime);
    expect(await readWatermark(mended)).toBe(baseTime);
  });

  it('leaves tables of a newer version unchanged', async () => {
    const { connect, store } = await empty();
    await migrateOrderStore(connect());
    await sql`insert into ramp_migrations (version) values (999)`.execute(connect());
    await store().saveCheckout(onRampCheckout());
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
    await store.saveCheckout(onRampCheckout());
    expect(await store.findCheckout('r1')).toBeDefined();
  } finally {
    await backend.destroy();
    await sql`drop owned by ${sql.id(role)}`.execute(owner);
    await sql`drop role ${sql.id(role)}`.execute(owner);
  }
});

it('sqlOrderStore on SQLite waits for other processes, and syncs each commit to the disk', async () => {
  const kysely = (await createSqliteDatabase()).connect();
  await sqlOrderStore(kysely).readSyncState();
  const setting = async (name: string) =>
    Object.values((await sql.raw<object>(`pragma ${name}`).execute(kysely)).rows[0] ?? {})[0];
  expect(await setting('journal_mode')).toBe('wal');
  expect(await setting('busy_timeout')).toBe(20);
  // 2 is `full`: each commit is synchronised with the disk.
  expect(await setting('synchronous')).toBe(2);
});

describe('migrate on a PostgreSQL database in another encoding', () => {
  it('refuses LATIN1, in which one order could stop all others', async () => {
    const database = await createPostgresDatabase(undefined, 'LATIN1');
    await expect(database.store().saveCheckout(onRampCheckout())).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringMatching(
        /^sqlOrderStore needs .* UTF8, and this one has LATIN1.*create database/,
      ),
    });
  });

  it('takes SQL_ASCII, which stores any bytes', async () => {
    const database = await createPostgresDatabase(undefined, 'SQL_ASCII');
    await database.store().recordOrders([onRampOrder({ payment: '支付 — ok' })], baseTime);
    const [change] = await database.store().listPendingChanges(baseTime, 1);
    expect(change?.record.order.payment).toBe('支付 — ok');
  });
});

describe.each(sqlDatabases)('sqlOrderStore under NODE_ENV=production on %s', (_, empty) => {
  it('creates no tables for a request, and says what does', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const kysely = (await empty()).connect();
    const store = sqlOrderStore(kysely);
    await expect(store.saveCheckout(onRampCheckout())).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringMatching(/ramp\.start\(\).*migrateOrderStore/),
    });
    await expect(readVersions(kysely)).rejects.toThrow();
    // The next request works as soon as a worker has created them.
    await sqlOrderStore(kysely).migrate?.();
    await store.saveCheckout(onRampCheckout());
    expect(await store.findCheckout('r1')).toBeDefined();
  });

  it('creates them before the first sync of a tracker', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const kysely = (await empty()).connect();
    const store = sqlOrderStore(kysely);
    const tracker = createOrderTracker({ api: fakeApi(), store, deliver() {}, review() {} });
    expect(await tracker.sync()).toMatchObject({ ran: true, isComplete: true });
    await store.saveCheckout(onRampCheckout());
    expect(await readVersions(kysely)).toEqual(migrations.map((_, i) => i + 1));
  });
});
