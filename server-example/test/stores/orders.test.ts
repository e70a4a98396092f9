import type { PendingChange } from '@partner-ramp/react/server';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database/sqlDatabases.js';
import { createChange, createIntent } from '../support/createChange.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';

interface Buyer {
  readonly id: string;
  readonly visitor: string;
}
const shopper = (id: string): Buyer => ({ id, visitor: id });

describe.each(databases)("The shop's tables in %s", (name, empty) => {
  let target: TestDatabase;
  let shop: Instance;
  beforeEach(async () => {
    target = await empty();
    shop = await openInstance(target);
  });

  /**
   * Opens another instance on the same database. With SQLite, returns the first instance instead: in one process, a
   * connection that waits for a lock also blocks the connection that has the lock.
   */
  const another = async () => (name === 'SQLite' ? shop : openInstance(target));
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

  it('apply a change once that is delivered repeatedly and concurrently', async () => {
    const others = await Promise.all([another(), another(), another()]);
    await Promise.all([shop, ...others].map(({ applyChange }) => applyChange(createChange())));
    await shop.applyChange(createChange());
    expect(await deliveries()).toMatchObject([{ order_id: 'o1', reference: 'r1', subject: 'u1' }]);
    expect(await cases()).toEqual([]);
  });

  it('identify a change by its key, and ignore another change with the same key', async () => {
    await shop.applyChange(createChange());
    const { key } = createChange();
    await shop.applyChange({
      ...createChange({ orderId: 'o2', reference: 'r2', type: 'MINT' }),
      key,
    });
    expect((await deliveries()).map(({ order_id }) => order_id)).toEqual(['o1']);
  });

  it('roll back a change that fails, so that its next delivery is applied', async () => {
    const { schema } = shop.database.db;
    await schema.alterTable('shop_deliveries').renameTo('shop_elsewhere').execute();
    await expect(shop.applyChange(createChange())).rejects.toThrow();
    expect((await shop.prints.listStates('u1')).size).toBe(0);
    await schema.alterTable('shop_elsewhere').renameTo('shop_deliveries').execute();
    await shop.applyChange(createChange());
    expect(await deliveries()).toHaveLength(1);
    expect((await shop.prints.listStates('u1')).get('print-0175')).toEqual({ state: 'yours' });
  });

  it('record the settlement time of an order, with any sequence of its changes', async () => {
    await shop.applyChange(createChange());
    expect(Number((await deliveries())[0]?.settled_at)).toBe(0);
    shop.clock.at += 500;
    await shop.applyChange(createChange({ state: 'settled' }));
    await shop.applyChange(
      createChange({ orderId: 'o2', reference: 'r2', type: 'MINT', state: 'settled' }),
    );
    await shop.applyChange(
      createChange({ orderId: 'o2', reference: 'r2', type: 'MINT', state: 'finished' }),
    );
    const times = (await deliveries()).map(({ delivered_at, settled_at }) => [
      Number(delivered_at),
      Number(settled_at),
    ]);
    expect(times).toEqual([
      [at, at + 500],
      [at + 500, at + 500],
    ]);
  });

  it('sell a print that exists once to the first order, and open a case for the second', async () => {
    await shop.applyChange(createChange());
    await shop.applyChange(createChange({ orderId: 'o2', reference: 'r2', subject: 'u2' }));
    await shop.applyChange(
      createChange({ orderId: 'o2', reference: 'r2', subject: 'u2', state: 'settled' }),
    );
    expect((await deliveries()).map(({ order_id }) => order_id)).toEqual(['o1']);
    expect(await cases()).toMatchObject([
      { order_id: 'o2', reference: 'r2', reason: 'sold-before', handled_at: null },
    ]);
    expect((await shop.prints.listStates('u1')).get('print-0175')).toEqual({ state: 'yours' });
    expect((await shop.prints.listStates('u2')).get('print-0175')).toEqual({ state: 'sold' });
    await shop.store.saveIntent(createIntent({ reference: 'r2', subject: 'u2' }));
    expect(await shop.orders.find('u2', ['r2'])).toMatchObject([{ isSoldBefore: true }]);
    expect(await shop.orders.find('u1', ['r2'])).toEqual([]);
  });

  it('say that a print was sold before, although another order of the checkout has another problem', async () => {
    await shop.applyChange(createChange());
    await shop.applyChange(createChange({ orderId: 'o2', reference: 'r2', subject: 'u2' }));
    const third = createChange({ orderId: 'o3', reference: 'r2', subject: 'u2' });
    const quarantine = { matchStatus: 'quarantined', reason: 'wallet' } as const;
    await shop.applyChange({
      ...third,
      ...quarantine,
      record: { ...third.record, ...quarantine },
    } as PendingChange);
    expect(await cases()).toHaveLength(2);
    await shop.store.saveIntent(createIntent({ reference: 'r2', subject: 'u2' }));
    expect(await shop.orders.find('u2', ['r2'])).toMatchObject([{ isSoldBefore: true }]);
    expect(await shop.orders.find('u1', ['r2'])).toEqual([]);
  });

  it('open a case for a later order of one checkout, which the shopper may have paid by mistake', async () => {
    const first = { type: 'MINT', orderId: 'o1', reference: 'r1' } as const;
    await shop.applyChange(createChange(first));
    await shop.applyChange(createChange({ ...first, orderId: 'o2', isLaterOrder: true }));
    expect((await deliveries()).map(({ order_id }) => order_id)).toEqual(['o1', 'o2']);
    expect(await cases()).toMatchObject([
      { order_id: 'o2', reference: 'r1', reason: 'paid-again', handled_at: null },
    ]);
  });

  it('sell a print that exists once to one of two concurrent orders on two instances', async () => {
    const other = await another();
    await Promise.all([
      shop.applyChange(createChange()),
      other.applyChange(createChange({ orderId: 'o2', reference: 'r2', subject: 'u2' })),
    ]);
    expect([await deliveries(), await cases()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('sell a minted print any number of times', async () => {
    await shop.applyChange(createChange({ type: 'MINT' }));
    await shop.applyChange(
      createChange({ type: 'MINT', orderId: 'o2', reference: 'r2', subject: 'u2' }),
    );
    expect(await deliveries()).toHaveLength(2);
    expect((await shop.prints.listStates('u1')).size).toBe(0);
  });

  it('open a case for a quarantined order, and deliver nothing', async () => {
    const { key, tries, record } = createChange();
    const quarantined = { matchStatus: 'quarantined', reason: 'nft', field: 'tokenId' } as const;
    const { order, firstSeenAt, changedAt } = record;
    await shop.applyChange({
      ...{ key, tries, matchStatus: 'quarantined', intent: createIntent() },
      record: { ...quarantined, reference: 'r1', order, firstSeenAt, changedAt },
    });
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([{ order_id: 'o1', reason: 'nft', field: 'tokenId' }]);
    expect((await shop.prints.listStates('u1')).size).toBe(0);
  });

  /** Creates a change of an order that is not delivered. */
  function createOther(
    matchStatus: 'unmatched' | 'unknown',
    key: string,
    state: 'finished' | 'unknown' = 'unknown',
  ): PendingChange {
    const { tries, record, intent } = createChange();
    const { firstSeenAt, changedAt } = record;
    const other = { key, tries, matchStatus, ...(matchStatus === 'unknown' && { intent }) };
    const match = { matchStatus, ...(matchStatus === 'unknown' && { reference: 'r1' }) };
    const order = { ...record.order, state };
    return { ...other, record: { ...match, order, firstSeenAt, changedAt } } as PendingChange;
  }

  it('open a case for an unmatched order, and close it once the order is matched and delivered', async () => {
    await shop.applyChange(createOther('unmatched', 'o1:finished', 'finished'));
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([
      { order_id: 'o1', reason: 'unmatched', reference: '', subject: null },
    ]);
    const found = createChange();
    const record = { ...found.record, wasUnmatched: true };
    await shop.applyChange({ ...found, record, key: 'o1:finished:rematched' } as PendingChange);
    expect(await deliveries()).toMatchObject([{ order_id: 'o1' }]);
    expect(await cases()).toEqual([]);
  });

  it('do not deliver an order that was refunded while it was unmatched', async () => {
    const found = createChange();
    const record = { ...found.record, wasUnmatched: true, resolution: 'refunded' };
    await shop.applyChange({ ...found, record } as PendingChange);
    expect(await deliveries()).toEqual([]);
  });

  it('open a case for an unknown status, which the next known state closes', async () => {
    await shop.applyChange(createOther('unknown', 'o1:unknown'));
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([{ reason: 'unknown', reference: 'r1', subject: 'u1' }]);
    await shop.applyChange(createChange());
    expect(await deliveries()).toHaveLength(1);
    expect(await cases()).toEqual([]);
  });

  it('open a case again for an unknown status after its end', async () => {
    await shop.applyChange(createChange());
    await shop.applyChange(createOther('unknown', 'o1:unknown'));
    await shop.database.db
      .updateTable('shop_cases')
      .set({ handled_at: at, outcome: 'closed', note: 'fine' })
      .execute();
    await shop.applyChange(createOther('unknown', 'o1:unknown:12'));
    expect(await deliveries()).toHaveLength(1);
    expect(await cases()).toMatchObject([{ reason: 'unknown', handled_at: null, note: 'fine' }]);
  });
});
