import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../src/server/index.js';
import type { SqlOrderStore } from '../../src/server/sql/index.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';

const all = { limit: 100 };

export function testListingConformance(open: () => Promise<SqlOrderStore>): void {
  describe('listed orders', () => {
    it('are listed for an operator, newest first, by match status', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      await store.recordOrders([onRampOrder({ orderId: 'a' })], baseTime);
      await store.recordOrders([onRampOrder({ orderId: 'b', walletAddress: '0x2' })], baseTime + 1);
      await store.recordOrders([onRampOrder({ orderId: 'c', ext: undefined })], baseTime + 2);
      const ids = async (query: Parameters<SqlOrderStore['listOrders']>[0]) =>
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

    it('are listed in pages, even if many were recorded at the same time', async () => {
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
  });
}
