import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OrderRecord, OrderStore } from '../../../src/server/index.js';
import { baseTime, nftIntent, nftOrder, onRampIntent, onRampOrder } from './orderFixtures.js';

const all = { limit: 100 };

/** What every store does with orders. */
export function testOrderConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('orders', () => {
    it('are found by their ext, then by their order number', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent());
      await store.saveIntent(nftIntent({ reference: 'r2' }));
      const byNumber = nftOrder('finished', { orderId: 'o2', ext: 'not ours' });
      expect(await store.recordOrders([onRampOrder(), byNumber], baseTime)).toBe(2);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { order: { orderId: 'o1' } },
      ]);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { orderId: 'o2' } },
      ]);
    });

    it('are recorded whole, each digit of them', async () => {
      const store = await open();
      const order = onRampOrder({ cryptoCurrencyAmount: '0.123456789012345678', gasFee: '1.20' });
      await store.recordOrders([order], baseTime);
      expect(await store.listOrders(all)).toEqual([
        { matchStatus: 'unmatched', order, firstSeenAt: baseTime, changedAt: baseTime },
      ]);
    });

    it('change nothing when they come again, and move forward alone', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      expect(await store.recordOrders([nftOrder('settlement')], baseTime)).toBe(1);
      expect(
        await store.recordOrders([nftOrder('settlement'), nftOrder('finished')], baseTime + 1),
      ).toBe(0);
      expect(
        await store.recordOrders([nftOrder('settled'), nftOrder('settled')], baseTime + 2),
      ).toBe(1);
      const [record, ...others] = (await store.findCheckout('r1'))?.orders ?? [];
      expect(others).toEqual([]);
      expect(record).toMatchObject({
        order: { state: 'settled' },
        firstSeenAt: baseTime,
        changedAt: baseTime + 2,
      });
      const states = (await store.listEventsAfter(0, 10)).map(({ record }) => record?.order.state);
      expect(states).toEqual(['settlement', 'settled']);
    });

    it('of one NFT intent are matched once, also within one page', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      const second = nftOrder('finished', { orderId: 'o2' });
      await store.recordOrders([nftOrder('finished'), second], baseTime);
      await store.recordOrders([nftOrder('finished', { orderId: 'o3' })], baseTime);
      // The first one moves on as it was.
      await store.recordOrders([nftOrder('settled')], baseTime);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { orderId: 'o1', state: 'settled' } },
        { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o2' } },
        { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o3' } },
      ]);
    });

    it('in a state that nobody named keep no other from being matched, and the checkout open', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      await store.recordOrders([nftOrder('unknown')], baseTime);
      expect(await store.hasOpenCheckouts(baseTime)).toBe(true);
      await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], baseTime);
      expect(await store.hasOpenCheckouts(baseTime)).toBe(false);
      await store.recordOrders([nftOrder('finished')], baseTime);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o1' } },
        { matchStatus: 'matched', order: { orderId: 'o2' } },
      ]);
    });

    it('stay with the checkout that they were recorded for', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      const order = (state: 'finished' | 'settled') => nftOrder(state, { ext: undefined });
      await store.recordOrders([order('finished')], baseTime);
      // The shopper opened the checkout of the same order number again.
      await store.saveIntent(nftIntent({ reference: 'r2' }));
      await store.recordOrders([order('settled')], baseTime + 1);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { state: 'settled' } },
      ]);
      expect((await store.findCheckout('r2'))?.orders).toEqual([]);
      // What is new belongs to the newest.
      await store.recordOrders(
        [nftOrder('finished', { orderId: 'o2', ext: undefined })],
        baseTime + 2,
      );
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([{ matchStatus: 'matched' }]);
    });

    it('stay with it also within a page in which they come again and name it no more', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      const nameless = { ext: undefined, details: { merchantOrderNo: undefined } };
      const page = [nftOrder('finished', { ext: undefined }), nftOrder('settled', nameless)];
      await store.recordOrders(page, baseTime);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'quarantined', field: 'merchantOrderNo', order: { state: 'settled' } },
      ]);
    });

    it('belong to a checkout once it is known', async () => {
      const store = await open();
      const order = (state: 'finished' | 'settled') => nftOrder(state, { ext: undefined });
      await store.recordOrders([order('finished')], baseTime);
      await store.saveIntent(nftIntent());
      await store.recordOrders([order('settled')], baseTime + 1);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', firstSeenAt: baseTime, order: { state: 'settled' } },
      ]);
      expect(await store.hasOpenCheckouts(baseTime + 1)).toBe(false);
    });

    it('sell an NFT once, also when what was matched first differs later', async () => {
      const store = await open();
      await store.saveIntent(nftIntent());
      await store.recordOrders([nftOrder('finished')], baseTime);
      await store.recordOrders([nftOrder('settled', { details: { mintQuantity: 9 } })], baseTime);
      await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], baseTime);
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
      expect(await store.recordOrders([...named, nft], baseTime)).toBe(8);
      expect(await store.recordOrders([...named, nft], baseTime)).toBe(0);
      const listed = await store.listOrders(all);
      expect(listed.map(({ order }) => order.ext).sort()).toEqual([...names, '\0'].sort());
      const pending = await store.listPendingChanges(baseTime, 100);
      expect(pending.map(({ record }) => record.order.orderId)).toEqual([...names, 'n1']);
      for (const { key } of pending) await store.acknowledgeChanges([key]);
      expect(await store.listPendingChanges(baseTime, 100)).toEqual([]);
      for (const name of names) expect(await store.findCheckout(name)).toBeUndefined();
      // One with such a name is matched, and moves on, like any other.
      const odd = { orderId: 'é\0', ext: 'r2' };
      await store.saveIntent(nftIntent({ reference: 'r2' }));
      await store.recordOrders([nftOrder('finished', odd)], baseTime);
      await store.recordOrders([nftOrder('settled', odd)], baseTime);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { orderId: 'é\0', state: 'settled' } },
      ]);
    });

    it('are listed for an operator, newest first, by what they are', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent());
      await store.recordOrders([onRampOrder({ orderId: 'a' })], baseTime);
      await store.recordOrders([onRampOrder({ orderId: 'b', walletAddress: '0x2' })], baseTime + 1);
      await store.recordOrders([onRampOrder({ orderId: 'c', ext: undefined })], baseTime + 2);
      const ids = async (query: Parameters<OrderStore['listOrders']>[0]) =>
        (await store.listOrders(query)).map(({ order }) => order.orderId);
      expect(await ids(all)).toEqual(['c', 'b', 'a']);
      expect(await ids({ limit: 1 })).toEqual(['c']);
      const [newest] = await store.listOrders({ limit: 1 });
      expect(await ids({ limit: 9, ...(newest && { before: newest }) })).toEqual(['b', 'a']);
      const place = { changedAt: baseTime + 1, order: { orderId: 'b' } };
      expect(await ids({ limit: 9, before: place })).toEqual(['a']);
      expect(await ids({ limit: 9, matchStatus: 'quarantined' })).toEqual(['b']);
      expect(await ids({ limit: 9, matchStatus: 'unmatched' })).toEqual(['c']);
    });

    it('are listed page by page, however many were recorded at once', async () => {
      const store = await open();
      const orderIds = Array.from({ length: 25 }, (_, i) => `o${i}`);
      await store.recordOrders(
        orderIds.map((orderId) => onRampOrder({ orderId })),
        baseTime,
      );
      await store.recordOrders([onRampOrder({ orderId: 'newest' })], baseTime + 1);
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
      expect(await store.findOldestUnsettled(0)).toBeUndefined();
      const nft = (orderId: string, state: 'finished' | 'settled', finishTime: number) =>
        nftOrder(state, {
          orderId,
          finishTime,
          ext: undefined,
          details: { merchantOrderNo: orderId },
        });
      await store.recordOrders(
        [
          nft('a', 'settled', baseTime - 9),
          nft('b', 'finished', baseTime - 8),
          nft('c', 'finished', baseTime - 7),
        ],
        baseTime,
      );
      await store.recordOrders(
        [onRampOrder({ orderId: 'd', finishTime: baseTime - 20 })],
        baseTime,
      );
      expect(await store.findOldestUnsettled(0)).toBe(baseTime - 8);
      expect(await store.findOldestUnsettled(baseTime - 7)).toBe(baseTime - 7);
      await store.recordOrders([nft('b', 'settled', baseTime - 8)], baseTime);
      expect(await store.findOldestUnsettled(0)).toBe(baseTime - 7);
      // The service leaves a time empty that it has not.
      const unfinished = { orderId: 'e', ext: undefined, finishTime: undefined };
      const times = { payTime: baseTime - 6, deliverTime: baseTime - 5 };
      await store.recordOrders(
        [nft('c', 'settled', baseTime - 7), nftOrder('finished', { ...unfinished, ...times })],
        baseTime,
      );
      expect(await store.findOldestUnsettled(0)).toBe(baseTime - 5);
    });
  });
}
