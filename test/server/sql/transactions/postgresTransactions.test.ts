import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqlOrderStore, withTransaction } from '../../../../src/server/sql/index.js';
import { createPostgresSchema } from '../../../support/database/sqlDatabases.js';
import { storeWithIdleLimit } from '../../../support/database/storeWithIdleLimit.js';
import { tcpProxy } from '../../../support/database/tcpProxy.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';

const limits = { lockMs: 300, statementMs: 1000 };
const IDLE_MS = 1200;

/** Creates a store on a plain `pg.Pool`, which reuses a connection on which a query timed out. */
async function plainPool(more: pg.PoolConfig = {}, delayMs = 2000) {
  const database = await createPostgresSchema();
  const proxy = await tcpProxy(database.target, delayMs);
  const pool = new pg.Pool({ connectionString: proxy.url, connectionTimeoutMillis: 2000, ...more });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const store = storeWithIdleLimit(kysely, { limits }, IDLE_MS);
  await store.readSyncState();
  onTestFinished(() => proxy.close());
  return {
    database,
    proxy,
    pool,
    kysely,
    store,
    other: database.store(),
    direct: database.connect(),
  };
}

describe('withPostgresTransaction on another pool', () => {
  it('never joins a transaction that was left open on a connection', async () => {
    const { pool, direct, store, other } = await plainPool({ max: 1 });
    await sql`create table shop_goods (name text)`.execute(direct);
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`insert into shop_goods values ('half of a booking')`);
    client.release();
    await store.saveCheckout(onRampCheckout());
    expect(await other.findCheckout('r1')).toBeDefined();
    // The store did not commit the transaction that the shop had left open.
    expect((await sql`select * from shop_goods`.execute(direct)).rows).toEqual([]);
  });

  it('waits for the disk although the connection does not, and keeps a stricter setting', async () => {
    const { kysely } = await plainPool({ max: 1 });
    for (const [setting, expected] of [
      ['off', 'on'],
      ['on', 'on'],
      ['remote_apply', 'remote_apply'],
    ]) {
      await sql`set synchronous_commit to ${sql.lit(setting)}`.execute(kysely);
      const { rows } = await withTransaction(kysely, (transaction) =>
        sql`show synchronous_commit`.execute(transaction),
      );
      expect(rows).toEqual([{ synchronous_commit: expected }]);
      expect((await sql`show synchronous_commit`.execute(kysely)).rows).toEqual([
        { synchronous_commit: setting },
      ]);
    }
  });

  it('recovers a connection whose transaction has failed', async () => {
    const { pool, store, other } = await plainPool({ max: 1 });
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select 1 / 0').catch(() => {});
    client.release();
    await store.recordOrders([onRampOrder()], baseTime);
    expect(await other.listOrders({ limit: 9 })).toHaveLength(1);
  });

  it('keeps its connection out of the pool until the server has confirmed the rollback', async () => {
    // statementMs (1000) exceeds the proxy's delay (900), so the server does not cancel the statement itself.
    const { pool, proxy, store, other } = await plainPool({ max: 1, query_timeout: 600 }, 900);
    // At the fifth statement the transaction of recordOrders is open and holds the lock.
    proxy.failAt(5, 'delay-response');
    await expect(store.recordOrders([onRampOrder()], baseTime)).rejects.toThrow(/timeout/);
    // pool.connect() must wait for the rollback, so the next query is in no transaction and its transaction ID is null.
    const [client] = await Promise.all([pool.connect(), other.readSyncState()]);
    const state = await client.query('select pg_current_xact_id_if_assigned() as id');
    client.release();
    expect(state.rows).toEqual([{ id: null }]);
    expect(await store.recordOrders([onRampOrder()], baseTime)).toBe(1);
    expect(await other.listOrders({ limit: 9 })).toHaveLength(1);
  });

  it('leaves no lock when its client stops responding', async () => {
    const { proxy, store, other } = await plainPool({ query_timeout: 400 });
    proxy.failAt(5, 'lose-response');
    await expect(store.recordOrders([onRampOrder()], baseTime)).rejects.toThrow(/timeout/);
    expect(await other.recordOrders([onRampOrder({ orderId: 'o2' })], baseTime)).toBe(1);
    expect(await other.listOrders({ limit: 9 })).toHaveLength(1);
  });

  it('does not acknowledge a transaction that was rolled back while the client was frozen', async () => {
    const { proxy, store, other } = await plainPool();
    const saved = store.saveCheckout(onRampCheckout()).then(
      () => 'acknowledged',
      () => 'refused',
    );
    proxy.failAt(3, 'delay-request');
    // The proxy holds the third statement for 2000 ms. The limit is 1200, so the server has rolled the transaction back
    // before it receives the statement.
    expect(await saved).toBe('refused');
    expect(await other.findCheckout('r1')).toBeUndefined();
    await store.saveCheckout(onRampCheckout());
    expect(await other.findCheckout('r1')).toBeDefined();
  });

  it('waits for a lock that is held for longer than lockMs, and then succeeds', async () => {
    const { direct, store, other } = await plainPool();
    let release = () => {};
    const isHeld = new Promise<void>((held) => {
      void direct.transaction().execute(async (transaction) => {
        await sql`lock table ramp_checkouts in access exclusive mode`.execute(transaction);
        held();
        await new Promise<void>((done) => {
          release = done;
        });
      });
    });
    await isHeld;
    const saved = store.saveCheckout(onRampCheckout());
    setTimeout(release, 2.5 * limits.lockMs);
    await saved;
    expect(await other.findCheckout('r1')).toBeDefined();
  });

  it('rejects when a lock is held for too long, and does not keep waiting on the server', async () => {
    const { direct, store, database } = await plainPool();
    await direct.transaction().execute(async (transaction) => {
      await sql`lock table ramp_checkouts in access exclusive mode`.execute(transaction);
      await expect(store.saveCheckout(onRampCheckout())).rejects.toThrow(/lock timeout/);
      const waiting = sql`select pid from pg_stat_activity
        where application_name = ${database.schema} and wait_event_type = 'Lock'`;
      expect((await waiting.execute(transaction)).rows).toEqual([]);
    });
    await store.saveCheckout(onRampCheckout());
  });
});

describe('the limits of sqlOrderStore', () => {
  it.each([
    { lockMs: 0 },
    { lockMs: 1.5 },
    { workMs: Number.NaN },
    { statementMs: '5' },
    { other: 1 },
  ])('refuse the limits %j', async (wrong) => {
    const { kysely } = await plainPool();
    expect(() => sqlOrderStore(kysely, { limits: wrong as never })).toThrow(/ limits\./);
  });
});
