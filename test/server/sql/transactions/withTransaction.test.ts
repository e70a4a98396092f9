import { setTimeout as wait } from 'node:timers/promises';
import { CamelCasePlugin, type Kysely, MysqlAdapter, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { sqlOrderStore, withTransaction } from '../../../../src/server/sql/index.js';
import { toSqlDatabase, withoutPlugins } from '../../../../src/server/sql/SqlDatabase.js';
import { withWriteLock } from '../../../../src/server/sql/transactions/withTransaction.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
  sqlDatabases,
} from '../../../support/database/sqlDatabases.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';

interface ShopTables {
  shop_totals: { id: number; total: number };
}

/** Creates a database whose table `shop_totals` has one row with the total 0, and two connections to it. */
async function openShop(open: (typeof sqlDatabases)[number][1]) {
  const { connect } = await open();
  const [kysely, other] = [connect(), connect()] as unknown as Kysely<ShopTables>[];
  if (!kysely || !other) throw new Error('not connected');
  await kysely.schema
    .createTable('shop_totals')
    .addColumn('id', 'integer', (id) => id.primaryKey())
    .addColumn('total', 'integer', (total) => total.notNull())
    .execute();
  await kysely.insertInto('shop_totals').values({ id: 1, total: 0 }).execute();
  return { kysely, other };
}

const add = (amount: number) => (db: Kysely<ShopTables>) =>
  db
    .updateTable('shop_totals')
    .set({ total: sql<number>`total + ${sql.lit(amount)}` })
    .executeTakeFirstOrThrow();

async function readTotal(db: Kysely<ShopTables>): Promise<number> {
  const { total } = await db.selectFrom('shop_totals').select('total').executeTakeFirstOrThrow();
  return total;
}

describe('withTransaction on SQLite', () => {
  it('streams rows within the transaction', async () => {
    const { kysely } = await openShop(createSqliteDatabase);
    const totals = await withTransaction(kysely, async (db) => {
      await db.insertInto('shop_totals').values({ id: 2, total: 5 }).execute();
      const rows: number[] = [];
      for await (const { total } of db.selectFrom('shop_totals').select('total').stream())
        rows.push(total);
      return rows;
    });
    expect(totals).toEqual([0, 5]);
  });

  it('rejects a call of the order store inside a transaction, which would wait forever', async () => {
    const { kysely } = await openShop(createSqliteDatabase);
    const store = sqlOrderStore(kysely);
    await store.recordOrders([onRampOrder()], baseTime);
    const [change] = await store.listPendingChanges(baseTime, 1);
    if (!change) throw new Error('The change is missing.');
    const calls: (() => Promise<unknown>)[] = [
      () => store.findCheckout('r1'),
      () => store.postponeChange('k', baseTime),
      () => store.handleChange(change, async (_, history) => history),
    ];
    for (const call of calls)
      await expect(withTransaction(kysely, call)).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringContaining('call the order store after it'),
      });
    expect(await store.listPendingChanges(baseTime, 9)).toEqual([change]);
  });

  it('lets a transaction read another database', async () => {
    const { kysely } = await openShop(createSqliteDatabase);
    const { store } = await createSqliteDatabase();
    const archive = store();
    await archive.saveCheckout(onRampCheckout());
    const result = withTransaction(kysely, () => archive.findCheckout('r1'));
    expect(await result).toMatchObject(onRampCheckout());
  });

  it('accepts a transaction that is started inside another one and runs after its end', async () => {
    const { kysely } = await openShop(createSqliteDatabase);
    let later: Promise<unknown> | undefined;
    await withTransaction(kysely, async () => {
      later = wait(50).then(() => withTransaction(kysely, add(1)));
    });
    await later;
    expect(await readTotal(kysely)).toBe(1);
  });
});

