import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import { handleChanges } from '../support/server/handleChanges.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';

export function testOrderConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('orders', () => {
    it('are matched by `ext`, then by their order number', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      await store.saveCheckout(nftCheckout({ reference: 'r2' }));
      const byNumber = nftOrder('finished', { orderId: 'o2', ext: 'not ours' });
      expect(await store.recordOrders([onRampOrder(), byNumber], baseTime)).toBe(2);
      expect((await store.findCheckout('r1'))?.orders).toMatchObject([
        { order: { orderId: 'o1' } },
      ]);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { orderId: 'o2' } },
      ]);
    });

    it('are recorded completely, with every digit', async () => {
      const store = await open();
      const order = onRampOrder({ cryptoCurrencyAmount: '0.123456789012345678', gasFee: '1.20' });
      await store.recordOrders([order], baseTime);
      const record = {
        matchStatus: 'unmatched',
        order,
        firstSeenAt: baseTime,
        changedAt: baseTime,
      };
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([
        { key: 'o1:finished', matchStatus: 'unmatched', record, tries: 0 },
      ]);
    });

    it('have no effect when they are listed again, and only advance', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
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
      const changes = await store.listPendingChanges(baseTime + 2, 9);
      expect(changes.map(({ key }) => key)).toEqual(['o1:settlement', 'o1:settled']);
    });

    it('can have any names that the service and shoppers choose', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      // PostgreSQL cannot index a text of this length. The text is random, because PostgreSQL compresses repetitions.
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
      const pending = await store.listPendingChanges(baseTime, 100);
      expect(pending.map(({ record }) => record.order.ext)).toEqual([...names, '\0']);
      expect(pending.map(({ record }) => record.order.orderId)).toEqual([...names, 'n1']);
      await handleChanges(store, pending);
      expect(await store.listPendingChanges(baseTime, 100)).toEqual([]);
      for (const name of names) expect(await store.findCheckout(name)).toBeUndefined();
      // An order whose ID contains a NUL character is matched, and advances, like any other order.
      const odd = { orderId: 'é\0', ext: 'r2' };
      await store.saveCheckout(nftCheckout({ reference: 'r2' }));
      await store.recordOrders([nftOrder('finished', odd)], baseTime);
      await store.recordOrders([nftOrder('settled', odd)], baseTime);
      expect((await store.findCheckout('r2'))?.orders).toMatchObject([
        { matchStatus: 'matched', order: { orderId: 'é\0', state: 'settled' } },
      ]);
    });
  });
}
