import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ErasureResult, OrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { migrateOrderStore, sqlOrderStore } from '../../../../src/server/sql/index.js';
import { toKey } from '../../../../src/server/sql/schema.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
  sqlDatabases,
} from '../../../support/database/sqlDatabases.js';
import { handleChanges } from '../../../support/server/handleChanges.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { findWork } from '../../../support/server/syncStates.js';

const now = () => baseTime * 1000;

const wallet = '0xA11ce00000000000000000000000000000000001';
const traces = ['the-person', wallet, 'person@mail.example', 'proposed-note', 'stored-note'];

const intentOf = (reference: string, given: Parameters<typeof onRampIntent>[0] = {}) =>
  onRampIntent({
    reference,
    subject: 'the-person',
    params: { walletAddress: wallet, walletAddressLocked: '1', email: 'person@mail.example' },
    proposal: { note: 'proposed-note' },
    metadata: { note: 'stored-note' },
    ...given,
  });

const orderOf = (reference: string, given: Parameters<typeof onRampOrder>[0] = {}) =>
  onRampOrder({ orderId: `order-${reference}`, ext: reference, walletAddress: wallet, ...given });

async function deliverAll(store: OrderStore): Promise<void> {
  await handleChanges(store, await store.listPendingChanges(baseTime, 5000));
}

const TABLES = [
  'intents',
  'orders',
  'events',
  'changes',
  'replays',
  'state',
  'migrations',
] as const;

/** Reads all rows of all tables of a store, as JSON, sorted. */
async function readRows(kysely: Kysely<unknown>): Promise<string[]> {
  const rows: string[] = [];
  for (const name of TABLES) {
    const all = await sql<object>`select * from ${sql.table(`ramp_${name}`)}`.execute(kysely);
    rows.push(...all.rows.map((row) => JSON.stringify([name, row])));
  }
  return rows.sort();
}

const isOfPerson = (row: string): boolean => traces.some((trace) => row.includes(trace));

