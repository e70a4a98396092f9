import { channel } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import { handleChanges } from '../support/server/handleChanges.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { findWork } from '../support/server/syncStates.js';

const orderChanges = channel('partner-ramp:order-change');

export function testMatchingConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('matched orders', () => {
    it('match an NFT checkout only once, also within one page', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const second = nftOrder('finished', { orderId: 'o2' });
      await store.recordOrders([nftOrder('finished'), second], baseTime);
      await store.recordOrders([nftOrder('finished', { orderId: 'o3' })], baseTime);
      // The first order advances to `settled`, and stays matched.
      await store.recordOrders([nftOrder('settled')], baseTime);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { orderId: 'o1', state: 'settled' } },
        { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o2' } },
        { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o3' } },
      ]);
    });

    it('are published on the channel partner-ramp:order-change once their state is stored', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const seen: [unknown, Promise<number>][] = [];
      const listen = (message: unknown) => {
        const stored = store.listPendingChanges(baseTime + 9, 9);
        seen.push([message, stored.then((changes) => changes.length)]);
      };
      orderChanges.subscribe(listen);
      onTestFinished(() => void orderChanges.unsubscribe(listen));
      const page = [nftOrder('finished'), nftOrder('finished', { orderId: 'o2', ext: undefined })];
      const countStored = () => Promise.all(seen.map(([, stored]) => stored));
      await store.recordOrders(page, baseTime);
      await store.recordOrders(page, baseTime);
      expect(await countStored()).toEqual([2, 2]);
      await store.recordOrders([nftOrder('settled')], baseTime + 1);
      expect(await countStored()).toEqual([2, 2, 3]);
      expect(seen.map(([message]) => message)).toMatchObject([
        { key: 'o1:finished', matchStatus: 'matched', reference: 'r1' },
        { key: 'o2:finished', matchStatus: 'quarantined', reason: 'second-order' },
        { key: 'o1:settled', state: 'settled' },
      ]);
    });

    it('in an unknown state do not block other matches, and keep the checkout open', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([nftOrder('unknown')], baseTime);
      expect((await findWork(store)).hasOpenCheckouts).toBe(true);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([{ matchStatus: 'unknown' }]);
      expect(await store.listPendingChanges(baseTime, 9)).toMatchObject([
        { key: 'o1:unknown', matchStatus: 'unknown', checkout: { reference: 'r1' } },
      ]);
      await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], baseTime);
      expect((await findWork(store)).hasOpenCheckouts).toBe(false);
      await store.recordOrders([nftOrder('finished')], baseTime);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'quarantined', reason: 'second-order', order: { orderId: 'o1' } },
        { matchStatus: 'matched', order: { orderId: 'o2' } },
      ]);
    });

    it('stay matched with the checkout that they were recorded for', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const order = (state: 'finished' | 'settled') => nftOrder(state, { ext: undefined });
      await store.recordOrders([order('finished')], baseTime);
      // Another checkout with the same merchantOrderNo must not take over the order.
      await store.saveCheckout(nftCheckout({ reference: 'r2' }));
      await store.recordOrders([order('settled')], baseTime + 1);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { state: 'settled' } },
      ]);
      expect((await store.findCheckout('r2'))?.orders).toEqual([]);
      // A new order with this merchantOrderNo belongs to the newest checkout.
      await store.recordOrders(
        [nftOrder('finished', { orderId: 'o2', ext: undefined })],
        baseTime + 2,
      );
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([{ matchStatus: 'matched' }]);
    });

    it('stay matched when a later entry of the same page no longer names the checkout', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const nameless = { ext: undefined, details: { merchantOrderNo: undefined } };
      const page = [nftOrder('finished', { ext: undefined }), nftOrder('settled', nameless)];
      await store.recordOrders(page, baseTime);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'quarantined', field: 'merchantOrderNo', order: { state: 'settled' } },
      ]);
    });

    it('are matched as soon as their checkout is known', async () => {
      const store = await open();
      const order = (state: 'finished' | 'settled') => nftOrder(state, { ext: undefined });
      await store.recordOrders([order('finished')], baseTime);
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([order('settled')], baseTime + 1);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', firstSeenAt: baseTime, order: { state: 'settled' } },
      ]);
      expect((await findWork(store)).hasOpenCheckouts).toBe(false);
    });

    it('in the same state are matched, and delivered, once their checkout is there', async () => {
      const store = await open();
      const page = [nftOrder('finished'), onRampOrder({ orderId: 'o2', ext: 'r2' })];
      expect(await store.recordOrders(page, baseTime)).toBe(2);
      const unmatched = await store.listPendingChanges(baseTime, 9);
      await handleChanges(store, unmatched);
      // A backup was restored: the checkouts are there, and the list has the same orders.
      await store.saveCheckout(nftCheckout());
      await store.saveCheckout(onRampCheckout({ reference: 'r2', expectedAmount: '90' }));
      expect(await store.recordOrders(page, baseTime + 1)).toBe(2);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', wasUnmatched: true, firstSeenAt: baseTime },
      ]);
      const changes = await store.listPendingChanges(baseTime + 1, 9);
      expect(changes).toMatchObject([
        { key: 'o1:finished:rematched', matchStatus: 'matched', checkout: { reference: 'r1' } },
        { key: 'o2:finished:rematched', matchStatus: 'quarantined', checkout: { reference: 'r2' } },
      ]);
      // The shop has handled the keys of the unmatched orders, so these must be others.
      for (const { key } of unmatched) expect(changes.map(({ key }) => key)).not.toContain(key);
      expect((await findWork(store)).hasOpenCheckouts).toBe(true);
      expect(await store.recordOrders(page, baseTime + 2)).toBe(0);
      // The checkout has its order now, so a second one cannot buy the NFT again.
      await store.recordOrders([nftOrder('finished', { orderId: 'o3' })], baseTime + 3);
      expect((await store.findCheckout('r1'))?.orders.at(-1)).toMatchObject({
        reason: 'second-order',
      });
    });

    it('whose status is not known after their end are reported once, and stay in their state', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.saveCheckout(onRampCheckout({ reference: 'r2' }));
      const crypto = onRampOrder({ orderId: 'o2', ext: 'r2' });
      const stranger = onRampOrder({ orderId: 'o3', ext: 'r3' });
      await store.recordOrders([nftOrder('settled'), crypto, stranger], baseTime);
      await handleChanges(store, await store.listPendingChanges(baseTime, 9));
      const unknown = (orderStatus: number) =>
        [nftOrder(), crypto, stranger].map((order) => ({
          ...order,
          orderStatus,
          state: 'unknown' as const,
        }));
      expect(await store.recordOrders(unknown(11), baseTime + 1)).toBe(3);
      expect(await store.recordOrders(unknown(11), baseTime + 2)).toBe(0);
      const pending = await store.listPendingChanges(baseTime + 1, 9);
      expect(pending).toMatchObject([
        { key: 'o1:unknown', matchStatus: 'unknown', checkout: { reference: 'r1' } },
        { key: 'o2:unknown', matchStatus: 'unknown', record: { order: { orderStatus: 11 } } },
        { key: 'o3:unknown', matchStatus: 'unmatched' },
      ]);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { state: 'settled' }, unknownStatuses: [11] },
      ]);
      expect((await findWork(store)).unsettledSince).toBeUndefined();
      // Another status is another change.
      await handleChanges(store, pending);
      expect(await store.recordOrders(unknown(12), baseTime + 3)).toBe(3);
      const keys = ['o1:unknown:12', 'o2:unknown:12', 'o3:unknown:12'];
      const changes = await store.listPendingChanges(baseTime + 3, 9);
      expect(changes.map(({ key }) => key)).toEqual(keys);
    });

    it('sell an NFT once, even if the first match differs later', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([nftOrder('finished')], baseTime);
      await store.recordOrders([nftOrder('settled', { details: { mintQuantity: 9 } })], baseTime);
      await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], baseTime);
      const { orders = [] } = (await store.findCheckout('r1')) ?? {};
      expect(orders).toMatchObject([{ reason: 'nft' }, { reason: 'second-order' }]);
    });
  });
}
