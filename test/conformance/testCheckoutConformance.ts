import { describe, expect, it } from 'vitest';
import { parseSelection } from '../../src/protocol/handler/parseSelection.js';
import type { OrderStore } from '../../src/server/index.js';
import { announceOrder } from '../support/server/announceOrder.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';
import { findWork } from '../support/server/syncStates.js';

export function testCheckoutConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('checkouts', () => {
    it('are stored completely, once each', async () => {
      const store = await open();
      const checkout = onRampCheckout({
        proposal: { walletAddress: '0xAbC0000000000000000000000000000000000001' },
        selection: parseSelection('on-ramp', { defaultCurrency: 'ETH', amountFixed: '0.10' }),
        expectedAmount: '0.10',
        expectedFiatCurrency: 'EUR',
        metadata: { cart: [1, 'é', null], deep: { a: '' } },
      });
      await store.saveCheckout(checkout);
      expect(await store.findCheckout('r1')).toEqual({ ...checkout, orders: [] });
      expect(await store.findCheckout('r1')).toMatchObject({
        selection: { defaultCurrency: 'ETH', amountFixed: '0.10' },
      });
      await expect(store.saveCheckout(checkout)).rejects.toThrow();
      expect(await store.findCheckout('r2')).toBeUndefined();
    });

    it('are found for their own subject only', async () => {
      const store = await open();
      const checkout = onRampCheckout();
      await store.saveCheckout(checkout);
      await store.recordOrders([onRampOrder()], baseTime);
      const { subject } = checkout;
      const whole = await store.findCheckout('r1');
      expect(whole?.orders).toHaveLength(1);
      expect(await store.findCheckout('r1', { subject })).toEqual(whole);
      expect(await store.findCheckout('r1', { subject: undefined })).toEqual(whole);
      expect(await store.findCheckout('r1', { subject: 'a stranger' })).toBeUndefined();
      expect(await store.findCheckout('r1', { subject: '' })).toBeUndefined();
      expect(await store.findCheckout('r2', { subject })).toBeUndefined();
    });

    it('are copies that callers cannot change', async () => {
      const store = await open();
      const metadata = { cart: [1] };
      await store.saveCheckout(onRampCheckout({ metadata }));
      metadata.cart.push(2);
      const found: unknown = await store.findCheckout('r1');
      (found as { metadata: typeof metadata }).metadata.cart.push(3);
      expect((await store.findCheckout('r1'))?.metadata).toEqual({ cart: [1] });
    });

    it('are open until they are recorded as expired or have an order', async () => {
      const store = await open();
      const isOpen = async () => (await findWork(store)).hasOpenCheckouts;
      expect(await isOpen()).toBe(false);
      // A checkout whose time is over counts until a sync has recorded that, because its order may be listed before.
      await store.saveCheckout(onRampCheckout({ expiresAt: baseTime - 900 }));
      expect(await isOpen()).toBe(true);
      await store.markUnconfirmed(['r1']);
      expect(await store.expireCheckouts(baseTime - 901)).toBe(0);
      expect(await isOpen()).toBe(true);
      await store.expireCheckouts(baseTime - 900);
      expect(await isOpen()).toBe(false);
      for (const reference of ['r2', 'r3']) await store.saveCheckout(onRampCheckout({ reference }));
      await store.recordOrders([onRampOrder({ ext: 'r2' })], baseTime);
      expect(await isOpen()).toBe(true);
      // A quarantined order does not close its checkout.
      const foreign = { orderId: 'o2', ext: 'r3', walletAddress: '0x0' };
      await store.recordOrders([onRampOrder(foreign)], baseTime);
      expect(await isOpen()).toBe(true);
      await store.recordOrders([onRampOrder({ orderId: 'o3', ext: 'r3' })], baseTime);
      expect(await isOpen()).toBe(false);
    });

    it('keep when an order was announced, until one is recorded', async () => {
      const store = await open();
      const list = (since: number) => store.listAnnouncedOrders(since, 10);
      const find = async (announcedSince = 0) =>
        (await store.findWork({ announcedSince, unsettledSince: 0 })).announcedAt;
      for (const reference of ['r1', 'r2', 'r3'])
        await store.saveCheckout(onRampCheckout({ reference, expiresAt: baseTime }));
      await announceOrder(store, 'unknown', baseTime);
      expect(await find()).toBeUndefined();
      await announceOrder(store, 'r2', baseTime + 1);
      expect(await find()).toBe(baseTime + 1);
      await announceOrder(store, 'r1', baseTime + 2);
      await announceOrder(store, 'r1', baseTime + 9);
      expect([await find(), await find(baseTime + 2)]).toEqual([baseTime + 2, baseTime + 2]);
      expect(await store.findCheckout('r1')).toMatchObject({
        announcedAt: baseTime + 2,
        openedAt: baseTime + 2,
      });
      expect(await list(0)).toEqual(['r2', 'r1']);
      expect(await store.listAnnouncedOrders(0, 1)).toEqual(['r2']);
      expect([await list(baseTime + 2), await list(baseTime + 3)]).toEqual([['r1'], []]);
      expect(await find(baseTime + 3)).toBeUndefined();
      // After an outcome was recorded, and even after the checkouts expired, the store still waits for the announced
      // orders.
      await store.markUnconfirmed(['r2']);
      await store.expireCheckouts(baseTime + 4);
      expect([await list(0), await find()]).toEqual([[], baseTime + 2]);
      await store.recordOrders([onRampOrder({ ext: 'r1' })], baseTime + 5);
      expect(await find()).toBe(baseTime + 1);
      // A quarantined order also ends the wait for the order of r2.
      await store.recordOrders(
        [onRampOrder({ orderId: 'o2', ext: 'r2', walletAddress: '0x0' })],
        baseTime + 5,
      );
      expect(await find()).toBeUndefined();
      expect(await store.findCheckout('r3')).not.toHaveProperty('announcedAt');
    });

    it('are announced together with the hash of the webhook, also if that hash is known', async () => {
      const store = await open();
      for (const reference of ['r1', 'r2']) await store.saveCheckout(onRampCheckout({ reference }));
      expect(await store.claimReplay('h', baseTime + 600, baseTime, 'r1')).toBe(true);
      expect(await store.findCheckout('r1')).toMatchObject({ announcedAt: baseTime });
      expect(await store.claimReplay('h', baseTime + 600, baseTime + 1, 'r2')).toBe(false);
      expect(await store.findCheckout('r2')).toMatchObject({ announcedAt: baseTime + 1 });
    });

    it('have outcomes that only advance, and never after an order', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout({ expiresAt: baseTime }));
      await store.markUnconfirmed([]);
      expect(await store.findCheckout('r1')).not.toHaveProperty('outcome');
      await store.markUnconfirmed(['r1', 'unknown']);
      expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
      expect(await store.expireCheckouts(baseTime - 1)).toBe(0);
      expect(await store.expireCheckouts(baseTime)).toBe(1);
      expect(await store.expireCheckouts(baseTime)).toBe(0);
      await store.markUnconfirmed(['r1']);
      expect((await store.findCheckout('r1'))?.outcome).toBe('expired');
      // An order that finishes after the checkout has expired is still recorded.
      expect(await store.recordOrders([onRampOrder()], baseTime + 5)).toBe(1);
      await store.saveCheckout(onRampCheckout({ reference: 'r2', expiresAt: baseTime }));
      await store.recordOrders([onRampOrder({ orderId: 'o2', ext: 'r2' })], baseTime + 5);
      await store.markUnconfirmed(['r2']);
      expect(await store.expireCheckouts(baseTime + 9)).toBe(0);
      expect(await store.findCheckout('r2')).not.toHaveProperty('outcome');
    });

    it('do not count as opened when they expire or become unconfirmed', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout({ expiresAt: baseTime }));
      await store.markUnconfirmed(['r1']);
      expect(await store.findCheckout('r1')).not.toHaveProperty('openedAt');
      await store.expireCheckouts(baseTime);
      expect(await store.findCheckout('r1')).not.toHaveProperty('openedAt');
    });
  });
}
