import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OrderRecord, OrderStore } from '../../../src/server/index.js';
import { at, nftIntent, nftOrder, onRampIntent, onRampOrder } from '../../support/orders.js';

const all = { limit: 100 };

/** What every store does with orders. */
export function orderConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('orders', () => {
    it('are found by their ext, then by their order number', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent());
      await store.saveIntent(nftIntent({ reference: 'r2' }));
      const byNumber = nftOrder('finished', { orderId: 'o2', ext: 'not ours' });
      expect(await store.recordOrders([onRampOrder(), byNumber], at)).toBe(2);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { order: { orderId: 'o1' } },
      ]);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([
        { standing: 'matched', order: { orderId: 'o2' } },
      ]);
    });

    it('are recorded whole, each digit of them', async () => {
      const store = await open();
      const order = onRampOrder({ cryptoCurrencyAmount: '0.123456789012345678', gasFee: '1.20' });
      await store.recordOrders([order], at);
      expect(await store.listOrders(all)).toEqual([
        { standing: 'foreign', order, firstSeenAt: at, changedAt: at },
      ]);
    });

    it('change nothing when they come again, and move forward alone', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      expect(await store.recordOrders([nftOrder('settlement')], at)).toBe(1);
      expect(await store.recordOrders([nftOrder('settlement'), nftOrder('finished')], at + 1)).toBe(
        0,
      );
      expect(await store.recordOrders([nftOrder('settled'), nftOrder('settled')], at + 2)).toBe(1);
      const [record, ...others] = (await store.findCheckout('r1'))?.orders ?? [];
      expect(others).toEqual([]);
      expect(record).toMatchObject({
        order: { state: 'settled' },
        firstSeenAt: at,
        changedAt: at + 2,
      });
      const states = (await store.eventsAfter(0, 10)).map(({ record }) => record?.order.state);
      expect(states).toEqual(['settlement', 'settled']);
    });

    it('of one NFT intent are matched once, also within one page', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      const second = nftOrder('finished', { orderId: 'o2' });
      await store.recordOrders([nftOrder('finished'), second], at);
      await store.recordOrders([nftOrder('finished', { orderId: 'o3' })], at);
      // The first one moves on as it was.
      await store.recordOrders([nftOrder('settled')], at);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { standing: 'matched', order: { orderId: 'o1', state: 'settled' } },
        { standing: 'quarantined', reason: 'second-order', order: { orderId: 'o2' } },
        { standing: 'quarantined', reason: 'second-order', order: { orderId: 'o3' } },
      ]);
    });

    it('in a state that nobody named keep no other from being matched, and the checkout open', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      await store.recordOrders([nftOrder('unknown')], at);
      expect(await store.hasOpenCheckouts(at)).toBe(true);
      await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], at);
      expect(await store.hasOpenCheckouts(at)).toBe(false);
      await store.recordOrders([nftOrder('finished')], at);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { standing: 'quarantined', reason: 'second-order', order: { orderId: 'o1' } },
        { standing: 'matched', order: { orderId: 'o2' } },
      ]);
    });

    it('stay with the checkout that they were recorded for', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      const order = (state: 'finished' | 'settled') => nftOrder(state, { ext: undefined });
      await store.recordOrders([order('finished')], at);
      // The shopper opened the checkout of the same order number again.
      await store.saveIntent(nftIntent({ reference: 'r2' }));
      await store.recordOrders([order('settled')], at + 1);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { standing: 'matched', order: { state: 'settled' } },
      ]);
      expect((await store.findCheckout('r2'))?.orders).toEqual([]);
      // What is new belongs to the newest.
      await store.recordOrders([nftOrder('finished', { orderId: 'o2', ext: undefined })], at + 2);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([{ standing: 'matched' }]);
    });

    it('stay with it also within a page in which they come again and name it no more', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      const nameless = { ext: undefined, details: { merchantOrderNo: undefined } };
      const page = [nftOrder('finished', { ext: undefined }), nftOrder('settled', nameless)];
      await store.recordOrders(page, at);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { standing: 'quarantined', field: 'merchantOrderNo', order: { state: 'settled' } },
      ]);
    });

    it('belong to a checkout once it is known', async () => {
      const store = await open();
      const order = (state: 'finished' | 'settled') => nftOrder(state, { ext: undefined });
      await store.recordOrders([order('finished')], at);
      await store.saveIntent(nftIntent());
      await store.recordOrders([order('settled')], at + 1);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { standing: 'matched', firstSeenAt: at, order: { state: 'settled' } },
      ]);
      expect(await store.hasOpenCheckouts(at + 1)).toBe(false);
    });

    it('sell an NFT once, also when what was matched first differs later', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      await store.recordOrders([nftOrder('finished')], at);
      await store.recordOrders([nftOrder('settled', { details: { mintQuantity: 9 } })], at);
      await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], at);
      const { orders = [] } = (await store.findCheckout('r1')) ?? {};
      expect(orders).toMatchObject([{ reason: 'nft' }, { reason: 'second-order' }]);
    });

    it('have whatever names the service and shoppers give them', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent());
      // Random letters: PostgreSQL compresses a repeated one, and would index it.
      const long = randomBytes(6750).toString('base64url');
      const names = ['a\0b', '\ud800', '\'"%_\\', 'é€😀', long, `${long}x`, 'o1'];
      const named = names.map((name) => onRampOrder({ orderId: name, ext: name }));
      const nft = nftOrder('finished', {
        orderId: 'n1',
        ext: '\0',
        details: { merchantOrderNo: 'n\0' },
      });
      expect(await store.recordOrders([...named, nft], at)).toBe(8);
      expect(await store.recordOrders([...named, nft], at)).toBe(0);
      const listed = await store.listOrders(all);
      expect(listed.map(({ order }) => order.ext).sort()).toEqual([...names, '\0'].sort());
      const pending = await store.pendingChanges(at, 100);
      expect(pending.map(({ record }) => record.order.orderId)).toEqual([...names, 'n1']);
      for (const { key } of pending) await store.settleChanges([key]);
      expect(await store.pendingChanges(at, 100)).toEqual([]);
      for (const name of names) expect(await store.findCheckout(name)).toBeUndefined();
      // One with such a name is matched, and moves on, like any other.
      const odd = { orderId: 'é\0', ext: 'r2' };
      await store.saveIntent(nftIntent({ reference: 'r2' }));
      await store.recordOrders([nftOrder('finished', odd)], at);
      await store.recordOrders([nftOrder('settled', odd)], at);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([
        { standing: 'matched', order: { orderId: 'é\0', state: 'settled' } },
      ]);
    });

    it('are listed for an operator, newest first, by what they are', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent());
      await store.recordOrders([onRampOrder({ orderId: 'a' })], at);
      await store.recordOrders([onRampOrder({ orderId: 'b', walletAddress: '0x2' })], at + 1);
      await store.recordOrders([onRampOrder({ orderId: 'c', ext: undefined })], at + 2);
      const ids = async (query: Parameters<OrderStore['listOrders']>[0]) =>
        (await store.listOrders(query)).map(({ order }) => order.orderId);
      expect(await ids(all)).toEqual(['c', 'b', 'a']);
      expect(await ids({ limit: 1 })).toEqual(['c']);
      const [newest] = await store.listOrders({ limit: 1 });
      expect(await ids({ limit: 9, ...(newest && { before: newest }) })).toEqual(['b', 'a']);
      const place = { changedAt: at + 1, order: { orderId: 'b' } };
      expect(await ids({ limit: 9, before: place })).toEqual(['a']);
      expect(await ids({ limit: 9, standing: 'quarantined' })).toEqual(['b']);
      expect(await ids({ limit: 9, standing: 'foreign' })).toEqual(['c']);
    });

    it('are listed page by page, however many were recorded at once', async () => {
      const store = await open();
      const orderIds = Array.from({ length: 25 }, (_, i) => `o${i}`);
      await store.recordOrders(
        orderIds.map((orderId) => onRampOrder({ orderId })),
        at,
      );
      await store.recordOrders([onRampOrder({ orderId: 'newest' })], at + 1);
      const seen: OrderRecord[] = [];
      for (let page = 0; page < 7; page++) {
        const before = seen.at(-1);
        seen.push(...(await store.listOrders({ limit: 4, ...(before && { before }) })));
      }
      const ids = seen.map(({ order }) => order.orderId);
      expect(ids[0]).toBe('newest');
      expect(ids.slice(1).sort()).toEqual(orderIds.sort());
    });

    it('tell since when an NFT is not settled', async () => {
      const store = await open();
      expect(await store.oldestUnsettled(0)).toBeUndefined();
      const nft = (orderId: string, state: 'finished' | 'settled', finishTime: number) =>
        nftOrder(state, {
          orderId,
          finishTime,
          ext: undefined,
          details: { merchantOrderNo: orderId },
        });
      await store.recordOrders(
        [nft('a', 'settled', at - 9), nft('b', 'finished', at - 8), nft('c', 'finished', at - 7)],
        at,
      );
      await store.recordOrders([onRampOrder({ orderId: 'd', finishTime: at - 20 })], at);
      expect(await store.oldestUnsettled(0)).toBe(at - 8);
      expect(await store.oldestUnsettled(at - 7)).toBe(at - 7);
      await store.recordOrders([nft('b', 'settled', at - 8)], at);
      expect(await store.oldestUnsettled(0)).toBe(at - 7);
      // The service leaves a time empty that it has not.
      const unfinished = { orderId: 'e', ext: undefined, finishTime: undefined };
      const times = { payTime: at - 6, deliverTime: at - 5 };
      await store.recordOrders(
        [nft('c', 'settled', at - 7), nftOrder('finished', { ...unfinished, ...times })],
        at,
      );
      expect(await store.oldestUnsettled(0)).toBe(at - 5);
    });
  });
}
