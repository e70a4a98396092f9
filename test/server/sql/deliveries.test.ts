import { setTimeout as wait } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OrderStore, OrderToDeliver } from '../../../src/server/index.js';
import { createOrderTracker } from '../../../src/server/orders/tracker/createOrderTracker.js';
import type { OrderTrackerOptions } from '../../../src/server/orders/tracker/trackerOptions.js';
import { sqlOrderStore, withTransaction } from '../../../src/server/sql/index.js';
import { dialectOf } from '../../support/database/connectSource.js';
import {
  createPostgresSchema,
  sqlDatabases,
  type TestDatabase,
} from '../../support/database/sqlDatabases.js';
import { storeWithIdleLimit } from '../../support/database/storeWithIdleLimit.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import { testRuntime } from '../../support/server/testRuntime.js';

interface ShopTables {
  purchases: { order_id: string };
}
type Shop = Kysely<ShopTables>;

const buy = ({ orderId }: Pick<OrderToDeliver, 'orderId'>, transaction: Shop) =>
  transaction.insertInto('purchases').values({ order_id: orderId }).execute();

/** Creates the table `purchases`, which lets a shop write an order any number of times. */
async function createPurchases(database: TestDatabase): Promise<Shop> {
  const db = database.connect() as Kysely<ShopTables>;
  await db.schema.createTable('purchases').addColumn('order_id', 'text').execute();
  return db;
}

const readPurchases = async (db: Shop) =>
  (await db.selectFrom('purchases').select('order_id').orderBy('order_id').execute()).map(
    (row) => row.order_id,
  );

/** Creates a tracker on a store with a paid checkout. `sync` lets as much time pass as a failed delivery waits. */
async function createShop(
  store: OrderStore,
  {
    orders = [onRampOrder()],
    ...options
  }: Partial<OrderTrackerOptions> & { orders?: object[] } = {},
) {
  const errors: unknown[] = [];
  let clock = baseTime;
  await store.saveCheckout(onRampCheckout());
  const tracker = createOrderTracker(
    {
      api: Object.assign(fakeApi(), { orders }),
      store,
      deliver: buy,
      review: (_, reason) => expect(reason).toBeUndefined(),
      onError: (error) => errors.push(error),
      ...options,
    },
    testRuntime({ now: () => clock * 1000 }),
  );
  const sync = async () => {
    await tracker.sync();
    clock += 3700;
  };
  return { tracker, errors, sync };
}

/**
 * Connects to a database. The commit of the next `commits` deliveries fails, as on a broken connection: before the
 * database has seen it, or with `isAfter` when only its response is lost.
 */
function connectWithFaults(database: TestDatabase, isAfter: boolean) {
  const dialect = dialectOf(database.target);
  const faults = { commits: 0, isArmed: false };
  const kysely = new Kysely<ShopTables>({
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
            if (query.sql.includes('delete from "ramp_changes"'))
              faults.isArmed = faults.commits > 0;
            if (query.sql === 'commit' && faults.isArmed) {
              faults.isArmed = false;
              faults.commits--;
              if (isAfter) await execute(query);
              throw new Error('the connection is broken');
            }
            return execute(query);
          }) as typeof connection.executeQuery;
          return connection;
        };
        return driver;
      },
    },
  });
  return { kysely, faults };
}

