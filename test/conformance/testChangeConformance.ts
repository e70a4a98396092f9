import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OrderHistory, OrderStore, PendingChange } from '../../src/server/index.js';
import { handleChanges } from '../support/server/handleChanges.js';
import { baseTime, nftCheckout, nftOrder, onRampOrder } from '../support/server/orderFixtures.js';

export function testChangeConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('pending changes', () => {
    it('stay until they are handled, with their checkout and a unique key', async () => {
      const store = await open();
      const checkout = nftCheckout({ metadata: { sku: 7 } });
      await store.saveCheckout(checkout);
      await store.recordOrders(
        [nftOrder('finished'), onRampOrder({ orderId: 'o9', ext: 'x' })],
        baseTime,
      );
      await store.recordOrders([nftOrder('settled')], baseTime + 1);
      const pending = await store.listPendingChanges(baseTime, 10);
      expect(pending).toMatchObject([
        { record: { matchStatus: 'matched', order: { state: 'finished' } }, checkout, tries: 0 },
        { record: { matchStatus: 'unmatched' }, tries: 0 },
        { record: { order: { state: 'settled' } }, checkout, tries: 0 },
      ]);
      expect(pending[1]).not.toHaveProperty('checkout');
      expect(new Set(pending.map(({ key }) => key)).size).toBe(3);
      expect(await store.listPendingChanges(baseTime, 1)).toHaveLength(1);
      await handleChanges(store, pending.slice(0, 1));
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

  describe('a change that is handled', () => {
    /** Records the states of an NFT order one after the other, and returns its pending changes. */
    async function record(store: OrderStore, states: readonly NftState[], orderId = 'o1') {
      for (const state of states)
        await store.recordOrders([nftOrder(state, { orderId })], baseTime);
      const pending = await store.listPendingChanges(baseTime, 9);
      return pending.filter(({ record }) => record.order.orderId === orderId);
    }
    /** Handles a change, and returns the history with which `handle` was called. */
    async function readHistory(store: OrderStore, change: PendingChange | undefined) {
      const histories: OrderHistory[] = [];
      if (change)
        await store.handleChange(change, async (_, history) => {
          histories.push(history);
          return history;
        });
      return histories;
    }

    it('is removed, and what became of its order is passed with the next change', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const [finished, settlement] = await record(store, ['finished', 'settlement']);
      if (!finished || !settlement) throw new Error('The changes are missing.');
      const calls: unknown[] = [];
      const handle = (change: PendingChange, to: OrderHistory) =>
        store.handleChange(change, async ({ key }, history) => {
          calls.push([key, history]);
          return { ...history, ...to };
        });
      expect(await handle(finished, { deliveredAt: baseTime })).toBe(true);
      expect(await handle(settlement, { reviewedFor: ['status-after-end'] })).toBe(true);
      expect(calls).toEqual([
        ['o1:finished', {}],
        ['o1:settlement', { deliveredAt: baseTime }],
      ]);
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
      const [settled] = await record(store, ['settled']);
      const both = { deliveredAt: baseTime, reviewedFor: ['status-after-end'] as const };
      expect(await readHistory(store, settled)).toEqual([both]);
      // A history that was returned unchanged stays.
      const [unknown] = await record(store, ['unknown']);
      expect(await readHistory(store, unknown)).toEqual([both]);
      const [other] = await record(store, ['finished'], 'o2');
      expect(await readHistory(store, other)).toEqual([{}]);
    });

    it('is passed as it is now, not as it was listed', async () => {
      const store = await open();
      const [listed] = await record(store, ['finished']);
      if (!listed) throw new Error('The change is missing.');
      await store.postponeChange(listed.key, baseTime + 5);
      const seen: PendingChange[] = [];
      await store.handleChange(listed, async (change, history) => {
        seen.push(change);
        return history;
      });
      expect(seen).toEqual([{ ...listed, tries: 1 }]);
    });

    it('is passed with the checkout of its checkout', async () => {
      const store = await open();
      const checkout = nftCheckout({ metadata: { sku: 7 } });
      await store.saveCheckout(checkout);
      const [change] = await record(store, ['finished']);
      const seen: PendingChange[] = [];
      if (change)
        await store.handleChange(change, async (now, history) => {
          seen.push(now);
          return history;
        });
      expect(seen).toMatchObject([{ matchStatus: 'matched', checkout, tries: 0 }]);
    });

    it('stays as it is if its handling fails', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const [change] = await record(store, ['finished']);
      if (!change) throw new Error('The change is missing.');
      const failed = store.handleChange(change, async () => {
        throw new Error('the warehouse is closed');
      });
      await expect(failed).rejects.toThrow('the warehouse is closed');
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([change]);
      expect(await readHistory(store, change)).toEqual([{}]);
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
    });

    it('has its own rows of the shop in one transaction, which a failure rolls back', async () => {
      const store = await open();
      const orders = ['a', 'b', 'c'].map((orderId) => onRampOrder({ orderId }));
      await store.recordOrders(orders, baseTime);
      const [a, b, c] = await store.listPendingChanges(baseTime, 9);
      if (!a || !b || !c) throw new Error('The changes are missing.');
      const run = async (transaction: unknown, text: string) =>
        (await sql.raw<{ key: string }>(text).execute(transaction as Kysely<unknown>)).rows;
      let rows: unknown;
      let hasTransaction = false;
      await store.handleChange(a, async (_, history, transaction) => {
        hasTransaction = transaction !== undefined;
        if (!hasTransaction) return history;
        await run(transaction, 'create table handled (key text)');
        await run(transaction, "insert into handled values ('a')");
        return { deliveredAt: baseTime };
      });
      // A store in memory has no transactions.
      if (!hasTransaction) return;
      const failed = store.handleChange(b, async (_, __, transaction) => {
        await run(transaction, "insert into handled values ('b')");
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await store.handleChange(c, async (_, history, transaction) => {
        rows = await run(transaction, 'select key from handled');
        return history;
      });
      expect(rows).toEqual([{ key: 'a' }]);
      expect(await store.listPendingChanges(baseTime, 9)).toMatchObject([{ key: b.key }]);
    });

    it('is not handled again', async () => {
      const store = await open();
      const [change] = await record(store, ['finished']);
      if (!change) throw new Error('The change is missing.');
      expect(await store.handleChange(change, async (_, history) => history)).toBe(true);
      let calls = 0;
      const again = store.handleChange(change, async (_, history) => {
        calls++;
        return history;
      });
      expect(await again).toBe(false);
      expect(calls).toBe(0);
    });

    it('is handled once by two concurrent calls', async () => {
      const store = await open();
      const [change] = await record(store, ['finished']);
      if (!change) throw new Error('The change is missing.');
      let calls = 0;
      const handle = () =>
        store.handleChange(change, async () => {
          calls++;
          await wait(20);
          return { deliveredAt: baseTime };
        });
      const results = await Promise.allSettled([handle(), handle()]);
      expect(calls).toBe(1);
      // The second call waits and then finds no change, or is told that the first one is still running.
      expect(results.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'ERR_TIMEOUT' });
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
    });

    it('is never handled at the same time as another change of its order', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      const changes = await record(store, ['finished', 'settlement', 'settled']);
      let running = 0;
      let most = 0;
      const histories: OrderHistory[] = [];
      const handle = (change: PendingChange) =>
        store.handleChange(change, async (_, history) => {
          most = Math.max(most, ++running);
          await wait(10);
          running--;
          histories.push(history);
          return { deliveredAt: (history.deliveredAt ?? 0) + 1 };
        });
      // A store may refuse a call while another one is running.
      for (let round = 0; round < changes.length; round++)
        await Promise.allSettled(changes.map(handle));
      expect(most).toBe(1);
      expect(histories).toEqual([{}, { deliveredAt: 1 }, { deliveredAt: 2 }]);
    });
  });
}

type NftState = 'finished' | 'settlement' | 'settled' | 'unknown';
