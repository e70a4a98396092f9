import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import {
  type ErasureResult,
  migrateOrderStore,
  type SqlOrderStore,
  sqlOrderStore,
} from '../../../../src/server/sql/index.js';
import { dialectOf } from '../../../support/database/connectSource.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
  sqlDatabases,
  type TestDatabase,
} from '../../../support/database/sqlDatabases.js';
import { handleChanges } from '../../../support/server/handleChanges.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { purgeBefore } from '../../../support/server/purgeBefore.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

const now = () => baseTime * 1000;

const wallet = '0xA11ce00000000000000000000000000000000001';
const traces = ['the-person', wallet, 'person@mail.example', 'proposed-note', 'stored-note'];

const checkoutOf = (reference: string, given: Parameters<typeof onRampCheckout>[0] = {}) =>
  onRampCheckout({
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
  await handleChanges(store, await store.listPendingChanges(baseTime, 5000), baseTime);
}

const TABLES = ['checkouts', 'orders', 'changes', 'replays', 'state', 'migrations'] as const;

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
    const own = sqlOrderStore(kysely, undefined, testRuntime({ now }));
    return { kysely, store: own, other: () => store({ now }) };
  };

  it('leaves no row with data of the person, and 750 rows of other people unchanged', async () => {
    const { kysely, store } = await setUp();
    for (let i = 0; i < 250; i++) {
      const reference = `other-${i}`;
      await store.saveCheckout(onRampCheckout({ reference, subject: `person-${i % 40}` }));
      await store.recordOrders([onRampOrder({ orderId: reference, ext: reference })], baseTime);
    }
    const others = await readRows(kysely);
    expect(others.length).toBeGreaterThanOrEqual(750);
    await store.saveCheckout(checkoutOf('unopened'));
    await store.saveCheckout(checkoutOf('paid'));
    await store.saveCheckout(checkoutOf('paid-twice'));
    await store.recordOrders(
      [
        orderOf('paid'),
        orderOf('paid-twice'),
        orderOf('paid-twice', { orderId: 'order-again', walletAddress: `${wallet}-2` }),
      ],
      baseTime,
    );
    const orderIds = ['order-paid', 'order-paid-twice', 'order-again'];
    await handleChanges(store, await store.listUndelivered({ orderIds, limit: 9 }), baseTime);
    await store.resolveOrder('order-again', 'refunded');
    await store.claimReplay('hash', baseTime + 9, baseTime, 'paid');
    expect((await readRows(kysely)).filter(isOfPerson)).toHaveLength(6);

    expect(await store.eraseSubject('the-person')).toEqual({ erased: 3, open: [] });
    const rows = await readRows(kysely);
    expect(rows.filter(isOfPerson)).toEqual([]);
    const left = new Set(rows);
    expect(others.filter((row) => !left.has(row))).toEqual([]);
    // Three orders and the webhook.
    expect(rows).toHaveLength(others.length + 4);

    await store.recordOrders([orderOf('paid'), orderOf('paid-twice')], baseTime);
    await store.claimReplay('hash', baseTime + 9, baseTime, 'paid');
    expect(await readRows(kysely)).toEqual(rows);
  });

  it('leaves only rows of the checkouts that it names', async () => {
    const { kysely, store } = await setUp();
    for (const reference of ['open', 'paid', 'unopened', 'undelivered'])
      await store.saveCheckout(checkoutOf(reference));
    await store.markOpened('open', baseTime);
    await store.recordOrders([orderOf('paid')], baseTime);
    await deliverAll(store);
    await store.recordOrders([orderOf('undelivered')], baseTime);
    const { open } = await store.eraseSubject('the-person');
    expect(open).toEqual([
      { reference: 'open', orderIds: [] },
      { reference: 'undelivered', orderIds: ['order-undelivered'] },
    ]);
    const named = /"(reference|ext)\\*":\\*"(open|undelivered)\\*"/;
    const rows = (await readRows(kysely)).filter(isOfPerson);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.filter((row) => !named.test(row))).toEqual([]);
  });

  it('erases any number of checkouts, 100 in a transaction', async () => {
    const { kysely, store } = await setUp();
    for (let i = 0; i < 230; i++) await store.saveCheckout(checkoutOf(`r${i}`));
    await store.markOpened('r150', baseTime);
    expect(await store.eraseSubject('the-person')).toMatchObject({
      erased: 229,
      open: [{ reference: 'r150' }],
    });
    await store.recordOrders([orderOf('r150')], baseTime);
    await deliverAll(store);
    expect(await store.eraseSubject('the-person')).toEqual({ erased: 1, open: [] });
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
  });

  it('never erases before the delivery, and leaves nothing, beside syncs, purges and other calls', async () => {
    const { kysely, store, other } = await setUp();
    // In one process, a SQLite connection that waits for a lock blocks the connection that has it.
    const second = name === 'SQLite' ? store : other();
    const count = 30;
    const references = Array.from({ length: count }, (_, i) => `r${i}`);
    for (const reference of references) {
      await store.saveCheckout(checkoutOf(reference));
      await store.markOpened(reference, baseTime);
    }
    const delivered = new Map<string, string | undefined>();
    const api = Object.assign(fakeApi(), {
      orders: references.map((reference) => orderOf(reference)),
    });
    const createTracker = (own: OrderStore) =>
      createOrderTracker(
        {
          api,
          store: own,
          deliver: ({ key, checkout }) => void delivered.set(key, checkout.subject),
          review: (_, reason) => expect(reason).toBeUndefined(),
          onError: (error) => expect(error).toBeUndefined(),
        },
        testRuntime({ now }),
      );
    const trackers = [createTracker(store), createTracker(second)];
    let erased = 0;
    const erase = async (own: SqlOrderStore) => {
      erased += (await own.eraseSubject('the-person')).erased;
    };
    await Promise.all([
      ...trackers.map((tracker) => tracker.sync()),
      ...Array.from({ length: 4 }, (_, i) => erase(i % 2 ? store : second)),
      purgeBefore(second, baseTime),
      store.claimReplay('hash', baseTime + 600, baseTime, 'r3'),
    ]);
    await trackers[0]?.sync();
    await erase(store);
    expect(erased).toBe(count);
    expect([...delivered.keys()].sort()).toEqual(
      references.map((reference) => `order-${reference}:deliver`).sort(),
    );
    expect(new Set(delivered.values())).toEqual(new Set(['the-person']));
    await createTracker(store).sync();
    expect(delivered.size).toBe(count);
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
    expect(await second.eraseSubject('the-person')).toEqual({ erased: 0, open: [] });
  });

  it('erases a checkout whose delivery is running only after the delivery', async () => {
    const { kysely, store } = await setUp();
    await store.saveCheckout(checkoutOf('r1'));
    const subjects: string[] = [];
    let begun = () => {};
    let end = () => {};
    const isDelivering = new Promise<void>((done) => (begun = done));
    const tracker = createOrderTracker(
      {
        api: Object.assign(fakeApi(), { orders: [orderOf('r1')] }),
        store,
        async deliver({ checkout }) {
          subjects.push(checkout.subject);
          begun();
          await new Promise<void>((done) => (end = done));
        },
        review() {},
      },
      testRuntime({ now }),
    );
    const synced = tracker.sync();
    await isDelivering;
    const erased = store.eraseSubject('the-person');
    // In SQLite no one else can write during a delivery, so this call waits. PostgreSQL does not wait.
    const first = await Promise.race([erased, wait(200)]);
    if (name === 'PostgreSQL') expect(first).toMatchObject({ erased: 0, open: [{}] });
    else expect(first).toBeUndefined();
    end();
    await synced;
    const { erased: before } = await erased;
    expect((await store.eraseSubject('the-person')).erased).toBe(1 - before);
    expect((await readRows(kysely)).filter(isOfPerson)).toEqual([]);
    await tracker.sync();
    expect(subjects).toEqual(['the-person']);
  });
});

