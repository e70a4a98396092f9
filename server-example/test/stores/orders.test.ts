import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database/sqlDatabases.js';
import { createShopTables } from '../../src/database/createShopTables.js';
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

  /** Opens another instance on the same database. A file allows only one connection per process. */
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

  it('get the columns that tables of an earlier version do not have', async () => {
    const { database, prints } = shop;
    await database.db.schema.alterTable('shop_reservations').dropColumn('busy_since').execute();
    await createShopTables(database);
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
    const { orders } = await shop.orders.list('u2');
    expect(orders).toMatchObject([{ reference: 'r2', isSoldBefore: true }]);
  });

  it('open a case for a later order of one checkout, which the shopper may have paid by mistake', async () => {
    const first = { type: 'MINT', orderId: 'o1', reference: 'r1' } as const;
    await shop.applyChange(createChange(first));
    await shop.applyChange(createChange({ ...first, orderId: 'o2', firstOrderId: 'o1' }));
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
    const { record, ...rest } = createChange();
    const quarantined = { matchStatus: 'quarantined', reason: 'nft', field: 'tokenId' } as const;
    const { order, firstSeenAt, changedAt } = record;
    await shop.applyChange({
      ...rest,
      record: { ...quarantined, reference: 'r1', order, firstSeenAt, changedAt },
    });
    expect(await deliveries()).toEqual([]);
    expect(await cases()).toMatchObject([{ order_id: 'o1', reason: 'nft', field: 'tokenId' }]);
    expect((await shop.prints.listStates('u1')).size).toBe(0);
  });

  it('ignore an unmatched order', async () => {
    const { key, tries, record } = createChange();
    const { order, firstSeenAt, changedAt } = record;
    await shop.applyChange({
      key,
      tries,
      record: { matchStatus: 'unmatched', order, firstSeenAt, changedAt },
    });
    expect([await deliveries(), await cases()]).toEqual([[], []]);
  });

  describe('reserve a print', () => {
    it('for one of many concurrent shoppers, on any instance', async () => {
      const other = await another();
      const states = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 ? shop : other).prints.reserve('print-0175', shopper(`u${i}`)),
        ),
      );
      expect(states.filter(({ state }) => state === 'for-sale')).toHaveLength(1);
      expect(states.filter(({ state }) => state === 'held')).toHaveLength(19);
    });

    it('for 15 minutes after the last request of its shopper', async () => {
      const { prints, clock } = shop;
      expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'for-sale' });
      clock.at += 600;
      expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'for-sale' });
      clock.at += 899;
      const heldUntil = at + 1500;
      expect(await prints.reserve('print-0175', shopper('u2'))).toEqual({
        state: 'held',
        heldUntil,
      });
      expect((await prints.listStates('u2')).get('print-0175')).toEqual({
        state: 'held',
        heldUntil,
      });
      expect((await prints.listStates('u1')).size).toBe(0);
      clock.at += 1;
      expect(await prints.reserve('print-0175', shopper('u2'))).toEqual({ state: 'for-sale' });
      expect((await prints.reserve('print-0175', shopper('u1'))).state).toBe('held');
    });

    it('for at most half an hour, then for an hour only for other visitors', async () => {
      const { prints, clock } = shop;
      const [a, b] = ['u1', 'u1-other'].map((id) => ({ id, visitor: 'u1' })) as [Buyer, Buyer];
      await prints.reserve('print-0175', a);
      clock.at = at + 870;
      expect(await prints.reserve('print-0175', a)).toEqual({ state: 'for-sale' });
      clock.at = at + 1500;
      expect(await prints.reserve('print-0175', a)).toEqual({ state: 'for-sale' });
      const heldUntil = at + 1800;
      expect((await prints.listStates('u2')).get('print-0175')).toEqual({
        state: 'held',
        heldUntil,
      });
      const paused = { state: 'paused', pausedUntil: heldUntil + 3600 };
      for (const time of [1501, 1799, 1800, 5399]) {
        clock.at = at + time;
        expect(await prints.reserve('print-0175', a)).toEqual(paused);
        if (time >= 1800) expect(await prints.reserve('print-0175', b)).toEqual(paused);
      }
      expect((await prints.listStates('u2')).size).toBe(0);
      clock.at = at + 5400;
      expect(await prints.reserve('print-0175', b)).toEqual({ state: 'for-sale' });
    });

    it('with reservations separated by short gaps counted as one', async () => {
      const { prints, clock } = shop;
      await prints.reserve('print-0175', shopper('u1'));
      clock.at = at + 1000;
      expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'for-sale' });
      const heldUntil = at + 1800;
      expect((await prints.listStates('u2')).get('print-0175')).toEqual({
        state: 'held',
        heldUntil,
      });
    });

    it('for another visitor while the previous one is paused', async () => {
      const { prints, clock } = shop;
      await prints.reserve('print-0175', shopper('u1'));
      clock.at = at + 1801;
      expect((await prints.reserve('print-0175', shopper('u1'))).state).toBe('paused');
      expect(await prints.reserve('print-0175', shopper('u2'))).toEqual({ state: 'for-sale' });
      const heldUntil = at + 1801 + 900;
      expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({
        state: 'held',
        heldUntil,
      });
    });

    it('for at most an hour by visitors in turns, then for an hour for no one', async () => {
      const { prints, clock } = shop;
      const inTurns = ['x', 'y', 'z'].map((id) => shopper(id));
      const honest = shopper('honest');
      const minutes: number[] = [];
      for (let minute = 0; minute < 120; minute++) {
        clock.at = at + minute * 60;
        for (const buyer of inTurns) await prints.reserve('print-0175', buyer);
        if ((await prints.listStates('honest')).size > 0) minutes.push(minute);
      }
      expect(minutes).toEqual(Array.from({ length: 60 }, (_, minute) => minute));
      expect(await prints.reserve('print-0175', honest)).toEqual({ state: 'for-sale' });
      clock.at = at + 7200;
      expect(await prints.reserve('print-0175', honest)).toEqual({ state: 'for-sale' });
      expect((await prints.listStates('x')).get('print-0175')?.state).toBe('held');
    });

    it('by one visitor after another for any time, if it is free in between', async () => {
      const { prints, clock } = shop;
      for (let turn = 0; turn < 12; turn++) {
        clock.at = at + turn * 1200;
        await prints.reserve('print-0175', shopper(`u${turn}`));
        expect((await prints.listStates('other')).get('print-0175')?.state).toBe('held');
      }
    });

    it('for no shopper once it is sold, including its buyer', async () => {
      await shop.prints.reserve('print-0175', shopper('u1'));
      await shop.applyChange(createChange());
      expect(await shop.prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'yours' });
      shop.clock.at += 1000;
      expect(await shop.prints.reserve('print-0175', shopper('u2'))).toEqual({ state: 'sold' });
    });
  });

  describe("list a shopper's orders", () => {
    it('page by page, newest first, without the orders of other shoppers', async () => {
      const references = Array.from({ length: 19 }, (_, i) => `r${100 + i}`);
      for (const reference of references)
        await shop.applyChange(createChange({ orderId: reference, reference, type: 'MINT' }));
      await shop.applyChange(createChange({ reference: 'theirs', subject: 'u2' }));
      const seen: string[] = [];
      for (let isMore = true; isMore; ) {
        const page = await shop.orders.list('u1', seen.at(-1));
        seen.push(...page.orders.map(({ reference }) => reference));
        isMore = page.isMore;
      }
      expect(seen).toEqual(references.reverse());
      // The cursor of another shopper is ignored.
      expect((await shop.orders.list('u2', seen.at(-1))).orders).toHaveLength(1);
    });

    it('once the page records an opened checkout, for two days if it is unpaid', async () => {
      await shop.store.saveIntent(createIntent());
      expect(await shop.orders.recordCheckout('r1', 'u2')).toBe(false);
      expect(await shop.orders.recordCheckout('r9', 'u1')).toBe(false);
      expect((await shop.orders.list('u1')).orders).toEqual([]);
      expect(await shop.orders.recordCheckout('r1', 'u1')).toBe(true);
      expect(await shop.orders.recordCheckout('r1', 'u1')).toBe(true);
      expect((await shop.orders.list('u1')).orders).toEqual([
        {
          reference: 'r1',
          openedAt: at - 60,
          print: { number: '0175', title: 'Survey of a Quiet Hill', quantity: 1 },
          isSoldBefore: false,
        },
      ]);
      shop.clock.at += 3 * 86_400;
      expect((await shop.orders.list('u1')).orders).toEqual([]);
      await shop.applyChange(createChange());
      expect((await shop.orders.list('u1')).orders).toHaveLength(1);
    });
  });
});
