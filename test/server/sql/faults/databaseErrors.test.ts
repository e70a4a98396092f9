import { CamelCasePlugin, Kysely, MysqlDialect, ParseJSONResultsPlugin, sql } from 'kysely';
import { describe, expect, inject, it, vi } from 'vitest';
import { findFreePort } from '../../../../scripts/ports.mjs';
import type { PendingChange } from '../../../../src/server/index.js';
import { type SqlOrderStore, sqlOrderStore } from '../../../../src/server/sql/index.js';
import { connect } from '../../../support/database/connectSource.js';
import { createPostgresSchema, sqlDatabases } from '../../../support/database/sqlDatabases.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { purgeBefore } from '../../../support/server/purgeBefore.js';
import { findWork } from '../../../support/server/syncStates.js';

/** A change that the store does not have. */
const change: PendingChange = {
  key: 'o1:finished',
  matchStatus: 'unmatched',
  record: {
    matchStatus: 'unmatched',
    order: onRampOrder(),
    firstSeenAt: baseTime,
    changedAt: baseTime,
  },
  tries: 0,
};

type StoreCall = keyof SqlOrderStore;
const questions: Record<StoreCall, (store: SqlOrderStore) => Promise<unknown>> = {
  migrate: async (store) => store.migrate?.(),
  saveCheckout: (store) => store.saveCheckout(onRampCheckout({ reference: `r${Math.random()}` })),
  findCheckout: (store) => store.findCheckout('r1'),
  claimPartner: (store) => store.claimPartner({ partnerId: 'p1', environment: 'api.example' }),
  listCheckouts: (store) => store.listCheckouts({ subject: 'u1', limit: 10 }),
  recordOrders: (store) => store.recordOrders([onRampOrder()], baseTime),
  markOpened: (store) => store.markOpened('r1', baseTime),
  listAnnouncedOrders: (store) => store.listAnnouncedOrders(baseTime, 9),
  markUnconfirmed: (store) => store.markUnconfirmed(['r1']),
  expireCheckouts: (store) => store.expireCheckouts(baseTime),
  listPendingChanges: (store) => store.listPendingChanges(baseTime, 10),
  handleChange: (store) => store.handleChange(change, async (_, history) => history),
  postponeChange: (store) => store.postponeChange('o1:finished', baseTime),
  readSyncState: (store) => store.readSyncState(),
  writeSyncState: (store) => store.writeSyncState({ revision: 0, state: 'a' }),
  findWork,
  withSyncLease: (store) => store.withSyncLease(async () => {}),
  listOrders: (store) => store.listOrders({ limit: 10 }),
  claimReplay: (store) => store.claimReplay('h', baseTime, baseTime - 1),
  purge: (store) => purgeBefore(store, baseTime),
  eraseSubject: (store) => store.eraseSubject('u1'),
  listUnpaidCheckouts: (store) => store.listUnpaidCheckouts({ before: baseTime, limit: 10 }),
  search: (store) => store.search({ text: 'r1', limit: 10 }),
  listUndelivered: (store) => store.listUndelivered({ limit: 10 }),
  retryUndelivered: (store) => store.retryUndelivered(['o1']),
  resolveOrder: (store) => store.resolveOrder('o1', 'closed'),
};
const names = Object.keys(questions) as StoreCall[];

describe.each(sqlDatabases)('sqlOrderStore on a closed %s', (_, empty) => {
  it.each(names)('rejects %s', async (name) => {
    const kysely = (await empty()).connect();
    const store = sqlOrderStore(kysely);
    await store.saveCheckout(onRampCheckout());
    await questions[name](store);
    await kysely.destroy();
    await expect(questions[name](store)).rejects.toThrow();
  });
});

