import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { baseTime, onRampIntent, onRampOrder } from './orderFixtures.js';

/** Tests how a store keeps checkout intents. */
export function testIntentConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('intents', () => {
    it('are stored completely, once each', async () => {
      const store = await open();
      const intent = onRampIntent({
        proposal: { walletAddress: '0xAbC0000000000000000000000000000000000001' },
        expectedAmount: '0.10',
        expectedFiatCurrency: 'EUR',
        metadata: { cart: [1, 'é', null], deep: { a: '' } },
      });
      await store.saveIntent(intent);
      expect(await store.findCheckout('r1')).toEqual({ intent, orders: [] });
      await expect(store.saveIntent(intent)).rejects.toThrow();
      expect(await store.findCheckout('r2')).toBeUndefined();
    });

    it('are copies that callers cannot change', async () => {
      const store = await open();
      const metadata = { cart: [1] };
      await store.saveIntent(onRampIntent({ metadata }));
      metadata.cart.push(2);
      const found: unknown = await store.findCheckout('r1');
      (found as { intent: { metadata: typeof metadata } }).intent.metadata.cart.push(3);
      expect((await store.findCheckout('r1'))?.intent.metadata).toEqual({ cart: [1] });
    });

    it('are open until they expire or have an order', async () => {
      const store = await open();
      expect(await store.hasOpenCheckouts(baseTime)).toBe(false);
      await store.saveIntent(onRampIntent({ expiresAt: baseTime + 10 }));
      expect(await store.hasOpenCheckouts(baseTime)).toBe(true);
      expect(await store.hasOpenCheckouts(baseTime + 10)).toBe(false);
      await store.recordOrders([onRampOrder()], baseTime);
      expect(await store.hasOpenCheckouts(baseTime)).toBe(false);
    });

    it('have outcomes that only advance, and never after an order', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent({ expiresAt: baseTime }));
      await store.recordOutcome('r1', 'unconfirmed', baseTime - 5);
      await store.recordOutcome('r1', 'unconfirmed', baseTime - 4);
      await store.recordOutcome('unknown', 'unconfirmed', baseTime - 4);
      expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
      expect(await store.expireCheckouts(baseTime - 1)).toBe(0);
      expect(await store.expireCheckouts(baseTime)).toBe(1);
      expect(await store.expireCheckouts(baseTime)).toBe(0);
      await store.recordOutcome('r1', 'unconfirmed', baseTime + 1);
      expect((await store.findCheckout('r1'))?.outcome).toBe('expired');
      const marks = (await store.listEventsAfter(0, 10)).map(({ outcome }) => outcome);
      expect(marks).toEqual(['unconfirmed', 'expired']);
      // An order may still finish late.
      expect(await store.recordOrders([onRampOrder()], baseTime + 5)).toBe(1);
      await store.saveIntent(onRampIntent({ reference: 'r2', expiresAt: baseTime }));
      await store.recordOrders([onRampOrder({ orderId: 'o2', ext: 'r2' })], baseTime + 5);
      expect(await store.expireCheckouts(baseTime + 9)).toBe(0);
    });
  });
}
