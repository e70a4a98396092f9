import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';
import { purgeBefore } from '../support/server/purgeBefore.js';
import { findWork } from '../support/server/syncStates.js';

export function testVolumeConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('many checkouts', () => {
    it('keep a quarantined order when any number of them is purged', async () => {
      const store = await open();
      const references = Array.from({ length: 600 }, (_, i) => `r${i}`);
      for (const reference of references)
        await store.saveCheckout(onRampCheckout({ reference, expiresAt: baseTime - 1000 }));
      const isPaid = (_: string, i: number) => i % 2 === 0;
      const orders = references
        .filter(isPaid)
        .map((ext) => onRampOrder({ orderId: `o-${ext}`, ext, walletAddress: '0xother' }));
      await store.recordOrders(orders, baseTime);
      await purgeBefore(store, baseTime);
      for (const [i, reference] of references.entries()) {
        const found = await store.findCheckout(reference);
        expect(found !== undefined).toBe(isPaid(reference, i));
      }
    });

    it('expire and are purged in any number', async () => {
      const store = await open();
      for (let i = 0; i < 1100; i++)
        await store.saveCheckout(
          onRampCheckout({ reference: `r${i}`, expiresAt: baseTime - 1099 + i }),
        );
      expect(await store.expireCheckouts(baseTime)).toBe(1100);
      expect((await findWork(store)).hasOpenCheckouts).toBe(false);
      await purgeBefore(store, baseTime);
      expect(await store.findCheckout('r0')).toBeUndefined();
      expect(await store.findCheckout('r1098')).toBeUndefined();
      expect(await store.findCheckout('r1099')).toMatchObject({ outcome: 'expired' });
    });
  });

  describe('many orders', () => {
    it('are recorded from pages of any length', async () => {
      const store = await open();
      for (let i = 0; i < 1201; i += 3)
        await store.saveCheckout(onRampCheckout({ reference: `r${i}` }));
      const page = Array.from({ length: 1201 }, (_, i) =>
        onRampOrder({ orderId: `o${i}`, ext: `r${i}` }),
      );
      expect(await store.recordOrders([], baseTime)).toBe(0);
      expect(await store.recordOrders(page, baseTime)).toBe(1201);
      expect(await store.recordOrders(page, baseTime)).toBe(0);
      const changes = await store.listPendingChanges(baseTime, 2000);
      expect(changes).toHaveLength(1201);
      expect(changes.filter(({ matchStatus }) => matchStatus === 'matched')).toHaveLength(401);
    });
  });
}