describe.each(sqlDatabases)('withTransaction on %s', (_, open) => {
  it('rejects inside another one, because one could be committed without the other', async () => {
    const { kysely } = await openShop(open);
    const nested = withTransaction(kysely, () => withTransaction(kysely, add(1)));
    await expect(nested).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringMatching(/^withTransaction was called in the callback of another/),
    });
    await withTransaction(kysely, add(2));
    expect(await readTotal(kysely)).toBe(2);
  });

  it('commits the writes of work, and resolves with its result', async () => {
    const { kysely, other } = await openShop(open);
    const total = await withTransaction(kysely, async (transaction) => {
      await add(2)(transaction);
      return readTotal(transaction);
    });
    expect([total, await readTotal(other)]).toEqual([2, 2]);
  });

  it('rolls back and rejects when work throws, and leaves the connection usable', async () => {
    const { kysely, other } = await openShop(open);
    const failed = withTransaction(kysely, async (transaction) => {
      await add(2)(transaction);
      throw new Error('not booked');
    });
    await expect(failed).rejects.toThrow('not booked');
    expect(await readTotal(other)).toBe(0);
    await withTransaction(kysely, add(3));
    expect(await readTotal(other)).toBe(3);
  });

  it('keeps all writes of concurrent transactions on two connections', async () => {
    const { kysely, other } = await openShop(open);
    const writes = Array.from({ length: 40 }, (_, i) =>
      withTransaction(i % 2 ? kysely : other, add(1)),
    );
    await Promise.all(writes);
    expect(await readTotal(kysely)).toBe(40);
  });

  it('keeps the plugins of the Kysely instance', async () => {
    const { kysely } = await openShop(open);
    const camelCase = kysely.withPlugin(new CamelCasePlugin()) as unknown as Kysely<{
      shopTotals: { total: number };
    }>;
    const rows = await withTransaction(camelCase, (transaction) =>
      transaction.selectFrom('shopTotals').selectAll().execute(),
    );
    expect(rows).toEqual([{ id: 1, total: 0 }]);
  });
});

/** Creates the promise `ended`, which the test resolves with `proceed()` after the transaction has ended. */
function afterEnd() {
  let proceed = () => {};
  const ended = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  return { ended, proceed };
}

describe.each(sqlDatabases)('a callback of withTransaction on %s', (_, open) => {
  const limits = { workMs: 200 };
  const never = () => new Promise<never>(() => {});

  it('is rolled back when it does not settle within workMs', async () => {
    const { kysely, other } = await openShop(open);
    const hung = withTransaction(
      kysely,
      async (transaction) => {
        await add(1)(transaction);
        await never();
      },
      { limits },
    );
    await expect(hung).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringMatching(/did not settle within 200 ms.*limits\.workMs/),
    });
    await withTransaction(kysely, add(10));
    expect(await readTotal(other)).toBe(10);
  });

  it('is rolled back when a statement of it holds the connection for ever', async () => {
    const { kysely, other } = await openShop(open);
    const hung = withTransaction(
      kysely,
      (transaction) =>
        transaction.connection().execute(async (held) => {
          await add(1)(held);
          await never();
        }),
      { limits },
    );
    await expect(hung).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    await withTransaction(kysely, add(10));
    expect(await readTotal(other)).toBe(10);
  });

  it('can no longer write after the limit, even with a compiled query', async () => {
    const { kysely, other } = await openShop(open);
    const { ended, proceed } = afterEnd();
    let late: Promise<unknown[]> | undefined;
    const hung = withTransaction(
      kysely,
      (transaction) => {
        const compiled = transaction.updateTable('shop_totals').set({ total: 7 }).compile();
        late = ended.then(async () => {
          const statements = [
            () => add(1)(transaction),
            () => transaction.executeQuery(compiled),
            () => sql`delete from shop_totals`.execute(transaction),
            () => transaction.connection().execute(add(1)),
          ];
          return Promise.all(statements.map((run) => run().catch((error: unknown) => error)));
        });
        return never();
      },
      { limits },
    );
    await expect(hung).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    proceed();
    expect(await late).toEqual(Array(4).fill(expect.objectContaining({ code: 'ERR_TIMEOUT' })));
    expect(await readTotal(other)).toBe(0);
  });

  it('can no longer write after its transaction has been committed', async () => {
    const { kysely, other } = await openShop(open);
    let leaked: Kysely<ShopTables> = kysely;
    await withTransaction(kysely, async (transaction) => {
      leaked = transaction;
      await add(1)(transaction);
    });
    await expect(add(100)(leaked)).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringMatching(/^A transaction has ended/),
    });
    expect(await readTotal(other)).toBe(1);
  });

  it('must not begin a transaction on its connection', async () => {
    const { kysely, other } = await openShop(open);
    const nested = withTransaction(kysely, (transaction) =>
      transaction.transaction().execute(add(1)),
    );
    await expect(nested).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringMatching(
        /^The callback of a transaction .* must not begin, commit or roll back one/,
      ),
    });
    expect(await readTotal(other)).toBe(0);
  });

  it('runs its statements one after the other, in the order of the calls', async () => {
    const { kysely } = await openShop(open);
    const totals = await withTransaction(kysely, (transaction) =>
      Promise.all([
        add(1)(transaction),
        readTotal(transaction),
        add(2)(transaction),
        readTotal(transaction),
      ]),
    );
    expect([totals[1], totals[3]]).toEqual([1, 3]);
  });
});

