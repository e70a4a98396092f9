import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import { announceOrder } from '../support/server/announceOrder.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';
import { purgeBefore } from '../support/server/purgeBefore.js';

export function testPurgeConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('purged checkouts', () => {
    it('are purged when they are old and have no order', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout({ expiresAt: baseTime - 100 }));
      await store.saveCheckout(onRampCheckout({ reference: 'r2', expiresAt: baseTime - 100 }));
      await store.saveCheckout(onRampCheckout({ reference: 'r3', expiresAt: baseTime }));
      await store.recordOrders([onRampOrder({ ext: 'r2' })], baseTime);
      await purgeBefore(store, baseTime - 50);
      expect(await store.findCheckout('r1')).toBeUndefined();
      expect(await store.findCheckout('r2')).toBeDefined();
      expect(await store.findCheckout('r3')).toBeDefined();
    });

    it('are purged earlier if they were never opened', async () => {
      const store = await open();
      for (const reference of ['unopened', 'opened', 'announced', 'paid', 'recent'])
        await store.saveCheckout(
          onRampCheckout({
            reference,
            expiresAt: reference === 'recent' ? baseTime : baseTime - 100,
          }),
        );
      await store.markOpened('opened', baseTime - 200);
      await store.markOpened('opened', baseTime - 150);
      await store.markOpened('nobody', baseTime - 150);
      await announceOrder(store, 'announced', baseTime - 200);
      await store.recordOrders([onRampOrder({ ext: 'paid' })], baseTime);
      expect(await store.findCheckout('opened')).toMatchObject({ openedAt: baseTime - 200 });
      expect(await store.findCheckout('announced')).toMatchObject({ openedAt: baseTime - 200 });
      expect(await store.findCheckout('unopened')).not.toHaveProperty('openedAt');

      await store.purge({
        before: baseTime - 300,
        unopenedBefore: baseTime - 50,
        replaysBefore: baseTime - 300,
      });
      expect(await store.findCheckout('unopened')).toBeUndefined();
      for (const kept of ['opened', 'announced', 'paid', 'recent'])
        expect(await store.findCheckout(kept)).toBeDefined();

      await purgeBefore(store, baseTime - 50);
      expect(await store.findCheckout('opened')).toBeUndefined();
      expect(await store.findCheckout('paid')).toBeDefined();
      expect(await store.findCheckout('recent')).toBeDefined();
    });
  });
}