describe.each(sqlDatabases)('deliver with the transaction of %s', (name, empty) => {
  it.each([
    ['the commit fails the first time', false, ['o1:deliver', 'o1:deliver']],
    ['the response to the first commit is lost', true, ['o1:deliver']],
  ])('writes a row of the shop once, although %s', async (_, isAfter, called) => {
    const database = await empty();
    const db = await createPurchases(database);
    const { kysely, faults } = connectWithFaults(database, isAfter);
    const keys: string[] = [];
    const { sync, errors } = await createShop(sqlOrderStore(kysely), {
      deliver: async (order, transaction: Shop) => {
        keys.push(order.key);
        await buy(order, transaction);
      },
    });
    faults.commits = 1;
    await sync();
    expect(await readPurchases(db)).toEqual(isAfter ? ['o1'] : []);
    expect(errors).toMatchObject([{ message: 'the connection is broken' }]);
    await sync();
    await sync();
    expect(await readPurchases(db)).toEqual(['o1']);
    expect(keys).toEqual(called);
    expect(errors).toHaveLength(1);
    await kysely.destroy();
  });

  it('writes a row of the shop once, although two instances deliver at the same time', async () => {
    const database = await empty();
    const db = await createPurchases(database);
    const store = database.store();
    // In one process, a SQLite connection that waits for a lock blocks the connection that has it.
    const second = name === 'SQLite' ? store : database.store();
    const orders = Array.from({ length: 20 }, (_, i) =>
      onRampOrder({ orderId: `o${10 + i}`, ext: `r${i}` }),
    );
    for (let i = 0; i < 20; i++) await store.saveCheckout(onRampCheckout({ reference: `r${i}` }));
    await store.recordOrders(orders, baseTime);
    const changes = await store.listPendingChanges(baseTime, 20);
    const results = await Promise.all(
      [store, second].flatMap((own) =>
        changes.map((change) =>
          own.handleChange(change, async ({ record }, _, transaction) => {
            await buy(record.order, transaction as Shop);
            return { deliveredAt: baseTime };
          }),
        ),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(20);
    expect(await readPurchases(db)).toEqual(orders.map(({ orderId }) => orderId));
  });

  it('rolls back what the shop wrote when it throws, and what review wrote too', async () => {
    const database = await empty();
    const db = await createPurchases(database);
    let isClosed = true;
    const write = async (order: { orderId: string }, transaction: Shop) => {
      await buy(order, transaction);
      if (isClosed) throw new Error('the warehouse is closed');
    };
    const { sync, errors } = await createShop(database.store(), {
      orders: [onRampOrder(), onRampOrder({ orderId: 'o2' })],
      deliver: write,
      review: (order, _, transaction: Shop) => write(order, transaction),
    });
    await sync();
    expect(await readPurchases(db)).toEqual([]);
    expect(errors).toHaveLength(2);
    isClosed = false;
    await sync();
    await sync();
    expect(await readPurchases(db)).toEqual(['o1', 'o2']);
  });

  it('remembers in the same transaction that it was delivered, so no later state delivers again', async () => {
    const database = await empty();
    const db = await createPurchases(database);
    await database.store().saveCheckout(nftCheckout({ reference: 'n1' }));
    const keys: string[] = [];
    // A new store and a new tracker for each state, as after a restart.
    for (const state of ['finished', 'settlement', 'settled'] as const) {
      const tracker = createOrderTracker(
        {
          api: Object.assign(fakeApi(), { orders: [nftOrder(state, { ext: 'n1' })] }),
          store: database.store(),
          deliver: buy,
          review: ({ key }) => keys.push(key),
          onError: (error) => keys.push(`${error}`),
        },
        testRuntime({ now: () => baseTime * 1000 }),
      );
      await tracker.sync();
    }
    expect(keys).toEqual([]);
    expect(await readPurchases(db)).toEqual(['o1']);
  });

  it('has the plugins of the shop, which do not change what the store keeps', async () => {
    const database = await empty();
    const db = await createPurchases(database);
    const plain = database.connect();
    const shop = [new CamelCasePlugin(), new ParseJSONResultsPlugin()].reduce(
      (one, plugin) => one.withPlugin(plugin),
      database.connect(),
    ) as unknown as Kysely<{ purchases: { orderId: string } }>;
    const store = sqlOrderStore(shop);
    const seen: unknown[] = [];
    const checkout = onRampCheckout({ metadata: { user_name: '{"a":1}' } });
    await store.saveCheckout(checkout);
    await store.recordOrders([onRampOrder(), onRampOrder({ orderId: 'o2' })], baseTime);
    for (const change of await store.listPendingChanges(baseTime, 9))
      await store.handleChange(change, async (now, history, transaction) => {
        seen.push(now, history);
        const { orderId } = now.record.order;
        await transaction.insertInto('purchases').values({ orderId }).execute();
        seen.push(await transaction.selectFrom('purchases').select('orderId').execute());
        return { deliveredAt: baseTime, reviewedFor: ['second-order', 'unknown-status'] };
      });
    expect(seen).toMatchObject([
      { key: 'o1:finished', checkout, record: { order: onRampOrder() } },
      {},
      [{ orderId: 'o1' }],
      { key: 'o2:finished', record: { isLaterOrder: true } },
      {},
      [{ orderId: 'o1' }, { orderId: 'o2' }],
    ]);
    expect(await readPurchases(db)).toEqual(['o1', 'o2']);
    const stored = sql<{ delivered_at: unknown; reviewed_for: unknown }>`
      select delivered_at, reviewed_for from ramp_orders`;
    expect(
      (await stored.execute(plain)).rows.map((row) => [Number(row.delivered_at), row.reviewed_for]),
    ).toEqual(Array(2).fill([baseTime, 'second-order unknown-status']));
    expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
  });

  it('refuses withTransaction inside, and delivers once the shop has mended it', async () => {
    const database = await empty();
    const db = await createPurchases(database);
    const shop = database.connect() as Kysely<ShopTables>;
    let isMended = false;
    const { sync, errors } = await createShop(sqlOrderStore(shop), {
      deliver: (order, transaction: Shop) =>
        isMended ? buy(order, transaction) : withTransaction(shop, (own) => buy(order, own)),
    });
    await sync();
    expect(errors).toMatchObject([
      {
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(/^withTransaction was called in .* such as deliver/),
      },
    ]);
    isMended = true;
    await sync();
    expect(await readPurchases(db)).toEqual(['o1']);
  });

  it('does not call a resolved order, and takes a resolution that comes while a delivery fails', async () => {
    const database = await empty();
    const db = await createPurchases(database);
    const store = database.store();
    const { sync } = await createShop(store, {
      deliver: async (order, transaction: Shop) => {
        await buy(order, transaction);
        throw new Error('the warehouse is closed');
      },
    });
    await sync();
    await store.resolveOrder('o1', 'refunded');
    await sync();
    expect(await readPurchases(db)).toEqual([]);
    expect(await store.listUndelivered({ limit: 9 })).toEqual([]);
  });
});

describe('deliver with the transaction of PostgreSQL', () => {
  const limits = { workMs: 3000, lockMs: 2000 };

  it('may wait longer than another transaction, but not longer than workMs', async () => {
    const database = await createPostgresSchema();
    const db = await createPurchases(database);
    const store = storeWithIdleLimit(database.connect(), { limits }, 200);
    const times = [5000, 800];
    const { sync, errors } = await createShop(store, {
      async deliver(order, transaction: Shop) {
        await buy(order, transaction);
        await wait(times.shift());
        await sql`select 1`.execute(transaction);
      },
    });
    await sync();
    expect(errors).toMatchObject([
      { code: 'ERR_TIMEOUT', message: expect.stringContaining('did not settle within 3000 ms') },
    ]);
    expect(await readPurchases(db)).toEqual([]);
    await sync();
    expect(await readPurchases(db)).toEqual(['o1']);
    expect(errors).toHaveLength(1);
    // The late statement of the first call was refused. Wait for it, so that it belongs to this test.
    await wait(2500);
  });

  /** Begins a delivery that lasts until `end` is called. */
  async function beginDelivery() {
    const database = await createPostgresSchema();
    const db = await createPurchases(database);
    let begun = () => {};
    let end = (_?: Error) => {};
    const isDelivering = new Promise<void>((done) => {
      begun = done;
    });
    let calls = 0;
    const { sync, errors } = await createShop(database.store(), {
      async deliver(order, transaction: Shop) {
        calls++;
        await buy(order, transaction);
        begun();
        await new Promise<void>((done, fail) => {
          end = (error) => (error ? fail(error) : done());
        });
      },
    });
    const synced = sync();
    await isDelivering;
    return {
      db,
      other: database.store(),
      synced,
      sync,
      errors,
      countCalls: () => calls,
      end: (error?: Error) => end(error),
    };
  }

  it('makes resolveOrder wait until the order was delivered', async () => {
    const { db, other, synced, end } = await beginDelivery();
    await other.readSyncState();
    let isResolved = false;
    const resolved = other.resolveOrder('o1', 'refunded').finally(() => {
      isResolved = true;
    });
    await wait(300);
    expect(isResolved).toBe(false);
    end();
    await synced;
    expect(await resolved).toMatchObject({ isRecorded: true, deliveredAt: baseTime });
    expect(await readPurchases(db)).toEqual(['o1']);
    expect(await other.listUndelivered({ limit: 9 })).toEqual([]);
  });

  it('keeps an operator of another instance from refunding what it has delivered meanwhile', async () => {
    const { other, synced, end } = await beginDelivery();
    await other.readSyncState();
    const onlyIf = { resolution: null, isDelivered: false };
    const resolved = other.resolveOrder('o1', 'refunded', { onlyIf });
    await wait(300);
    end();
    await synced;
    expect(await resolved).toEqual({ isRecorded: false, deliveredAt: baseTime });
    expect((await other.findCheckout('r1'))?.orders[0]?.resolution).toBeUndefined();
  });

  it('is not called again for an order that was resolved while it failed', async () => {
    const { db, other, synced, sync, end, errors, countCalls } = await beginDelivery();
    await other.readSyncState();
    const resolved = other.resolveOrder('o1', 'refunded');
    await wait(300);
    end(new Error('the warehouse is closed'));
    await synced;
    expect(await resolved).toEqual({ isRecorded: true, resolution: 'refunded' });
    await sync();
    expect(countCalls()).toBe(1);
    expect(errors).toMatchObject([{ message: 'the warehouse is closed' }]);
    expect(await readPurchases(db)).toEqual([]);
    expect(await other.listUndelivered({ limit: 9 })).toEqual([]);
  });

  it('does not keep other orders and checkouts from being recorded meanwhile', async () => {
    const { other, synced, end } = await beginDelivery();
    await other.saveCheckout(onRampCheckout({ reference: 'r2' }));
    expect(await other.recordOrders([onRampOrder({ orderId: 'o2', ext: 'r2' })], baseTime)).toBe(1);
    expect(await other.resolveOrder('o2', 'closed')).toMatchObject({ isRecorded: true });
    end();
    await synced;
  });
});
