import { describe, expect, it } from 'vitest';
import type { OrderRecord, OrderStore } from '../../src/server/index.js';
import { baseTime, nftOrder, onRampIntent, onRampOrder } from '../support/server/orderFixtures.js';

const all = { limit: 100 };

export function testListingConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('listed orders', () => {
    it('are listed for an operator, newest first, by match status', async () => {
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

    it('include the time since which an NFT is not settled', async () => {
      const store = await open();
      const find = async (unsettledSince = 0) =>
        (await store.findWork({ announcedSince: 0, unsettledSince })).unsettledSince;
      expect(await find()).toBeUndefined();
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
      expect(await find()).toBe(baseTime - 8);
      expect(await find(baseTime - 7)).toBe(baseTime - 7);
      await store.recordOrders([nft('b', 'settled', baseTime - 8)], baseTime);
      expect(await find()).toBe(baseTime - 7);
      // The service may send an empty string as the finish time of an order. Then the order's deliver time counts.
      const unfinished = { orderId: 'e', ext: undefined, finishTime: undefined };
      const times = { payTime: baseTime - 6, deliverTime: baseTime - 5 };
      await store.recordOrders(
        [nft('c', 'settled', baseTime - 7), nftOrder('finished', { ...unfinished, ...times })],
        baseTime,
      );
      expect(await find()).toBe(baseTime - 5);
    });
  });
}
