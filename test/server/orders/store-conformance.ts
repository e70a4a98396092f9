import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { at, nftIntent, nftOrder, onRampIntent, onRampOrder } from '../../support/orders.js';
import { orderConformance } from './order-conformance.js';

/** What every store does, whatever it is made of. `open` answers an empty one. */
export function storeConformance(open: () => Promise<OrderStore> | OrderStore): void {
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
      expect(await store.hasOpenCheckouts(at)).toBe(false);
      await store.saveIntent(onRampIntent({ expiresAt: at + 10 }));
      expect(await store.hasOpenCheckouts(at)).toBe(true);
      expect(await store.hasOpenCheckouts(at + 10)).toBe(false);
      await store.recordOrders([onRampOrder()], at);
      expect(await store.hasOpenCheckouts(at)).toBe(false);
    });

    it('are marked, never back, and not once they have an order', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent({ expiresAt: at }));
      await store.markCheckout('r1', 'unconfirmed', at - 5);
      await store.markCheckout('r1', 'unconfirmed', at - 4);
      await store.markCheckout('nobody', 'unconfirmed', at - 4);
      expect((await store.findCheckout('r1'))?.mark).toBe('unconfirmed');
      expect(await store.expireCheckouts(at - 1)).toBe(0);
      expect(await store.expireCheckouts(at)).toBe(1);
      expect(await store.expireCheckouts(at)).toBe(0);
      await store.markCheckout('r1', 'unconfirmed', at + 1);
      expect((await store.findCheckout('r1'))?.mark).toBe('expired');
      const marks = (await store.eventsAfter(0, 10)).map(({ mark }) => mark);
      expect(marks).toEqual(['unconfirmed', 'expired']);
      // It may finish late all the same.
      expect(await store.recordOrders([onRampOrder()], at + 5)).toBe(1);
      await store.saveIntent(onRampIntent({ reference: 'r2', expiresAt: at }));
      await store.recordOrders([onRampOrder({ orderId: 'o2', ext: 'r2' })], at + 5);
      expect(await store.expireCheckouts(at + 9)).toBe(0);
    });

    it('are purged when they are old and have no order', async () => {
      const store = await open();
      await store.saveIntent(onRampIntent({ expiresAt: at - 100 }));
      await store.saveIntent(onRampIntent({ reference: 'r2', expiresAt: at - 100 }));
      await store.saveIntent(onRampIntent({ reference: 'r3', expiresAt: at }));
      await store.recordOrders([onRampOrder({ ext: 'r2' })], at);
      await store.purge(at - 50);
      expect(await store.findCheckout('r1')).toBeUndefined();
      expect(await store.findCheckout('r2')).toBeDefined();
      expect(await store.findCheckout('r3')).toBeDefined();
    });

    it('that were never opened are purged earlier than those that were', async () => {
      const store = await open();
      for (const reference of ['unopened', 'opened', 'announced', 'paid', 'recent'])
        await store.saveIntent(
          onRampIntent({ reference, expiresAt: reference === 'recent' ? at : at - 100 }),
        );
      await store.markOpened('opened', at - 200);
      await store.markOpened('opened', at - 150);
      await store.markOpened('nobody', at - 150);
      await store.markCheckout('announced', 'unconfirmed', at - 200);
      await store.recordOrders([onRampOrder({ ext: 'paid' })], at);
      expect(await store.findCheckout('opened')).toMatchObject({ openedAt: at - 200 });
      expect(await store.findCheckout('announced')).toMatchObject({ openedAt: at - 200 });
      expect(await store.findCheckout('unopened')).not.toHaveProperty('openedAt');

      await store.purge(at - 300, at - 50);
      expect(await store.findCheckout('unopened')).toBeUndefined();
      for (const kept of ['opened', 'announced', 'paid', 'recent'])
        expect(await store.findCheckout(kept)).toBeDefined();

      await store.purge(at - 50, at - 50);
      expect(await store.findCheckout('opened')).toBeUndefined();
      expect(await store.findCheckout('paid')).toBeDefined();
      expect(await store.findCheckout('recent')).toBeDefined();
    });
  });

  orderConformance(open);

  describe('the log', () => {
    it('has every change once, in order, from wherever one left off', async () => {
      const store = await open();
      expect(await store.lastEventId()).toBe(0);
      await store.saveIntent(onRampIntent());
      const orders = ['a', 'b', 'c', 'd'].map((orderId) => onRampOrder({ orderId }));
      await store.recordOrders(orders, at);
      const first = await store.eventsAfter(0, 3);
      const rest = await store.eventsAfter(first.at(-1)?.id ?? 0, 10);
      const events = [...first, ...rest];
      expect(events.map(({ record }) => record?.order.orderId)).toEqual(['a', 'b', 'c', 'd']);
      expect(events.map(({ reference }) => reference)).toEqual(['r1', 'r1', 'r1', 'r1']);
      expect(await store.lastEventId()).toBe(events.at(-1)?.id);
      expect(await store.eventsAfter(await store.lastEventId(), 10)).toEqual([]);
    });

    it('never has an id twice, though its newest entries are purged', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder()], at);
      const last = await store.lastEventId();
      await store.purge(at + 1);
      expect(await store.eventsAfter(0, 10)).toEqual([]);
      await store.recordOrders([onRampOrder({ orderId: 'o2' })], at + 2);
      expect((await store.eventsAfter(last, 10)).map(({ id }) => id > last)).toEqual([true]);
    });
  });

  describe('pending changes', () => {
    it('wait until they are taken, with their intent and a key of their own', async () => {
      const store = await open();
      const intent = nftIntent({ metadata: { sku: 7 } });
      await store.saveIntent(intent);
      await store.recordOrders(
        [nftOrder('finished'), onRampOrder({ orderId: 'o9', ext: 'x' })],
        at,
      );
      await store.recordOrders([nftOrder('settled')], at + 1);
      const pending = await store.pendingChanges(at, 10);
      expect(pending).toMatchObject([
        { record: { standing: 'matched', order: { state: 'finished' } }, intent, tries: 0 },
        { record: { standing: 'foreign' }, tries: 0 },
        { record: { order: { state: 'settled' } }, intent, tries: 0 },
      ]);
      expect(pending[1]).not.toHaveProperty('intent');
      expect(new Set(pending.map(({ key }) => key)).size).toBe(3);
      expect(await store.pendingChanges(at, 1)).toHaveLength(1);
      await store.settleChanges([pending[0]?.key ?? '']);
      await store.recordOrders([nftOrder('finished')], at + 2);
      expect(await store.pendingChanges(at, 10)).toEqual(pending.slice(1));
    });

    it('that failed come back later, with a count of their tries', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder()], at);
      const [{ key } = { key: '' }] = await store.pendingChanges(at, 10);
      await store.postponeChange(key, at + 30);
      expect(await store.pendingChanges(at + 29, 10)).toEqual([]);
      expect(await store.pendingChanges(at + 30, 10)).toMatchObject([{ key, tries: 1 }]);
      await store.postponeChange(key, at + 60);
      await store.postponeChange('of nobody', at + 60);
      await store.recordOrders([onRampOrder({ orderId: 'o2' })], at + 30);
      const tries = (await store.pendingChanges(at + 60, 10)).map(({ tries }) => tries);
      expect(tries).toEqual([0, 2]);
    });

    it('that were postponed while the clock was a year ahead are due', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder(), onRampOrder({ orderId: 'o2' })], at);
      const year = 365 * 86_400;
      const keys = (await store.pendingChanges(at, 10)).map(({ key }) => key);
      await store.postponeChange(keys[0] ?? '', at + year);
      await store.postponeChange(keys[1] ?? '', at + 3600);
      const due = await store.pendingChanges(at, 10);
      expect(due).toMatchObject([{ key: keys[0], tries: 1 }]);
      expect(await store.pendingChanges(at + 3600, 1)).toMatchObject([{ key: keys[1] }]);
    });
  });

  describe('sweeps', () => {
    it('have a watermark', async () => {
      const store = await open();
      expect(await store.readWatermark()).toBeUndefined();
      await store.moveWatermark(at);
      await store.moveWatermark(at + 1);
      expect(await store.readWatermark()).toBe(at + 1);
    });

    it('run one at a time, and again after one has failed', async () => {
      const store = await open();
      let finish = () => {};
      const first = store.runAlone(() => new Promise<void>((done) => (finish = done)));
      await new Promise((done) => setTimeout(done, 50));
      expect(await store.runAlone(async () => {})).toBe(false);
      finish();
      expect(await first).toBe(true);
      await expect(store.runAlone(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
      let isAlone: boolean | undefined;
      await store.runAlone(async (asked) => {
        isAlone = asked();
      });
      expect(isAlone).toBe(true);
      expect(await store.runAlone(async () => {})).toBe(true);
    });
  });

  describe('replays', () => {
    it('are new once, also for many who ask at once, until they are forgotten', async () => {
      const store = await open();
      const asked = await Promise.all(
        Array.from({ length: 20 }, () => store.rememberReplay('h', at + 600, at)),
      );
      expect(asked.filter(Boolean)).toHaveLength(1);
      expect(await store.rememberReplay('other', at + 600, at)).toBe(true);
      expect(await store.rememberReplay('h', at + 600, at + 599)).toBe(false);
      expect(await store.rememberReplay('h', at + 1200, at + 600)).toBe(true);
      expect(await store.rememberReplay('h', at + 1200, at + 601)).toBe(false);
    });

    it('outlive a purge for as long as they are to be kept', async () => {
      const store = await open();
      await store.rememberReplay('recent', at + 600, at);
      await store.purge(at);
      expect(await store.rememberReplay('recent', at + 600, at + 1)).toBe(false);
    });
  });
}
