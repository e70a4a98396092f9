import { orderCases } from 'operator-page';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database/sqlDatabases.js';
import { onRampCheckout, onRampOrder } from '../../../../test/support/server/orderFixtures.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';
import { printCheckout, printOrder } from '../support/prints.js';

const shopper = (id: string) => ({ id });

describe.each(databases)("The shop's tables in %s", (name, empty) => {
  let target: TestDatabase;
  let shop: Instance;
  beforeEach(async () => {
    target = await empty();
    shop = await openInstance(target);
  });

  /**
   * Opens another instance on the same database. With SQLite, returns the first instance instead: in one process, a
   * connection that waits for a lock also blocks the connection that holds it.
   */
  const another = async () => (name === 'SQLite' ? shop : openInstance(target));
  /** Opens a checkout of each print, and takes its order. */
  async function sell(...prints: Parameters<typeof printCheckout>[0][]) {
    for (const fields of prints) await shop.store.saveCheckout(printCheckout(fields));
    await shop.take(...prints.map(printOrder));
  }
  const deliveries = () =>
    shop.database.db.selectFrom('shop_deliveries').selectAll().orderBy('order_id').execute();
  const cases = () =>
    shop.database.db.selectFrom('shop_cases').selectAll().orderBy('order_id').execute();

  it('are created once when several instances start concurrently', async () => {
    const fresh = await empty();
    const instances = await Promise.all([1, 2, 3, 4].map(() => openInstance(fresh)));
    for (const { prints } of instances)
      expect((await prints.reserve('print-0175', shopper('u1'))).state).toBe('for-sale');
  });

  it('deliver an order once that several instances deliver concurrently', async () => {
    const others = await Promise.all([another(), another(), another()]);
    await shop.store.saveCheckout(printCheckout());
    await shop.store.recordOrders([printOrder()], at);
    await Promise.all([shop, ...others].map(({ deliverDue }) => deliverDue()));
    await shop.take(printOrder({ state: 'settled' }));
    expect(await deliveries()).toMatchObject([{ order_id: 'o1', reference: 'r1', subject: 'u1' }]);
    expect(await cases()).toEqual([]);
  });

  it('roll back a delivery that fails, so that the next one succeeds', async () => {
    const { schema } = shop.database.db;
    await schema.alterTable('shop_deliveries').renameTo('shop_elsewhere').execute();
    await sell({});
    expect(await shop.store.listUndelivered({ limit: 9 })).toMatchObject([{ tries: 1 }]);
    expect((await shop.prints.listStates('u1')).size).toBe(0);
    await schema.alterTable('shop_elsewhere').renameTo('shop_deliveries').execute();
    shop.clock.at += 5;
    await shop.deliverDue();
    expect(await deliveries()).toHaveLength(1);
    expect((await shop.prints.listStates('u1')).get('print-0175')).toEqual({ state: 'yours' });
  });

  const second = { orderId: 'o2', reference: 'r2', subject: 'u2' } as const;

  it('sell a print that exists once to the first order, and open a case for the second', async () => {
    await sell({}, second);
    await shop.take(printOrder({ ...second, state: 'settled' }));
    expect((await deliveries()).map(({ order_id }) => order_id)).toEqual(['o1']);
    expect(await cases()).toMatchObject([
      { order_id: 'o2', reference: 'r2', reason: 'sold-before', handled_at: null },
    ]);
    expect((await shop.prints.listStates('u1')).get('print-0175')).toEqual({ state: 'yours' });
    expect((await shop.prints.listStates('u2')).get('print-0175')).toEqual({ state: 'sold' });
    expect(await shop.orders.find('u2', ['r2'])).toMatchObject([{ isSoldBefore: true }]);
    expect(await shop.orders.find('u1', ['r2'])).toEqual([]);
  });

  it('say that a print was sold before, although another order of the checkout has another problem', async () => {
    await sell({}, second);
    await shop.take(printOrder({ ...second, orderId: 'o3' }));
    expect(await cases()).toMatchObject([{ reason: 'sold-before' }, { reason: 'second-order' }]);
    expect(await shop.orders.find('u2', ['r2'])).toMatchObject([{ isSoldBefore: true }]);
    expect(await shop.orders.find('u1', ['r2'])).toEqual([]);
  });

  it('open a case for a later order of one checkout, which the shopper may have paid by mistake', async () => {
    await shop.store.saveCheckout(onRampCheckout());
    await shop.take(onRampOrder(), onRampOrder({ orderId: 'o2' }));
    expect((await deliveries()).map(({ order_id }) => order_id)).toEqual(['o1', 'o2']);
    expect(await cases()).toMatchObject([
      { order_id: 'o2', reference: 'r1', reason: 'paid-again', handled_at: null },
    ]);
  });

  it('sell a print that exists once to one of two concurrent orders on two instances', async () => {
    const other = await another();
    for (const fields of [{}, second]) await shop.store.saveCheckout(printCheckout(fields));
    await shop.store.recordOrders([printOrder(), printOrder(second)], at);
    await Promise.all([shop.deliverDue('o1'), other.deliverDue('o2')]);
    expect([await deliveries(), await cases()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('sell a minted print any number of times', async () => {
    await sell({ type: 'MINT' }, { ...second, type: 'MINT' });
    expect(await deliveries()).toHaveLength(2);
    expect((await shop.prints.listStates('u1')).size).toBe(0);
  });

  it('open a case for a quarantined order, and deliver nothing', async () => {
    await shop.store.saveCheckout(printCheckout({ tokenId: '175' }));
    await shop.take(printOrder({ tokenId: '176' }));
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([{ order_id: 'o1', reason: 'nft', field: 'tokenId' }]);
    expect((await shop.prints.listStates('u1')).size).toBe(0);
  });

  it('open a case for an unmatched order, and close it once the order is matched and delivered', async () => {
    await shop.take(printOrder());
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([
      { order_id: 'o1', reason: 'no-checkout', reference: '', subject: null },
    ]);
    await sell({});
    expect(await deliveries()).toMatchObject([{ order_id: 'o1' }]);
    expect(await cases()).toEqual([]);
  });

  it('do not deliver an order that was refunded while it was unmatched', async () => {
    const { database, store, now } = shop;
    await shop.take(printOrder());
    await orderCases(database, store, now).handle('o1', { outcome: 'refunded', note: '' });
    await sell({});
    expect(await store.listUndelivered({ limit: 9 })).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  it('open a case for an unknown status, which the next known state closes', async () => {
    await sell({ state: 'unknown' });
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([
      { reason: 'unknown-status', reference: 'r1', subject: 'u1' },
    ]);
    await shop.take(printOrder());
    expect(await deliveries()).toHaveLength(1);
    expect(await cases()).toEqual([]);
  });

  it('open a case again for an unknown status after its end', async () => {
    await sell({});
    await shop.take(printOrder({ state: 'unknown' }));
    await shop.database.db
      .updateTable('shop_cases')
      .set({ handled_at: at, note: 'fine' })
      .execute();
    await shop.take(printOrder({ state: 'unknown', orderStatus: 12 }));
    expect(await deliveries()).toHaveLength(1);
    expect(await cases()).toMatchObject([
      { reason: 'status-after-end', handled_at: null, note: 'fine' },
    ]);
  });
});
