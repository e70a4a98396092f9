import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type OrderToDeliver,
} from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { sqlOrderStore, withTransaction } from '../../../../src/server/sql/index.js';
import {
  createPostgresSchema,
  createSqliteDatabase,
} from '../../../support/database/sqlDatabases.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

type Database = Kysely<unknown>;
type Dialect = 'sqlite' | 'postgres';

/** What `deliver` of a shop works with. */
interface Shop {
  readonly db: Database;
  readonly store: OrderStore;
  readonly order: OrderToDeliver;
  /** Books the order, as the guide shows. Call it with the connection of a transaction. */
  book(transaction: Database): Promise<unknown>;
  /**
   * Runs `work` in the transaction that `deliver` is given. A store in memory gives none, so the shop begins its own with
   * `withTransaction`.
   */
  inTransaction(work: (transaction: Database) => Promise<unknown>): Promise<unknown>;
  /** Runs `work` in a transaction of its own. */
  begin(work: (transaction: Database) => Promise<unknown>): Promise<unknown>;
  /** Lets the test call `check` after the delivery. */
  afterwards(check: () => Promise<unknown>): void;
}

/** How a shop misuses its transaction. Returns what `deliver` returns. */
type Mistake = (shop: Shop) => unknown;

const USED_INSIDE = /order store or the database itself was used, inside another transaction/;

const ignore = () => {};
/** A statement that fails, because its row is there already. */
const fail = (db: Database) => sql`insert into notes values (1)`.execute(db);
const ship = (db: Database, { orderId }: OrderToDeliver) =>
  sql`insert into shipments values (${orderId})`.execute(db);
const run = (text: string, db: Database) => sql.raw(text).execute(db);

/**
 * What a mistake leads to. `booked`: the order is booked, although the code is odd. A pattern: nothing is booked, the
 * order stays in the outbox, and an error with this message is reported, until the shop has mended its code.
 */
type Outcome = 'booked' | RegExp;

/** The outcomes that differ. A store in memory is like SQLite, where the shop has its own tables. */
type Outcomes = Outcome | { sqlite?: Outcome; postgres?: Outcome; memory?: Outcome };

