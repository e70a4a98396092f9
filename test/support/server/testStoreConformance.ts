import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { baseTime, nftIntent, nftOrder, onRampIntent, onRampOrder } from './orderFixtures.js';
import { testOrderConformance } from './testOrderConformance.js';

/** What every store does, whatever it is made of. `open` answers an empty one. */
export function testStoreConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('intents', () => {
    it('are kept whole, once each', async () => {
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

    it('cannot be changed from outside', async () => {
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

    it('are marked, never back, and not once they have an order', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent({ expiresAt: baseTime }));
      await store.recordOutcome('r1', 'unconfirmed', baseTime - 5);
      await store.recordOutcome('r1', 'unconfirmed', baseTime - 4);
      await store.recordOutcome('nobody', 'unconfirmed', baseTime - 4);
      expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
      expect(await store.expireCheckouts(baseTime - 1)).toBe(0);
      expect(await store.expireCheckouts(baseTime)).toBe(1);
      expect(await store.expireCheckouts(baseTime)).toBe(0);
      await store.recordOutcome('r1', 'unconfirmed', baseTime + 1);
      expect((await store.findCheckout('r1'))?.outcome).toBe('expired');
      const marks = (await store.listEventsAfter(0, 10)).map(({ outcome }) => outcome);
      expect(marks).toEqual(['unconfirmed', 'expired']);
      // It may finish late all the same.
      expect(await store.recordOrders([onRampOrder()], baseTime + 5)).toBe(1);
      await store.saveIntent(onRampIntent({ reference: 'r2', expiresAt: baseTime }));
      await store.recordOrders([onRampOrder({ orderId: 'o2', ext: 'r2' })], baseTime + 5);
      expect(await store.expireCheckouts(baseTime + 9)).toBe(0);
    });

    it('are purged when they are old and have no order', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent({ expiresAt: baseTime - 100 }));
      await store.saveIntent(onRampIntent({ reference: 'r2', expiresAt: baseTime - 100 }));
      await store.saveIntent(onRampIntent({ reference: 'r3', expiresAt: baseTime }));
      await store.recordOrders([onRampOrder({ ext: 'r2' })], baseTime);
      await store.purge(baseTime - 50);
      expect(await store.findCheckout('r1')).toBeUndefined();
      expect(await store.findCheckout('r2')).toBeDefined();
      expect(await store.findCheckout('r3')).toBeDefined();
    });

    it('that were never opened are purged earlier than those that were', async () => {
      const store = await open();
      for (const reference of ['unopened', 'opened', 'announced', 'paid', 'recent'])
        await store.saveIntent(
          onRampIntent({
            reference,
            expiresAt: reference === 'recent' ? baseTime : baseTime - 100,
          }),
        );
      await store.markOpened('opened', baseTime - 200);
      await store.markOpened('opened', baseTime - 150);
      await store.markOpened('nobody', baseTime - 150);
      await store.recordOutcome('announced', 'unconfirmed', baseTime - 200);
      await store.recordOrders([onRampOrder({ ext: 'paid' })], baseTime);
      expect(await store.findCheckout('opened')).toMatchObject({ openedAt: baseTime - 200 });
      expect(await store.findCheckout('announced')).toMatchObject({ openedAt: baseTime - 200 });
      expect(await store.findCheckout('unopened')).not.toHaveProperty('openedAt');

      await store.purge(baseTime - 300, baseTime - 50);
      expect(await store.findCheckout('unopened')).toBeUndefined();
      for (const kept of ['opened', 'announced', 'paid', 'recent'])
        expect(await store.findCheckout(kept)).toBeDefined();

      await store.purge(baseTime - 50, baseTime - 50);
      expect(await store.findCheckout('opened')).toBeUndefined();
      expect(await store.findCheckout('paid')).toBeDefined();
      expect(await store.findCheckout('recent')).toBeDefined();
    });
  });

  testOrderConformance(open);

  describe('the log', () => {
    it('has every change once, in order, from wherever one left off', async () => {
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

    it('never has an id twice, though its newest entries are purged', async () => {
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
    it('wait until they are taken, with their intent and a key of their own', async () => {
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

    it('that failed come back later, with a count of their tries', async () => {
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

    it('that were postponed while the clock was a year ahead are due', async () => {
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

  describe('syncs', () => {
    it('have a watermark', async () => {
      const store = await open();
      expect(await store.readWatermark()).toBeUndefined();
      await store.writeWatermark(baseTime);
      await store.writeWatermark(baseTime + 1);
      expect(await store.readWatermark()).toBe(baseTime + 1);
    });

    it('run one at a time, and again after one has failed', async () => {
      const store = await open();
      let finish = () => {};
      const first = store.withSyncLease(() => new Promise<void>((done) => (finish = done)));
      await new Promise((done) => setTimeout(done, 50));
      expect(await store.withSyncLease(async () => {})).toBe(false);
      finish();
      expect(await first).toBe(true);
      await expect(store.withSyncLease(() => Promise.reject(new Error('no')))).rejects.toThrow(
        'no',
      );
      let hasLease: boolean | undefined;
      await store.withSyncLease(async (asked) => {
        hasLease = asked();
      });
      expect(hasLease).toBe(true);
      expect(await store.withSyncLease(async () => {})).toBe(true);
    });
  });

  describe('replays', () => {
    it('are new once, also for many who ask at once, until they are forgotten', async () => {
      const store = await open();
      const asked = await Promise.all(
        Array.from({ length: 20 }, () => store.claimReplay('h', baseTime + 600, baseTime)),
      );
      expect(asked.filter(Boolean)).toHaveLength(1);
      expect(await store.claimReplay('other', baseTime + 600, baseTime)).toBe(true);
      expect(await store.claimReplay('h', baseTime + 600, baseTime + 599)).toBe(false);
      expect(await store.claimReplay('h', baseTime + 1200, baseTime + 600)).toBe(true);
      expect(await store.claimReplay('h', baseTime + 1200, baseTime + 601)).toBe(false);
    });

    it('outlive a purge for as long as they are to be kept', async () => {
      const store = await open();
      await store.claimReplay('recent', baseTime + 600, baseTime);
      await store.purge(baseTime);
      expect(await store.claimReplay('recent', baseTime + 600, baseTime + 1)).toBe(false);
    });
  });
}