describe.each(sqlDatabases)('eraseSubject of sqlOrderStore on %s', (name, empty) => {
  const setUp = async () => {
    const { connect, store } = await empty();
    const kysely = connect();
    await migrateOrderStore(kysely);
    return { kysely, store: sqlOrderStore(kysely), other: store };
  };

  it('leaves no row with data of the person, and 1,000 rows of other people unchanged', async () => {
    const { kysely, store } = await setUp();
    for (let i = 0; i < 250; i++) {
      const reference = `other-${i}`;
      await store.saveIntent(onRampIntent({ reference, subject: `person-${i % 40}` }));
      await store.recordOrders([onRampOrder({ orderId: reference, ext: reference })], baseTime);
    }
    const others = await readRows(kysely);
    expect(others.length).toBeGreaterThanOrEqual(1000);
    await store.saveIntent(intentOf('unopened'));
    await store.saveIntent(intentOf('paid'));
    await store.saveIntent(intentOf('paid-twice'));
    await store.recordOrders(
      [
        orderOf('paid'),
        orderOf('paid-twice'),
        orderOf('paid-twice', { orderId: 'order-again', walletAddress: `${wallet}-2` }),
      ],
      baseTime,
    );
    const orderIds = ['order-paid', 'order-paid-twice', 'order-again'];
    await handleChanges(store, await store.listUndelivered({ orderIds, limit: 9 }));
    await store.resolveOrder('order-again', 'refunded', baseTime);
    await store.claimReplay('hash', baseTime + 9, baseTime, 'paid');
    expect((await readRows(kysely)).filter(isOfPerson).length).toBeGreaterThan(6);

    expect(await store.eraseSubject('the-person', { now })).toEqual({ erased: 3, kept: [] });
    const rows = await readRows(kysely);
    expect(rows.filter(isOfPerson)).toEqual([]);
    const left = new Set(rows);
    // The row of the state has the id of the newest log entry.
    expect(others.filter((row) => !left.has(row))).toEqual([expect.stringMatching(/^\["state"/)]);

    await store.recordOrders(
      [orderOf('paid'), orderOf('paid-twice'), orderOf('unopened')],
      baseTime,
    );
    await store.announceOrder('paid', baseTime);
    await store.expireCheckouts(baseTime);
    const erased = await sql`
      select intent, subject, opened_at from ramp_intents where reference in ('paid', 'unopened')
    `.execute(kysely);
    expect(erased.rows).toEqual(Array(2).fill({ intent: '{}', subject: '', opened_at: null }));
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
    expect((await store.listPendingChanges(baseTime, 5000)).length).toBe(250);
  });

  it('does not erase the checkouts of another person whose key equals the subject', async () => {
    const { store } = await setUp();
    const long = 'long'.repeat(100);
    await store.saveIntent(intentOf('of-long', { subject: long }));
    await store.saveIntent(intentOf('of-key', { subject: toKey(long) }));
    expect(await store.eraseSubject(toKey(long), { now })).toEqual({ erased: 1, kept: [] });
    expect(await store.findCheckout('of-key')).toBeUndefined();
    expect(await store.findCheckout('of-long')).toBeDefined();
  });

  it('leaves only rows of the checkouts that it names', async () => {
    const { kysely, store } = await setUp();
    for (const reference of ['open', 'paid', 'unopened', 'undelivered'])
      await store.saveIntent(intentOf(reference));
    await store.markOpened('open', baseTime);
    await store.recordOrders([orderOf('paid')], baseTime);
    await deliverAll(store);
    await store.recordOrders([orderOf('undelivered')], baseTime);
    const { kept } = await store.eraseSubject('the-person', { now });
    expect(kept.map(({ reference, reason }) => [reference, reason])).toEqual([
      ['open', 'payment'],
      ['undelivered', 'delivery'],
    ]);
    const named = /"(reference|ext)\\*":\\*"(open|undelivered)\\*"/;
    const rows = (await readRows(kysely)).filter(isOfPerson);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.filter((row) => !named.test(row))).toEqual([]);
  });

  it('erases any number of checkouts, 100 in a transaction', async () => {
    const { kysely, store } = await setUp();
    for (let i = 0; i < 230; i++) await store.saveIntent(intentOf(`r${i}`));
    await store.markOpened('r150', baseTime);
    expect(await store.eraseSubject('the-person', { now })).toMatchObject({
      erased: 229,
      kept: [{ reference: 'r150' }],
    });
    await store.recordOrders([orderOf('r150')], baseTime);
    await deliverAll(store);
    await store.purge(0);
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
  });

  it('never erases before the delivery, and leaves nothing, beside syncs, purges and other calls', async () => {
    const { kysely, store, other } = await setUp();
    // In one process, a SQLite connection that waits for a lock blocks the connection that has it.
    const second = name === 'SQLite' ? store : other();
    const count = 30;
    const references = Array.from({ length: count }, (_, i) => `r${i}`);
    for (const reference of references) {
      await store.saveIntent(intentOf(reference));
      await store.markOpened(reference, baseTime);
    }
    const delivered = new Map<string, string | undefined>();
    const api = Object.assign(fakeApi(), {
      orders: references.map((reference) => orderOf(reference)),
    });
    const createTracker = (own: OrderStore) =>
      createOrderTracker({
        api,
        store: own,
        now,
        deliver: ({ key, checkout }) => void delivered.set(key, checkout.subject),
        review: (_, reason) => expect(reason).toBeUndefined(),
        onError: (error) => expect(error).toBeUndefined(),
      });
    const trackers = [createTracker(store), createTracker(second)];
    const work = [
      ...trackers.map((tracker) => tracker.sync()),
      ...Array.from({ length: 4 }, (_, i) =>
        (i % 2 ? store : second).eraseSubject('the-person', { now }),
      ),
      second.purge(0),
      store.announceOrder('r3', baseTime),
    ];
    await Promise.all(work);
    await trackers[0]?.sync();
    await store.purge(0);
    expect([...delivered.keys()].sort()).toEqual(
      references.map((reference) => `order-${reference}:deliver`).sort(),
    );
    expect(new Set(delivered.values())).toEqual(new Set(['the-person']));
    await createTracker(store).sync();
    expect(delivered.size).toBe(count);
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
    expect(await second.eraseSubject('the-person', { now })).toEqual({ erased: 0, kept: [] });
  });

  it('erases a checkout whose delivery is running only after the delivery', async () => {
    const { kysely, store } = await setUp();
    await store.saveIntent(intentOf('r1'));
    const subjects: string[] = [];
    let begun = () => {};
    let end = () => {};
    const isDelivering = new Promise<void>((done) => (begun = done));
    const tracker = createOrderTracker({
      api: Object.assign(fakeApi(), { orders: [orderOf('r1')] }),
      store,
      now,
      async deliver({ checkout }) {
        subjects.push(checkout.subject);
        begun();
        await new Promise<void>((done) => (end = done));
      },
      review() {},
    });
    const synced = tracker.sync();
    await isDelivering;
    const erased = store.eraseSubject('the-person', { now });
    // In SQLite no one else can write during a delivery, so this call waits. PostgreSQL does not wait.
    const first = await Promise.race([erased, wait(200)]);
    if (name === 'PostgreSQL')
      expect(first).toMatchObject({ erased: 0, kept: [{ reason: 'delivery' }] });
    else expect(first).toBeUndefined();
    end();
    await synced;
    if (name === 'SQLite') expect(await erased).toEqual({ erased: 1, kept: [] });
    await store.purge(0);
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
    await tracker.sync();
    expect(subjects).toEqual(['the-person']);
  });

  it('does not follow the settlement of an erased NFT', async () => {
    const { kysely, store } = await setUp();
    await store.saveIntent(nftIntent({ subject: 'the-person' }));
    await store.recordOrders([nftOrder('finished')], baseTime);
    await deliverAll(store);
    await store.eraseSubject('the-person', { now });
    await store.purge(baseTime + 1);
    expect((await findWork(store)).unsettledSince).toBeUndefined();
    expect(await store.recordOrders([nftOrder('settled')], baseTime)).toBe(0);
    expect((await readRows(kysely)).filter((row) => row.includes('u1'))).toEqual([]);
  });
});