const mistakes: Readonly<Record<string, readonly [Mistake, Outcomes]>> = {
  'catches the error of a statement before it books': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await fail(tx).catch(ignore);
        await book(tx);
      }),
    { sqlite: 'booked', postgres: /caught the error of a statement \(23505\)/ },
  ],
  'catches the error of a statement after it has booked': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await fail(tx).catch(ignore);
      }),
    { sqlite: 'booked', postgres: /caught the error of a statement \(23505\)/ },
  ],
  'catches the errors of several statements with Promise.allSettled': [
    ({ inTransaction, book }) =>
      inTransaction((tx) => Promise.allSettled([book(tx), fail(tx), fail(tx)])),
    { sqlite: 'booked', postgres: /caught the error of a statement \(23505\)/ },
  ],
  'catches the error of a query': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('select x from nowhere', tx).catch(ignore);
      }),
    { sqlite: 'booked', postgres: /caught the error of a statement \(42P01\)/ },
  ],
  'recovers from an error with a savepoint, which is right': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('savepoint note', tx);
        await fail(tx).catch(() => run('rollback to savepoint note', tx));
      }),
    'booked',
  ],
  'does not await its booking': [
    ({ inTransaction, book }) => inTransaction(async (tx) => void book(tx)),
    /settled before one of its statements/,
  ],
  'does not await its last statement': [
    ({ inTransaction, order }) =>
      inTransaction(async (tx) => {
        await sql`select 1`.execute(tx);
        void ship(tx, order);
      }),
    /settled before one of its statements/,
  ],
  'neither awaits a statement that fails, nor lets its error through': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        fail(tx).catch(ignore);
      }),
    /settled before one of its statements/,
  ],
  'books in forEach': [
    ({ inTransaction, order }) =>
      inTransaction(async (tx) => {
        [order].forEach(async (one) => {
          await sql`select 1`.execute(tx);
          await ship(tx, one);
        });
      }),
    /settled before one of its statements/,
  ],
  'does not wait for the slower one in Promise.race': [
    ({ inTransaction, book }) => inTransaction((tx) => Promise.race([book(tx), Promise.resolve()])),
    /settled before one of its statements/,
  ],
  'leaves the stream of a statement unread': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        const rows = (tx as Kysely<{ notes: { n: number } }>).selectFrom('notes').selectAll();
        const stream = rows.stream()[Symbol.asyncIterator]();
        await stream.next();
      }),
    { sqlite: /did not settle within/, postgres: /cursor/ },
  ],
  'rolls back itself': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('rollback', tx);
      }),
    /must not begin, commit or roll back/,
  ],
  'rolls back itself, catches the refusal and books': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await run('/* start again */ ROLLBACK TRANSACTION', tx).catch(ignore);
        await book(tx).catch(ignore);
      }),
    /must not begin, commit or roll back/,
  ],
  'commits itself and fails afterwards': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('commit', tx);
        throw new Error('later');
      }),
    /must not begin, commit or roll back/,
  ],
  'rolls back in one text with another statement': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run("insert into notes values (2); -- it's over\n rollback", tx).catch(ignore);
      }),
    /must not begin, commit or roll back/,
  ],
  'begins a transaction in its transaction': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await run('begin', tx).catch(ignore);
        await book(tx);
      }),
    /must not begin, commit or roll back/,
  ],
  'begins a transaction with Kysely, and catches the refusal': [
    ({ inTransaction, book }) =>
      inTransaction((tx) => tx.transaction().execute(book).catch(ignore)),
    /must not begin, commit or roll back/,
  ],
  'calls withTransaction in its transaction, and catches the refusal': [
    ({ inTransaction, begin, book }) => inTransaction(() => begin(book).catch(ignore)),
    /was called in the callback of another/,
  ],
  'calls withTransaction in its transaction, and fails afterwards': [
    ({ inTransaction, begin, order }) =>
      inTransaction(async () => {
        await begin((tx) => ship(tx, order));
        throw new Error('later');
      }),
    /was called in the callback of another/,
  ],
  'books on the database instead of its transaction': [
    ({ inTransaction, db, order }) => inTransaction(() => ship(db, order)),
    { sqlite: USED_INSIDE, postgres: 'booked' },
  ],
  'catches that the order store must not be used in its transaction': [
    ({ inTransaction, store, book }) =>
      inTransaction(async (tx) => {
        await store.findCheckout('r1').catch(ignore);
        await book(tx);
      }),
    { sqlite: USED_INSIDE, postgres: 'booked', memory: 'booked' },
  ],
  'uses the transaction after its end': [
    ({ inTransaction, afterwards, book, order }) =>
      inTransaction(async (tx) => {
        await book(tx);
        const late = wait(200).then(() => ship(tx, order));
        const refused = expect(late).rejects.toThrow('A transaction has ended');
        afterwards(() => refused);
      }),
    'booked',
  ],
  'books, and then throws': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        throw new Error('The mail server does not respond.');
      }),
    /The mail server does not respond/,
  ],
  'books, and then rejects without an error': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await Promise.reject(undefined);
      }),
    /undefined/,
  ],
  'throws before it returns a promise': [
    () => {
      throw new Error('no promise');
    },
    /no promise/,
  ],
  'never settles': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await new Promise(() => {});
      }),
    /did not settle within/,
  ],
  'breaks a constraint that is checked at the commit': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('insert into lines values (7)', tx);
      }),
    { sqlite: /FOREIGN KEY constraint failed/, postgres: /violates foreign key constraint/ },
  ],
  'catches that a trigger has rolled back the transaction, and books': [
    ({ inTransaction, book, order }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run("insert into guarded values ('x')", tx).catch(ignore);
        await ship(tx, order).catch(ignore);
      }),
    {
      sqlite: /was rolled back by SQLite/,
      postgres: /caught the error of a statement \(P0001\)/,
    },
  ],
  'catches the error of an insert that rolls back, and books': [
    ({ inTransaction, book, order }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('insert or rollback into notes values (1)', tx).catch(ignore);
        await ship(tx, order);
      }),
    { sqlite: /was rolled back by SQLite/ },
  ],
  'catches that the disk is full, and books': [
    ({ inTransaction, book, order }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('pragma max_page_count = 1', tx);
        const large = sql`insert into guarded values (zeroblob(1000000))`;
        await run('drop trigger guard', tx);
        await large.execute(tx).catch(ignore);
        await run('pragma max_page_count = 1000000', tx).catch(ignore);
        await ship(tx, order);
      }),
    { sqlite: /was rolled back by SQLite.*SQLITE_FULL/ },
  ],
  'catches that a statement took too long': [
    ({ inTransaction, book }) =>
      inTransaction(async (tx) => {
        await book(tx);
        await run('select pg_sleep(60)', tx).catch(ignore);
      }),
    { postgres: /caught the error of a statement \(57014\)/ },
  ],
};