describe.each(sqlDatabases)('sqlOrderStore on %s with a missing table', (_, empty) => {
  it('does not record a part of a page', async () => {
    const database = await empty();
    const store = database.store();
    await store.saveCheckout(nftCheckout());
    await sql`drop table ramp_changes`.execute(database.connect());
    await expect(store.recordOrders([nftOrder('finished')], baseTime)).rejects.toThrow(
      /ramp_changes/,
    );
    expect(await store.findCheckout('r1')).toMatchObject({ orders: [] });
    expect(await store.listOrders({ limit: 9 })).toEqual([]);
    const open = sql`select 1 from ramp_checkouts where open_until is not null`;
    expect((await open.execute(database.connect())).rows).toHaveLength(1);
  });
});

describe.each(sqlDatabases)('sqlOrderStore on %s with plugins', (_, empty) => {
  it('stores all data unchanged', async () => {
    const kysely = (await empty()).connect();
    const plugins = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];
    const store = sqlOrderStore(plugins.reduce((one, plugin) => one.withPlugin(plugin), kysely));
    await store.saveCheckout(nftCheckout());
    await store.recordOrders([nftOrder('finished')], baseTime);
    expect((await store.findCheckout('r1'))?.orders).toHaveLength(1);
  });
});

it('sqlOrderStore rejects when PostgreSQL cannot be reached', async () => {
  const gone = sqlOrderStore(connect(`postgres://user@127.0.0.1:${await findFreePort()}/none`));
  await expect(gone.saveCheckout(onRampCheckout())).rejects.toThrow(/ECONNREFUSED/);
  await expect(gone.claimReplay('h', baseTime, 0)).rejects.toThrow(/ECONNREFUSED/);
});

it('sqlOrderStore reconnects when PostgreSQL ends all connections during a sync', async () => {
  const { store: open, schema } = await createPostgresSchema();
  const store = open();
  await store.saveCheckout(onRampCheckout());
  const admin = connect(inject('databaseUrl'));
  await store.withSyncLease(async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${schema}`.execute(admin);
    // The first call may still use a connection whose end has not arrived yet.
    await vi.waitFor(
      async () => expect(await store.recordOrders([onRampOrder()], baseTime)).toBe(1),
      20_000,
    );
  });
  await admin.destroy();
  expect(await store.findCheckout('r1')).toMatchObject({ orders: [{ matchStatus: 'matched' }] });
  expect(await store.withSyncLease(async () => {})).toBe(true);
});

it('sqlOrderStore rejects only the calls whose connection PostgreSQL ends in a transaction', async () => {
  const { store: open, schema, connect: other } = await createPostgresSchema();
  const store = open();
  await store.saveCheckout(onRampCheckout());
  const blocker = other();
  const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
    where application_name = ${schema} and wait_event_type = 'Lock'`;
  const recorded = await blocker.transaction().execute(async (held) => {
    await sql`lock table ramp_changes`.execute(held);
    const recorded = store.recordOrders([onRampOrder()], baseTime).catch((error: Error) => error);
    let pids: readonly { pid: number }[] = [];
    while (pids.length === 0) pids = (await waiting.execute(held)).rows;
    await sql`select pg_terminate_backend(${pids[0]?.pid})`.execute(held);
    return recorded;
  });
  expect(recorded).toBeInstanceOf(Error);
  expect(await store.findCheckout('r1')).toMatchObject({ orders: [] });
  expect(await store.recordOrders([onRampOrder()], baseTime)).toBe(1);
});

describe('sqlOrderStore', () => {
  it('refuses other databases than PostgreSQL and SQLite', () => {
    const mysql = new Kysely({ dialect: new MysqlDialect({ pool: async () => ({}) as never }) });
    expect(() => sqlOrderStore(mysql)).toThrow(/PostgreSQL and SQLite/);
    expect(() => sqlOrderStore(mysql, { dialect: 'mysql' as never })).toThrow(/pass the dialect/);
    expect(() => sqlOrderStore(undefined as never)).toThrow(/needs a Kysely instance/);
  });
});
