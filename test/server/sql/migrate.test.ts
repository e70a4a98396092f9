import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrateOrderStore, sqlOrderStore } from '../../../src/server/sql/index.js';
import { migrations } from '../../../src/server/sql/migrations.js';
import { at, onRampIntent } from '../../support/orders.js';
import { sqlDatabases, type TestDatabase } from '../../support/sql-databases.js';

describe.each(sqlDatabases)('the tables in %s', (_, empty) => {
  /** The tables of this test: those of others are in other schemas. */
  const namesIn = async (kysely: Kysely<unknown>, { schema }: TestDatabase) => {
    const tables = await kysely.introspection.getTables();
    return tables.filter((table) => table.schema === schema).map(({ name }) => name);
  };

  it('are made once, also by five at a time, and again without effect', async () => {
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

  it('all begin with ramp_', async () => {
    const database = await empty();
    const kysely = database.connect();
    await migrateOrderStore(kysely);
    const names = await namesIn(kysely, database);
    const own = names.filter((name) => name.startsWith('ramp_'));
    expect(own.length).toBeGreaterThanOrEqual(7);
    expect(names.filter((name) => !/^ramp_|^sqlite_/.test(name))).toEqual([]);
  });

  it('are left whole when a version cannot be made', async () => {
    const database = await empty();
    const { connect, store } = database;
    const kysely = connect();
    await sql`create table ramp_replays (something text)`.execute(kysely);
    await expect(store().readWatermark()).rejects.toThrow(/ramp_replays/);
    expect(await namesIn(kysely, database)).toEqual(['ramp_replays']);
    await sql`drop table ramp_replays`.execute(kysely);
    const mended = store();
    await mended.moveWatermark(at);
    expect(await mended.readWatermark()).toBe(at);
  });

  it('of a newer version are let be', async () => {
    const { connect, store } = await empty();
    await migrateOrderStore(connect());
    await sql`insert into ramp_migrations (version) values (999)`.execute(connect());
    await store().saveIntent(onRampIntent());
    expect(await store().findCheckout('r1')).toBeDefined();
  });
});
