import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { sqliteDialect, sqlOrderStore } from '../../../../src/server/sql/index.js';
import { createSqliteDatabase } from '../../../support/database/sqlDatabases.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

const checkout = (i: number) => onRampCheckout({ reference: `r${i}` });

/** Creates a store, the connection that it shares with the shop, and another connection that can lock the file. */
async function openShop() {
  const { target, connect, remote } = await createSqliteDatabase();
  const [kysely, other] = [connect(), connect()];
  const store = sqlOrderStore(kysely);
  await store.readSyncState();
  await sql`create table paid (order_id text primary key)`.execute(kysely);
  const pay = (orderId: string) => sql`insert into paid values (${orderId})`.execute(kysely);
  /** Counts rows on a new connection, which sees only what is committed. */
  const count = (table: string) => {
    const database = new DatabaseSync(target);
    const { n } = database.prepare(`select count(*) as n from ${table}`).get() as { n: number };
    database.close();
    return n;
  };
  return { target, kysely, other, remote, store, pay, count };
}

describe('sqlOrderStore, while another process locks its SQLite file', () => {
  it('waits for long, and stores all writes', async () => {
    const { other, remote, count } = await openShop();
    const { store } = remote();
    await store.readSyncState();
    await sql`begin immediate`.execute(other);
    const saves = [0, 1, 2].map((i) => store.saveCheckout(checkout(i)));
    // The store itself retries the writes, because SQLite waits only for a moment.
    await wait(3000);
    await sql`commit`.execute(other);
    await Promise.all(saves);
    expect(count('ramp_checkouts')).toBe(3);
  });

  it('opens a new file that another process locks, as it does while it opens the file itself', async () => {
    const { connect, store } = await createSqliteDatabase();
    const other = connect();
    // Before WAL, a writer keeps readers out too.
    await sql`create table theirs (n integer)`.execute(other);
    await sql`begin exclusive`.execute(other);
    const saved = store().saveCheckout(checkout(0));
    await wait(300);
    await sql`commit`.execute(other);
    await saved;
    expect(await store().findCheckout('r0')).toBeDefined();
  });

  it('keeps what the shop has written on the same connection between two attempts', async () => {
    const { other, store, pay, count } = await openShop();
    for (let i = 0; i < 10; i++) {
      await sql`begin immediate`.execute(other);
      const saved = store.saveCheckout(checkout(i));
      // Let several attempts find the file locked.
      await wait(100);
      await sql`commit`.execute(other);
      await pay(`o${i}`);
      await saved;
    }
    expect([count('ramp_checkouts'), count('paid')]).toEqual([10, 10]);
  });

  it('stores checkouts after a statement of the shop was refused, and others wrote', async () => {
    const { other, store, pay, count } = await openShop();
    for (let round = 0; round < 10; round++) {
      await sql`begin immediate`.execute(other);
      const reading = store.findCheckout('r0');
      await expect(pay(`refused${round}`)).rejects.toThrow('database is locked');
      await sql`commit`.execute(other);
      await reading;
      for (let i = 0; i < 3; i++)
        await sql`insert into paid values (${`${round}-${i}`})`.execute(other);
      for (let i = 0; i < 10; i++) await store.saveCheckout(checkout(10 * round + i));
      expect(count('ramp_checkouts')).toBe(10 * round + 10);
      expect((await store.findCheckout(`r${10 * round}`))?.reference).toBe(`r${10 * round}`);
    }
  });

  it('blocks the event loop for a moment only, because it waits with timers', async () => {
    const { kysely } = await openShop();
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(kysely);
    expect(rows[0]?.timeout).toBeLessThanOrEqual(20);
  });
});

describe('sqlOrderStore on a SQLite connection that cannot work', () => {
  it('reports at once that a statement was left open, because its reads are old', async () => {
    const { target, other } = await openShop();
    const database = new DatabaseSync(target);
    const store = sqlOrderStore(new Kysely<unknown>({ dialect: sqliteDialect(database) }));
    await store.saveCheckout(checkout(1));
    await store.saveCheckout(checkout(2));
    const rows = database.prepare('select * from ramp_checkouts').iterate();
    rows.next();
    await sql`insert into paid values ('o1')`.execute(other);
    await expect(store.saveCheckout(checkout(3))).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining('one of its statements was left open'),
    });
    rows.return?.();
    await store.saveCheckout(checkout(3));
    database.close();
  });

  it.each([
    ['refuses the driver libsql for a file', undefined, /refuses the driver libsql for a file/],
    ['takes the driver libsql in memory, for tests', ':memory:', undefined],
  ])('%s', async (_, name, message) => {
    const { target } = await openShop();
    const database = new Libsql(name ?? target);
    const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    onTestFinished(() => kysely.destroy());
    const result = await sqlOrderStore(kysely)
      .readSyncState()
      .catch((error: Error) => error.message);
    if (message) expect(result).toMatch(message);
    else expect(result).toMatchObject({ revision: 0 });
  });
});

describe('deliver on SQLite that finds a file locked', () => {
  it('has failed, is told, and does not keep other orders from being delivered', async () => {
    const { store } = await openShop();
    const { target: foreign, other: holder } = await openShop();
    const ledger = new DatabaseSync(foreign);
    ledger.exec('pragma busy_timeout = 0');
    await sql`begin immediate`.execute(holder);
    const delivered: string[] = [];
    const errors: unknown[] = [];
    for (const reference of ['bad', 'good'])
      await store.saveCheckout(onRampCheckout({ reference, expiresAt: baseTime + 999 }));
    const orders = ['bad', 'good'].map((ext) => onRampOrder({ orderId: ext, ext }));
    const tracker = createOrderTracker(
      {
        api: Object.assign(fakeApi(), { orders }),
        store,
        deliver({ orderId }) {
          if (orderId === 'bad') ledger.exec("insert into paid values ('bad')");
          delivered.push(orderId);
        },
        review() {},
        onError: (error) => errors.push(error),
      },
      testRuntime({ now: () => baseTime * 1000 }),
    );
    await tracker.sync();
    expect(delivered).toEqual(['good']);
    expect(errors).toMatchObject([{ message: 'database is locked' }]);
    expect(await store.listUndelivered({ limit: 9 })).toMatchObject([{ tries: 1 }]);
    await sql`rollback`.execute(holder);
    ledger.close();
  });
});
