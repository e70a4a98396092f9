import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { baseTime, nftIntent, nftOrder } from './orderFixtures.js';

/** Tests how a store matches orders with checkouts. */
export function testMatchingConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('matched orders', () => {
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
  });
}
