import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqliteDialect, sqlOrderStore } from '../../../src/server/sql/index.js';
import { createSqliteDatabase, sqlDatabases } from '../../support/database/sqlDatabases.js';
import { announceOrder } from '../../support/server/announceOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';
import { purgeBefore } from '../../support/server/purgeBefore.js';
import { findWork, readWatermark, writeWatermark } from '../../support/server/syncStates.js';

/** Creates a store on SQLite. `statements` has the SQL of every statement that the store has sent. */
async function loggedStore() {
  const { target } = await createSqliteDatabase();
  const statements: string[] = [];
  const kysely = new Kysely<unknown>({
    dialect: sqliteDialect(new DatabaseSync(target)),
    log: ({ query }) => void statements.push(query.sql),
  });
  onTestFinished(() => kysely.destroy());
  return { store: sqlOrderStore(kysely), statements };
}

describe('sqlOrderStore', () => {
  it('sends no statement before its first call, and creates the tables once', async () => {
    const { store, statements } = await loggedStore();
    expect(statements).toEqual([]);
    await Promise.all([store.findCheckout('r1'), store.readSyncState()]);
    await store.readSyncState();
    const created = statements.filter((text) => text.includes('"ramp_checkouts"'));
    expect(created.filter((text) => text.startsWith('create table'))).toHaveLength(1);
    expect(statements.filter((text) => text.includes('journal_mode'))).toHaveLength(1);
  });

  it('sends no statement for an empty page', async () => {
    const { store, statements } = await loggedStore();
    expect(await store.recordOrders([], baseTime)).toBe(0);
    expect(statements).toEqual([]);
  });

  it('sends no write for a page without changes', async () => {
    const { store, statements } = await loggedStore();
    await store.recordOrders([onRampOrder()], baseTime);
    statements.length = 0;
    expect(await store.recordOrders([onRampOrder()], baseTime)).toBe(0);
    expect(statements.filter((text) => /^(insert|update|delete)/.test(text))).toEqual([]);
    expect(statements).toContain('commit');
  });

  it('sends no write for an erasure of what is still needed', async () => {
    const { store, statements } = await loggedStore();
    await store.saveCheckout(onRampCheckout());
    await store.recordOrders([onRampOrder()], baseTime);
    statements.length = 0;
    expect(await store.eraseSubject('u1')).toMatchObject({ erased: 0, open: [{}] });
    expect(statements.filter((text) => /^(insert|update|delete)/.test(text))).toEqual([]);
  });

  it('erases all checkouts of a batch in one statement', async () => {
    const { store, statements } = await loggedStore();
    for (const reference of ['r1', 'r2', 'r3'])
      await store.saveCheckout(onRampCheckout({ reference }));
    statements.length = 0;
    expect(await store.eraseSubject('u1')).toEqual({ erased: 3, open: [] });
    expect(statements.filter((text) => /^delete from "ramp_checkouts"/.test(text))).toHaveLength(1);
  });

  it('reads named and newest checkouts with their orders in one statement', async () => {
    const { store, statements } = await loggedStore();
    for (const reference of ['r1', 'r2', 'r3']) {
      await store.saveCheckout(onRampCheckout({ reference }));
      await store.recordOrders([onRampOrder({ orderId: reference, ext: reference })], baseTime);
    }
    statements.length = 0;
    const query = { references: ['r1', 'r2'], limit: 3 };
    const { newest, named } = await store.listCheckouts({ subject: 'u1', ...query });
    expect([newest.length, named.length]).toEqual([3, 2]);
    expect(statements).toHaveLength(1);
    const nothing = { newest: [], named: [] };
    expect(await store.listCheckouts({ subject: 'u2', ...query })).toEqual(nothing);
    expect(statements).toHaveLength(2);
  });

  it('reads each checkout once in a purge, 100 at a time', async () => {
    const { store, statements } = await loggedStore();
    await store.saveCheckout(onRampCheckout({ reference: 'first', expiresAt: baseTime - 9 }));
    for (let i = 0; i < 260; i++) {
      const reference = `r${i}`;
      await store.saveCheckout(onRampCheckout({ reference, expiresAt: baseTime - 5 }));
      if (i > 1) await store.markOpened(reference, baseTime - 9);
    }
    const reads = () =>
      statements.filter((text) => /^select.*from "ramp_checkouts" as "checkout"/.test(text));
    statements.length = 0;
    await store.purge({ before: baseTime - 100, unopenedBefore: baseTime, replaysBefore: 0 });
    expect(reads()).toHaveLength(3);
    statements.length = 0;
    await purgeBefore(store, baseTime - 200);
    expect(reads()).toHaveLength(1);
  });

  it('looks for work and reads the state of the syncs in one statement each, and writes it in one', async () => {
    const { store, statements } = await loggedStore();
    await store.saveCheckout(onRampCheckout());
    statements.length = 0;
    await findWork(store);
    expect(statements).toHaveLength(1);
    const { revision } = await store.readSyncState();
    expect(statements).toHaveLength(2);
    await store.writeSyncState({ revision, state: 'a' });
    expect(statements.slice(2).filter((text) => !/^(begin|commit)/.test(text))).toEqual([
      expect.stringMatching(/^update "ramp_state"/),
    ]);
  });

  it('reads the pending changes in one statement, also those that were postponed for too long', async () => {
    const { store, statements } = await loggedStore();
    const orders = ['a', 'b', 'c'].map((orderId) => onRampOrder({ orderId }));
    await store.recordOrders(orders, baseTime);
    await store.postponeChange('b:finished', baseTime + 86_400);
    statements.length = 0;
    const listed = await store.listPendingChanges(baseTime, 3);
    expect(listed.map(({ key }) => key)).toEqual(['a:finished', 'c:finished', 'b:finished']);
    expect(statements).toHaveLength(1);
    expect(await store.listPendingChanges(baseTime, 2)).toEqual(listed.slice(0, 2));
  });
});