it('eraseSubject on PostgreSQL waits for a checkout that is being opened, and keeps it', async () => {
  const { connect, store: createStore, schema } = await createPostgresSchema();
  const store = createStore();
  await store.saveIntent(intentOf('r1'));
  let erased: Promise<ErasureResult> | undefined;
  const kysely = connect();
  await kysely.transaction().execute(async (transaction) => {
    await sql`update ramp_intents set opened_at = ${baseTime}`.execute(transaction);
    erased = store.eraseSubject('the-person', { now });
    const countWaiting = async () => {
      const { rows } = await sql`
        select pid from pg_stat_activity where application_name = ${schema} and wait_event = 'transactionid'
      `.execute(kysely);
      return rows.length;
    };
    await expect.poll(countWaiting).toBe(1);
  });
  expect(await erased).toMatchObject({ erased: 0, kept: [{ reference: 'r1', reason: 'payment' }] });
  expect(await store.findCheckout('r1')).toMatchObject({ openedAt: baseTime });
});

describe('the files of SQLite', () => {
  /**
   * Erases a person with 40 checkouts, and returns the traces in the files before and after a checkpoint, and after a
   * vacuum.
   */
  const eraseInFiles = async (secureDelete: 'on' | 'off') => {
    const { target, connect } = await createSqliteDatabase();
    const kysely = connect();
    const store = sqlOrderStore(kysely);
    await store.lastEventId();
    await sql`pragma secure_delete = ${sql.raw(secureDelete)}`.execute(kysely);
    for (let i = 0; i < 40; i++) {
      await store.saveIntent(intentOf(`r${i}`));
      await store.recordOrders([orderOf(`r${i}`)], baseTime);
    }
    await deliverAll(store);
    await store.eraseSubject('the-person', { now });
    const findTraces = async () => {
      const files = await Promise.all(
        ['', '-wal'].map((suffix) => readFile(target + suffix, 'latin1').catch(() => '')),
      );
      return traces.filter((trace) => files.some((file) => file.includes(trace)));
    };
    const before = await findTraces();
    await sql`pragma wal_checkpoint(truncate)`.execute(kysely);
    const after = await findTraces();
    await sql`vacuum`.execute(kysely);
    await sql`pragma wal_checkpoint(truncate)`.execute(kysely);
    return { before, after, vacuumed: await findTraces() };
  };

  it('have nothing of an erased person with secure_delete, after a checkpoint', async () => {
    expect(await eraseInFiles('on')).toEqual({ before: traces, after: [], vacuumed: [] });
  });

  it('have free pages with data of the person without secure_delete, until a vacuum', async () => {
    const { after, vacuumed } = await eraseInFiles('off');
    expect(after).not.toEqual([]);
    expect(vacuumed).toEqual([]);
  });
});