const tables: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    `create trigger guard before insert on guarded begin select raise(rollback, 'no'); end`,
    'create table lines (id integer references notes (n) deferrable initially deferred)',
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    'create trigger guard before insert on guarded for each row execute function refuse()',
    'create table lines (id integer references notes (n) deferrable initially deferred)',
  ],
};

/** Short limits, so that a test of them is short as well. */
const limits = { workMs: 1500, statementMs: 500 };

async function openShop(dialect: Dialect, isInMemory: boolean) {
  const open = dialect === 'sqlite' ? createSqliteDatabase : createPostgresSchema;
  const db = (await open()).connect();
  const store: OrderStore = isInMemory ? memoryOrderStore() : sqlOrderStore(db, { limits });
  await run('create table shipments (order_id text)', db);
  await run('create table notes (n integer primary key)', db);
  await run('create table guarded (value text)', db);
  for (const statement of tables[dialect]) await run(statement, db);
  await run('insert into notes values (1)', db);
  await store.saveCheckout(onRampCheckout());
  return { db, store };
}

/** Tests each mistake of the table with a store in this database, or in memory beside the shop's own tables. */
export function testMistakes(dialect: Dialect, { isInMemory = false } = {}): void {
  const cases = Object.entries(mistakes).flatMap(([name, [mistake, outcomes]]) => {
    const { memory, ...each } =
      typeof outcomes === 'string' || outcomes instanceof RegExp
        ? { sqlite: outcomes, postgres: outcomes }
        : outcomes;
    const outcome = (isInMemory && memory) || each[dialect];
    return outcome ? [{ name, mistake, outcome }] : [];
  });

  it('are at least twenty', () => {
    expect(cases.length).toBeGreaterThanOrEqual(20);
  });

  it.each(cases)('$name: every acknowledged order is booked once', async ({ mistake, outcome }) => {
    const { db, store } = await openShop(dialect, isInMemory);
    let now = baseTime * 1000;
    let isMended = false;
    const errors: unknown[] = [];
    const checks: (() => Promise<unknown>)[] = [];
    const begin: Shop['begin'] = (work) => withTransaction(db, work, { limits });
    const tracker = createOrderTracker(
      {
        store,
        api: {
          async *eachOrder() {
            yield onRampOrder();
          },
        },
        onError: (error) => errors.push(error),
        review: (_, reason) => expect(reason).toBeUndefined(),
        deliver(order, transaction: Database | undefined) {
          const book = (tx: Database) => ship(tx, order);
          const inTransaction: Shop['inTransaction'] = async (work) =>
            transaction ? work(transaction) : begin(work);
          if (isMended) return inTransaction(book);
          const afterwards: Shop['afterwards'] = (check) => void checks.push(check);
          return mistake({ db, store, order, book, inTransaction, begin, afterwards });
        },
      },
      testRuntime({ now: () => now }),
    );
    const sync = async () => {
      await tracker.sync();
      now += 3_700_000;
    };
    const countBooked = async () => (await sql`select 1 from shipments`.execute(db)).rows.length;
    const countPending = async () =>
      (await store.listPendingChanges(Math.floor(now / 1000), 10)).length;

    await sync();
    await sync();
    for (const check of checks) await check();
    if (outcome === 'booked') {
      expect([await countBooked(), await countPending(), errors]).toEqual([1, 0, []]);
      return;
    }
    expect([await countBooked(), await countPending()]).toEqual([0, 1]);
    expect(errors).toHaveLength(2);
    expect(`${errors[0]} ${Object(errors[0]).cause}`).toMatch(outcome);

    isMended = true;
    await sync();
    await sync();
    expect([await countBooked(), await countPending(), errors.length]).toEqual([1, 0, 2]);
  });
}
