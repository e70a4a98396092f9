import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { operatorService, orderCases, recordFailure } from 'operator-page';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../../test/support/server/orderFixtures.js';
import { shopperErasures } from '../../src/erasure/shopperErasures.js';
import { operatorShop } from '../../src/orders/operatorShop.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';

const person = 'person.a';
const wallet = '0x00000000000000000000000000000000000a11ce';
const DAY = 86_400;
/** The order store uses the machine's clock. */
const today = Math.floor(Date.now() / 1000);

const checkoutOf = (reference: string, subject = person) =>
  onRampCheckout({
    reference,
    subject,
    params: { walletAddress: wallet, walletAddressLocked: '1' },
    createdAt: today,
    expiresAt: today + DAY,
  });
const printCheckout = (reference: string, subject = person) =>
  nftCheckout({
    reference,
    subject,
    params: { type: 'MARKET', merchantUniqueId: 'print-0175', transferWalletAddress: wallet },
    createdAt: today,
    expiresAt: today + DAY,
  });

/**
 * Lists the tables of this test's schema. Kysely's introspection reads all schemas, and fails if a parallel test drops
 * one of them.
 */
async function listTables(db: Kysely<never>): Promise<string[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const { rows } = await (isPostgres
    ? sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Reads all rows of the store's and the shop's tables. Returns each row as the name of its table, followed by the row
 * as JSON.
 */
async function readRows(db: Kysely<never>): Promise<string[]> {
  const rows: string[] = [];
  for (const name of (await listTables(db)).filter((table) => /^(ramp|shop)_/.test(table))) {
    const all = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    rows.push(...all.rows.map((row) => `${name} ${JSON.stringify(row)}`));
  }
  return rows.sort();
}

describe.each(databases)('The erasure of a shopper on %s', (_, empty) => {
  let shop: Instance;
  beforeEach(async () => {
    shop = await openInstance(await empty());
  });

  const setUp = () => {
    const { database, store, now } = shop;
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const erasures = shopperErasures({ database, store, onError });
    const cases = orderCases(database, store, now);
    const findTraces = async () =>
      (await readRows(database.db as unknown as Kysely<never>)).filter((row) =>
        [person, 'person', wallet].some((trace) => row.includes(trace)),
      );
    return { erasures, cases, findTraces };
  };
  const paid = (reference: string, given: object = {}) =>
    onRampOrder({ orderId: `o-${reference}`, ext: reference, walletAddress: wallet, ...given });
  const paidPrint = (reference: string) =>
    nftOrder('settled', {
      orderId: `o-${reference}`,
      ext: reference,
      walletAddress: wallet,
      nftDetails: [
        { type: 'MARKET', merchantUniqueId: 'print-0175', transferWalletAddress: wallet },
      ],
    });

  it('leaves nothing of the shopper in the store and in the shop, and the sale of a print', async () => {
    const { erasures, findTraces } = setUp();
    for (const checkout of [checkoutOf('top-up'), checkoutOf('unopened'), printCheckout('print')])
      await shop.store.saveCheckout(checkout);
    await shop.prints.reserve('print-0175', { id: person });
    await shop.take(paid('top-up'), paidPrint('print'));
    expect(await erasures.erase(person)).toEqual({ erased: 3, open: [] });
    expect(await findTraces()).toEqual([]);
    expect((await shop.prints.listStates('other')).get('print-0175')).toEqual({ state: 'sold' });
    await shop.take(paid('top-up'), paidPrint('print'));
    expect(await findTraces()).toEqual([]);
    expect(await erasures.erase(person)).toEqual({ erased: 0, open: [] });
  });

  it('lets the operator see an order that is paid after the erasure', async () => {
    const { erasures, cases } = setUp();
    await shop.store.saveCheckout(checkoutOf('late'));
    await erasures.erase(person);
    await shop.take(paid('late'));
    expect(await cases.listOpen(9)).toMatchObject([{ orderId: 'o-late', reason: 'no-checkout' }]);
  });

  it('leaves the amounts and the delivery of an order for the operator', async () => {
    const { erasures } = setUp();
    const { database, store, now } = shop;
    const webhookLog = { listLatest: async () => [], countRefused: async () => 0 };
    const never = { begunAt: undefined, endedAt: undefined, syncedAt: undefined, failures: 0 };
    const ramp = {
      status: async () => ({ nextAt: at, why: 'first', ...never }) as const,
      sync: async () => ({ ran: false }) as const,
    };
    const operator = operatorService({
      ...{ database, store, ramp, now, webhookLog },
      shop: operatorShop(database),
    });
    await store.saveCheckout(checkoutOf('top-up'));
    await shop.take(paid('top-up'));
    await erasures.erase(person);
    const found = {
      orderId: 'o-top-up',
      fulfilment: 'delivered',
      matchStatus: 'erased',
      paid: '100.00 USD',
      deliveredAt: at,
    };
    expect((await operator.listOrders({})).orders).toMatchObject([found]);
    expect((await operator.search(['o-top-up'])).unmatched).toMatchObject([found]);
    const details = await operator.readDetails({ orderId: 'o-top-up' });
    expect(details).toMatchObject({ order: found, others: [] });
    expect(details?.order).not.toHaveProperty('wallet');
    expect(await operator.readDetails({ reference: 'top-up' })).toBeUndefined();
  });

  it('leaves the rows of other shoppers unchanged', async () => {
    const { erasures } = setUp();
    await shop.store.saveCheckout(printCheckout('theirs', 'other.a'));
    await shop.prints.reserve('print-0175', { id: 'other.a' });
    await shop.take(paidPrint('theirs'));
    const before = await readRows(shop.database.db as unknown as Kysely<never>);
    await shop.store.saveCheckout(checkoutOf('top-up'));
    await erasures.erase(person);
    const after = await readRows(shop.database.db as unknown as Kysely<never>);
    expect(before.filter((row) => !after.includes(row))).toEqual([]);
  });

  it('delivers an order that is paid after the request, and then erases it', async () => {
    const { erasures, findTraces } = setUp();
    await shop.store.saveCheckout(checkoutOf('open'));
    await shop.store.markOpened('open', at);
    expect(await erasures.erase(person)).toEqual({
      erased: 0,
      open: [{ reference: 'open', orderIds: [] }],
    });
    await shop.take(paid('open'));
    const delivered = shop.database.db.selectFrom('shop_deliveries').selectAll();
    expect(await delivered.execute()).toMatchObject([{ subject: person, reference: 'open' }]);
    await erasures.finish();
    expect(await findTraces()).toEqual([]);
    expect(await delivered.execute()).toMatchObject([{ order_id: 'o-open', subject: '' }]);
    await erasures.finish();
  });

  it('erases why an order could not be delivered, once nothing keeps its checkout', async () => {
    const { erasures, findTraces } = setUp();
    const { db } = shop.database;
    await shop.store.saveCheckout(checkoutOf('failing'));
    await shop.store.recordOrders([paid('failing')], at);
    const [change] = await shop.store.listPendingChanges(at, 1);
    if (!change) throw new Error('There is no change.');
    const order = { orderId: 'o-failing', checkout: change.checkout };
    await recordFailure(shop.database, order, new Error(`No row for ${person}`), at);
    expect(await erasures.erase(person)).toMatchObject({ open: [{ orderIds: ['o-failing'] }] });
    const failures = db.selectFrom('shop_failures').selectAll();
    expect(await failures.execute()).toHaveLength(1);
    // Remove the change without a delivery, as if an instance of another version had delivered the order.
    await shop.store.handleChange(change, async () => ({ deliveredAt: at }));
    await erasures.finish();
    expect(await failures.execute()).toEqual([]);
    expect(await findTraces()).toEqual([]);
  });

  it('waits for an open case, of a quarantined order and of a print that was sold before', async () => {
    const { erasures, cases, findTraces } = setUp();
    await shop.store.saveCheckout(printCheckout('first', 'other.a'));
    await shop.store.saveCheckout(printCheckout('second'));
    await shop.store.saveCheckout(checkoutOf('differs'));
    await shop.take(
      paidPrint('first'),
      paidPrint('second'),
      paid('differs', { walletAddress: '0x9' }),
    );
    const { open } = await erasures.erase(person);
    expect(open.map(({ reference }) => reference)).toEqual(['second', 'differs']);
    const note = `Refunded to ${wallet}`;
    await cases.handle('o-second', { outcome: 'refunded', note });
    await erasures.finish();
    expect(await shop.store.findCheckout('second')).toBeDefined();
    await cases.handle('o-differs', { outcome: 'refunded', note });
    await erasures.finish();
    // Another shopper, who opened the checkout `first`, has the same wallet. Ignore the rows of this checkout.
    expect((await findTraces()).filter((row) => !/first/.test(row))).toEqual([]);
  });

  it('repeats a request whose erasure failed', async () => {
    const { findTraces } = setUp();
    const { database, store } = shop;
    await store.saveCheckout(checkoutOf('unopened'));
    let isDown = true;
    const erasures = shopperErasures({
      database,
      onError() {},
      store: {
        async eraseSubject(...call) {
          if (isDown) throw new Error('the database is down');
          return store.eraseSubject(...call);
        },
      },
    });
    await expect(erasures.erase(person)).rejects.toThrow('down');
    isDown = false;
    await erasures.finish();
    expect(await findTraces()).toEqual([]);
  });

  it('continues with the other shoppers when one cannot be erased', async () => {
    const { database, store } = shop;
    const onError = vi.fn();
    let refused = ['a-shopper', person];
    const erasures = shopperErasures({
      database,
      onError,
      store: {
        async eraseSubject(subject) {
          if (refused.includes(subject)) throw new Error(`not now: ${subject}`);
          return store.eraseSubject(subject);
        },
      },
    });
    for (const subject of refused) await erasures.erase(subject).catch(() => {});
    refused = ['a-shopper'];
    await erasures.finish();
    expect(onError.mock.calls).toEqual([[new Error('not now: a-shopper')]]);
    const left = await database.db.selectFrom('shop_erasures').selectAll().execute();
    expect(left.map(({ subject }) => subject)).toEqual(['a-shopper']);
  });
});