describe('withTransaction', () => {
  it('does not join a transaction that was left open on a connection of PostgreSQL', async () => {
    const { kysely, other } = await openShop(createPostgresSchema);
    await kysely.connection().execute(async (held) => {
      await sql`begin`.execute(held);
      await add(100)(held);
    });
    await withTransaction(kysely, add(1));
    expect(await readTotal(other)).toBe(1);
  });

  it('retries on SQLite while another connection writes', async () => {
    const { kysely, other } = await openShop(createSqliteDatabase);
    await sql`pragma busy_timeout = 0`.execute(kysely);
    const held = other.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      await add(1)(connection);
      await wait(200);
      await sql`commit`.execute(connection);
    });
    await wait(20);
    await withTransaction(kysely, add(1));
    await held;
    expect(await readTotal(other)).toBe(2);
  });

  it('sets the limits on PostgreSQL for the transaction only', async () => {
    const { kysely } = await openShop(createPostgresSchema);
    const readLimits = async (db: Kysely<ShopTables>) => {
      const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
      const settings = names.map((name) => sql`current_setting(${sql.lit(name)})`);
      const { rows } = await sql`select array[${sql.join(settings)}] as found`.execute(db);
      return (rows[0] as { found: unknown }).found;
    };
    const before = await readLimits(kysely);
    expect(await withTransaction(kysely, readLimits)).toEqual(['2s', '5s', '5s']);
    const limits = { lockMs: 300, statementMs: undefined };
    expect(await withTransaction(kysely, readLimits, { limits })).toEqual(['300ms', '5s', '5s']);
    expect(await readLimits(kysely)).toEqual(before);
  });

  it('retries on PostgreSQL after a lock timeout', async () => {
    const { kysely, other } = await openShop(createPostgresSchema);
    let runs = 0;
    let unlock = () => {};
    const locked = new Promise<void>((ready) => {
      void withTransaction(other, async (transaction) => {
        await add(1)(transaction);
        ready();
        await new Promise<void>((done) => {
          unlock = done;
        });
      });
    });
    await locked;
    const work = (transaction: Kysely<ShopTables>) => {
      if (++runs === 2) unlock();
      return add(1)(transaction);
    };
    await withTransaction(kysely, work, { limits: { lockMs: 200 } });
    expect([runs, await readTotal(kysely)]).toEqual([2, 2]);
  });

  it.each<readonly [string, unknown, object, string]>([
    ['no Kysely instance', undefined, {}, 'withTransaction needs a Kysely instance'],
    ['another database', mysql(), {}, 'withTransaction supports PostgreSQL and SQLite'],
    ['a wrong limit', mysql(), { dialect: 'postgres', limits: { lockMs: 0 } }, 'as limits.lockMs'],
  ])('rejects %s', async (_, kysely, options, message) => {
    const done = withTransaction(kysely as Kysely<unknown>, async () => {}, options);
    await expect(done).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining(message),
    });
  });
});

function mysql(): unknown {
  const kysely = {
    withoutPlugins: () => kysely,
    getExecutor: () => ({ adapter: new MysqlAdapter() }),
  };
  return kysely;
}

describe.each(sqlDatabases)('withWriteLock on %s', (_, empty) => {
  it('waits for other writers, whose orders it must know to match others', async () => {
    const { connect } = await empty();
    const store = sqlOrderStore(connect());
    await store.readSyncState();
    let end = () => {};
    let begun = () => {};
    const isAtIt = new Promise<void>((done) => {
      begun = done;
    });
    const first = withWriteLock(
      withoutPlugins(toSqlDatabase('sqlOrderStore', connect(), {}, processRuntime)),
      () =>
        new Promise<void>((done) => {
          end = done;
          begun();
        }),
    );
    await isAtIt;
    let isWritten = false;
    const second = store.recordOrders([onRampOrder()], baseTime).then(() => {
      isWritten = true;
    });
    await wait(300);
    expect(isWritten).toBe(false);
    end();
    await Promise.all([first, second]);
    expect(await store.listOrders({ limit: 9 })).toHaveLength(1);
  });
});
