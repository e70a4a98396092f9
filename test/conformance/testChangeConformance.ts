import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../support/server/orderFixtures.js';

export function testChangeConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('the log', () => {
    it('has every change once, in order, after any given id', async () => {
      const store = await open();
      expect(await store.lastEventId()).toBe(0);
      await store.saveIntent(onRampIntent());
      const orders = ['a', 'b', 'c', 'd'].map((orderId) => onRampOrder({ orderId }));
      await store.recordOrders(orders, baseTime);
      const first = await store.listEventsAfter(0, 3);
      const rest = await store.listEventsAfter(first.at(-1)?.id ?? 0, 10);
      const events = [...first, ...rest];
      expect(events.map(({ record }) => record?.order.orderId)).toEqual(['a', 'b', 'c', 'd']);
      expect(events.map(({ reference }) => reference)).toEqual(['r1', 'r1', 'r1', 'r1']);
      expect(await store.lastEventId()).toBe(events.at(-1)?.id);
      expect(await store.listEventsAfter(await store.lastEventId(), 10)).toEqual([]);
    });

    it('does not reuse an id after its newest entries were purged', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder()], baseTime);
      const last = await store.lastEventId();
      await store.purge(baseTime + 1);
      expect(await store.listEventsAfter(0, 10)).toEqual([]);
      await store.recordOrders([onRampOrder({ orderId: 'o2' })], baseTime + 2);
      expect((await store.listEventsAfter(last, 10)).map(({ id }) => id > last)).toEqual([true]);
    });
  });

  describe('pending changes', () => {
    it('stay until they are acknowledged, with their intent and a unique key', async () => {
      const store = await open();
      const intent = nftIntent({ metadata: { sku: 7 } });
      await store.saveIntent(intent);
      await store.recordOrders(
        [nftOrder('finished'), onRampOrder({ orderId: 'o9', ext: 'x' })],
        baseTime,
      );
      await store.recordOrders([nftOrder('settled')], baseTime + 1);
      const pending = await store.listPendingChanges(baseTime, 10);
      expect(pending).toMatchObject([
        { record: { matchStatus: 'matched', order: { state: 'finished' } }, intent, tries: 0 },
        { record: { matchStatus: 'unmatched' }, tries: 0 },
        { record: { order: { state: 'settled' } }, intent, tries: 0 },
      ]);
      expect(pending[1]).not.toHaveProperty('intent');
      expect(new Set(pending.map(({ key }) => key)).size).toBe(3);
      expect(await store.listPendingChanges(baseTime, 1)).toHaveLength(1);
      await store.acknowledgeChanges([pending[0]?.key ?? '']);
      await store.recordOrders([nftOrder('finished')], baseTime + 2);
      expect(await store.listPendingChanges(baseTime, 10)).toEqual(pending.slice(1));
    });

    it('are due again later after a failure, with the number of attempts', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder()], baseTime);
      const [{ key } = { key: '' }] = await store.listPendingChanges(baseTime, 10);
      await store.postponeChange(key, baseTime + 30);
      expect(await store.listPendingChanges(baseTime + 29, 10)).toEqual([]);
      expect(await store.listPendingChanges(baseTime + 30, 10)).toMatchObject([{ key, tries: 1 }]);
      await store.postponeChange(key, baseTime + 60);
      await store.postponeChange('of nobody', baseTime + 60);
      await store.recordOrders([onRampOrder({ orderId: 'o2' })], baseTime + 30);
      const tries = (await store.listPendingChanges(baseTime + 60, 10)).map(({ tries }) => tries);
      expect(tries).toEqual([0, 2]);
    });

    it('are due if they were postponed while the clock was a year ahead', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder(), onRampOrder({ orderId: 'o2' })], baseTime);
      const year = 365 * 86_400;
      const keys = (await store.listPendingChanges(baseTime, 10)).map(({ key }) => key);
      await store.postponeChange(keys[0] ?? '', baseTime + year);
      await store.postponeChange(keys[1] ?? '', baseTime + 3600);
      const due = await store.listPendingChanges(baseTime, 10);
      expect(due).toMatchObject([{ key: keys[0], tries: 1 }]);
      expect(await store.listPendingChanges(baseTime + 3600, 1)).toMatchObject([{ key: keys[1] }]);
    });
  });
}