it('eraseSubject on PostgreSQL waits for a checkout that is being opened, and leaves it', async () => {
  const { connect, store: createStore, schema } = await createPostgresSchema();
  const store = createStore({ now });
  await store.saveCheckout(checkoutOf('r1'));
  let erased: Promise<ErasureResult> | undefined;
  const kysely = connect();
  await kysely.transaction().execute(async (transaction) => {
    await sql`update ramp_checkouts set opened_at = ${baseTime}`.execute(transaction);
    erased = store.eraseSubject('the-person');
    const countWaiting = async () => {
      const { rows } = await sql`
        select pid from pg_stat_activity where application_name = ${schema} and wait_event = 'transactionid'
      `.execute(kysely);
      return rows.length;
    };
    await expect.poll(countWaiting).toBe(1);
  });
  expect(await erased).toEqual({ erased: 0, open: [{ reference: 'r1', orderIds: [] }] });
  expect(await store.findCheckout('r1')).toMatchObject({ openedAt: baseTime });
});

/** Connects to a database, and calls `before` with the text of each statement before it is sent. */
function connectWithHook(
  { target }: TestDatabase,
  before: (text: string) => Promise<void>,
): Kysely<unknown> {
  const dialect = dialectOf(target);
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createDriver() {
        const driver = dialect.createDriver();
        const acquire = driver.acquireConnection.bind(driver);
        const known = new Set<object>();
        driver.acquireConnection = async () => {
          const connection = await acquire();
          if (known.has(connection)) return connection;
          known.add(connection);
          const execute = connection.executeQuery.bind(connection);
          connection.executeQuery = (async (query) => {
            await before(query.sql);
            return execute(query);
          }) as typeof connection.executeQuery;
          return connection;
        };
        return driver;
      },
    },
  });
  onTestFinished(() => kysely.destroy());
  return kysely;
}

it.each(['ramp_orders', 'ramp_changes'])(
  'eraseSubject on PostgreSQL leaves a checkout whose order is reviewed before it reads %s',
  async (table) => {
    const database = await createPostgresSchema();
    const other = database.store({ now });
    await other.saveCheckout(checkoutOf('r1'));
    await other.recordOrders([orderOf('r1')], baseTime);
    const [change] = await other.listPendingChanges(baseTime, 1);
    let isReviewed = false;
    const kysely = connectWithHook(database, async (text) => {
      if (isReviewed || !change || !text.includes(`from "${table}"`)) return;
      isReviewed = true;
      await other.handleChange(change, async () => ({ reviewedFor: ['wallet'] }));
    });
    const store = sqlOrderStore(kysely, undefined, testRuntime({ now }));
    expect(await store.eraseSubject('the-person')).toMatchObject({ erased: 0, open: [{}] });
    expect(isReviewed).toBe(true);
  },
);

describe('the files of SQLite', () => {
  /**
   * Erases a person with 40 checkouts, and returns the traces in the files before and after a checkpoint, and after a
   * vacuum.
   */
  const eraseInFiles = async (secureDelete: 'on' | 'off') => {
    const { target, connect } = await createSqliteDatabase();
    const kysely = connect();
    const store = sqlOrderStore(kysely);
    await store.readSyncState();
    await sql`pragma secure_delete = ${sql.raw(secureDelete)}`.execute(kysely);
    for (let i = 0; i < 40; i++) {
      await store.saveCheckout(checkoutOf(`r${i}`));
      await store.recordOrders([orderOf(`r${i}`)], baseTime);
    }
    await deliverAll(store);
    await store.eraseSubject('the-person');
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