describe.each(sqlDatabases)('sqlOrderStore on %s', (_, empty) => {
  it('creates its tables in a later call if the first one failed', async () => {
    const database = await empty();
    const kysely = database.connect();
    await sql`create table ramp_replays (something text)`.execute(kysely);
    const store = sqlOrderStore(kysely);
    await expect(store.readSyncState()).rejects.toThrow(/ramp_replays/);
    await sql`drop table ramp_replays`.execute(kysely);
    await writeWatermark(store, baseTime);
    expect(await readWatermark(store)).toBe(baseTime);
  });

  it('refuses a reference that is taken', async () => {
    const store = (await empty()).store();
    await store.saveCheckout(onRampCheckout());
    await expect(store.saveCheckout(onRampCheckout())).rejects.toThrow(
      'This checkout reference is taken.',
    );
  });

  it('keeps the first time when a checkout was opened, also by an announced order', async () => {
    const store = (await empty()).store();
    for (const reference of ['a', 'b']) await store.saveCheckout(onRampCheckout({ reference }));
    await store.markOpened('a', baseTime - 9);
    await store.markOpened('a', baseTime - 5);
    for (const reference of ['a', 'b']) await announceOrder(store, reference, baseTime);
    expect(await store.findCheckout('a')).toMatchObject({ openedAt: baseTime - 9 });
    expect(await store.findCheckout('b')).toMatchObject({ openedAt: baseTime });
  });

  it('lists the orders of a checkout in the order in which they were recorded', async () => {
    const store = (await empty()).store();
    await store.saveCheckout(onRampCheckout());
    for (const orderId of ['z', 'm', 'a'])
      await store.recordOrders([onRampOrder({ orderId })], baseTime);
    const { orders = [] } = (await store.findCheckout('r1')) ?? {};
    expect(orders.map(({ order }) => order.orderId)).toEqual(['z', 'm', 'a']);
  });

  it('matches an order with the newest checkout of its order number', async () => {
    const store = (await empty()).store();
    for (const reference of ['old', 'new']) await store.saveCheckout(nftCheckout({ reference }));
    const order = nftOrder('finished', { ext: undefined });
    await store.recordOrders(
      [order, nftOrder('finished', { orderId: 'o2', ext: 'none' })],
      baseTime,
    );
    expect((await store.findCheckout('old'))?.orders).toEqual([]);
    expect((await store.findCheckout('new'))?.orders).toMatchObject([
      { matchStatus: 'matched', order: { orderId: 'o1' } },
      { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o2' } },
    ]);
  });

  it('expires more checkouts than one transaction does, and no others', async () => {
    const database = await empty();
    const store = database.store();
    await store.readSyncState();
    const kysely = database.connect() as Kysely<Record<string, Record<string, unknown>>>;
    const rows = Array.from({ length: 502 }, (_, i) => ({
      reference: `r${i}`,
      expires_at: baseTime - i,
      open_until: baseTime - i,
      terms: JSON.stringify(onRampCheckout()),
      subject: 'u1',
      created_at: baseTime - 3600,
    }));
    await kysely.insertInto('ramp_checkouts').values(rows).execute();
    expect(await store.expireCheckouts(baseTime - 1)).toBe(501);
    expect(await store.expireCheckouts(baseTime)).toBe(1);
  });
});
