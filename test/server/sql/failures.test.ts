import { CamelCasePlugin, Kysely, MysqlDialect, ParseJSONResultsPlugin, sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { sqlOrderStore } from '../../../src/server/sql/index.js';
import { connect } from '../../support/connect-source.js';
import { freePort } from '../../support/free-port.js';
import { at, nftIntent, nftOrder, onRampIntent, onRampOrder } from '../../support/orders.js';
import { postgresSchema, sqlDatabases } from '../../support/sql-databases.js';

/** Everything that a store can be asked. */
const questions: Record<keyof OrderStore, (store: OrderStore) => Promise<unknown>> = {
  saveIntent: (store) => store.saveIntent(onRampIntent({ reference: `r${Math.random()}` })),
  findCheckout: (store) => store.findCheckout('r1'),
  recordOrders: (store) => store.recordOrders([onRampOrder()], at),
  markOpened: (store) => store.markOpened('r1', at),
  markCheckout: (store) => store.markCheckout('r1', 'unconfirmed', at),
  expireCheckouts: (store) => store.expireCheckouts(at),
  hasOpenCheckouts: (store) => store.hasOpenCheckouts(at),
  oldestUnsettled: (store) => store.oldestUnsettled(0),
  eventsAfter: (store) => store.eventsAfter(0, 10),
  lastEventId: (store) => store.lastEventId(),
  pendingChanges: (store) => store.pendingChanges(at, 10),
  settleChanges: (store) => store.settleChanges(['o1:finished']),
  postponeChange: (store) => store.postponeChange('o1:finished', at),
  readWatermark: (store) => store.readWatermark(),
  moveWatermark: (store) => store.moveWatermark(at),
  runAlone: (store) => store.runAlone(async () => {}),
  listOrders: (store) => store.listOrders({ limit: 10 }),
  rememberReplay: (store) => store.rememberReplay('h', at, at - 1),
  purge: (store) => store.purge(at),
};
const names = Object.keys(questions) as (keyof OrderStore)[];

describe.each(sqlDatabases)('%s that is gone', (_, empty) => {
  it.each(names)('fails %s', async (name) => {
    const kysely = (await empty()).connect();
    const store = sqlOrderStore(kysely);
    await store.saveIntent(onRampIntent());
    await questions[name](store);
    await kysely.destroy();
    await expect(questions[name](store)).rejects.toThrow();
  });
});

describe.each(sqlDatabases)('%s whose tables are broken', (_, empty) => {
  it('records nothing of a page that it cannot record whole', async () => {
    const database = await empty();
    const store = database.store();
    await store.saveIntent(nftIntent());
    await sql`drop table ramp_changes`.execute(database.connect());
    await expect(store.recordOrders([nftOrder('finished')], at)).rejects.toThrow(/ramp_changes/);
    expect(await store.findCheckout('r1')).toMatchObject({ orders: [] });
    expect(await store.eventsAfter(0, 10)).toEqual([]);
    expect(await store.hasOpenCheckouts(at)).toBe(true);
  });
});

describe.each(sqlDatabases)('%s under plugins', (_, empty) => {
  it('keeps everything as it is', async () => {
    const kysely = (await empty()).connect();
    const plugins = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];
    const store = sqlOrderStore(plugins.reduce((one, plugin) => one.withPlugin(plugin), kysely));
    await store.saveIntent(nftIntent());
    await store.recordOrders([nftOrder('finished')], at);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
  });
});

it('PostgreSQL that cannot be reached fails', async () => {
  const gone = sqlOrderStore(connect(`postgres://nobody@127.0.0.1:${await freePort()}/none`));
  await expect(gone.saveIntent(onRampIntent())).rejects.toThrow(/ECONNREFUSED/);
  await expect(gone.rememberReplay('h', at, 0)).rejects.toThrow(/ECONNREFUSED/);
});

it('PostgreSQL that ends all connections during a sweep is found again', async () => {
  const { store: open, schema } = await postgresSchema();
  const store = open();
  await store.saveIntent(onRampIntent());
  const admin = connect(inject('databaseUrl'));
  await store.runAlone(async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${schema}`.execute(admin);
    await new Promise((done) => setTimeout(done, 200));
    expect(await store.recordOrders([onRampOrder()], at)).toBe(1);
  });
  await admin.destroy();
  expect(await store.findCheckout('r1')).toMatchObject({ orders: [{ standing: 'matched' }] });
  expect(await store.runAlone(async () => {})).toBe(true);
});

it('PostgreSQL that ends a connection in a transaction fails what was asked of it, nothing else', async () => {
  const { store: open, schema, connect: other } = await postgresSchema();
  const store = open();
  await store.saveIntent(onRampIntent());
  const blocker = other();
  const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
    where application_name = ${schema} and wait_event_type = 'Lock'`;
  const asked = await blocker.transaction().execute(async (held) => {
    await sql`lock table ramp_events`.execute(held);
    const asked = store.recordOrders([onRampOrder()], at).catch((error: Error) => error);
    let pids: readonly { pid: number }[] = [];
    while (pids.length === 0) pids = (await waiting.execute(held)).rows;
    await sql`select pg_terminate_backend(${pids[0]?.pid})`.execute(held);
    return asked;
  });
  expect(asked).toBeInstanceOf(Error);
  expect(await store.findCheckout('r1')).toMatchObject({ orders: [] });
  expect(await store.recordOrders([onRampOrder()], at)).toBe(1);
});

describe('sqlOrderStore', () => {
  it('refuses what it does not speak', () => {
    const mysql = new Kysely({ dialect: new MysqlDialect({ pool: async () => ({}) as never }) });
    expect(() => sqlOrderStore(mysql)).toThrow(/PostgreSQL and SQLite/);
    expect(() => sqlOrderStore(mysql, { dialect: 'mysql' as never })).toThrow(/name the one/);
    expect(() => sqlOrderStore(undefined as never)).toThrow(/needs a Kysely instance/);
  });
});
