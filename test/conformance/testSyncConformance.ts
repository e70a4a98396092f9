import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import { announceOrder } from '../support/server/announceOrder.js';
import { handleChanges } from '../support/server/handleChanges.js';
import {
  baseTime,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { findWork } from '../support/server/syncStates.js';

export function testSyncConformance(open: () => Promise<OrderStore> | OrderStore): void {
  describe('syncs', () => {
    it('have a state, which a write replaces only at the revision that it has read', async () => {
      const store = await open();
      expect(await store.readSyncState()).toEqual({ revision: 0, state: undefined });
      const text = '{"a":"ü\\u0000"}';
      expect(await store.writeSyncState({ revision: 1, state: 'too new' })).toBe(false);
      expect(await store.writeSyncState({ revision: 0, state: text })).toBe(true);
      expect(await store.writeSyncState({ revision: 0, state: 'too old' })).toBe(false);
      expect(await store.readSyncState()).toEqual({ revision: 1, state: text });
      const long = 'x'.repeat(4096);
      expect(await store.writeSyncState({ revision: 1, state: long })).toBe(true);
      expect(await store.readSyncState()).toEqual({ revision: 2, state: long });
      // The same text is a new revision too, because it says that a sync goes on.
      expect(await store.writeSyncState({ revision: 2, state: long })).toBe(true);
      expect(await store.writeSyncState({ revision: 2, state: long })).toBe(false);
      expect(await store.writeSyncState({ revision: 3, state: undefined })).toBe(true);
      expect(await store.readSyncState()).toEqual({ revision: 4, state: undefined });
    });

    it('let one of several concurrent writes of a revision succeed', async () => {
      const store = await open();
      for (let revision = 0; revision < 5; revision++) {
        const states = ['a', 'b', 'c'].map((name) => `${name}${revision}`);
        const written = await Promise.all(
          states.map((state) => store.writeSyncState({ revision, state })),
        );
        expect(written.filter(Boolean)).toHaveLength(1);
        const state = states[written.indexOf(true)];
        expect(await store.readSyncState()).toEqual({ revision: revision + 1, state });
      }
    });

    it('know the first partner and environment that claimed the store', async () => {
      const store = await open();
      const claim = (partnerId?: string, environment?: string) =>
        store.claimPartner({ partnerId, environment });
      expect(await claim()).toEqual({});
      expect(await claim('p1')).toEqual({ partnerId: 'p1' });
      const known = { partnerId: 'p1', environment: 'api.example' };
      expect(await claim('p1', 'api.example')).toEqual(known);
      expect(await claim('p2', 'other.example')).toEqual(known);
      expect(await claim()).toEqual(known);
    });

    it('find no work in an empty store', async () => {
      const store = await open();
      expect(await findWork(store)).toEqual({ hasOpenCheckouts: false });
    });

    it('know when the newest checkout was created', async () => {
      const store = await open();
      const find = async () => (await findWork(store)).newestCheckoutAt;
      await store.saveCheckout(onRampCheckout({ createdAt: baseTime }));
      expect(await find()).toBe(baseTime);
      await store.saveCheckout(onRampCheckout({ reference: 'r2', createdAt: baseTime + 7 }));
      expect(await find()).toBe(baseTime + 7);
      // A paid one counts too, because its shopper may buy again.
      await store.recordOrders([onRampOrder({ ext: 'r2' })], baseTime + 8);
      expect(await find()).toBe(baseTime + 7);
    });

    it('know when the first undelivered change is due', async () => {
      const store = await open();
      const find = async () => (await findWork(store)).nextDeliveryAt;
      const orders = ['o1', 'o2'].map((orderId) => onRampOrder({ orderId }));
      await store.recordOrders(orders, baseTime);
      // A change is due as soon as it is recorded.
      expect(await find()).toBe(0);
      await store.postponeChange('o1:finished', baseTime + 60);
      expect(await find()).toBe(0);
      await store.postponeChange('o2:finished', baseTime + 30);
      expect(await find()).toBe(baseTime + 30);
      await handleChanges(store, await store.listPendingChanges(baseTime + 30, 1));
      expect(await find()).toBe(baseTime + 60);
      await handleChanges(store, await store.listPendingChanges(baseTime + 60, 9));
      expect(await find()).toBeUndefined();
    });

    it('know since when an NFT is not settled', async () => {
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

    it('find all kinds of work at once, within the limits of the query', async () => {
      const store = await open();
      const checkouts = { r1: baseTime - 9, r2: baseTime - 8, r3: baseTime - 7 };
      for (const [reference, createdAt] of Object.entries(checkouts))
        await store.saveCheckout(onRampCheckout({ reference, createdAt }));
      await announceOrder(store, 'r1', baseTime - 6);
      await announceOrder(store, 'r2', baseTime - 5);
      const nft = (orderId: string, finishTime: number) =>
        nftOrder('finished', {
          orderId,
          finishTime,
          ext: undefined,
          details: { merchantOrderNo: orderId },
        });
      await store.recordOrders([nft('o1', baseTime - 4), nft('o2', baseTime - 3)], baseTime);
      await store.postponeChange('o1:finished', baseTime + 5);
      await store.postponeChange('o2:finished', baseTime + 6);
      const common = {
        newestCheckoutAt: baseTime - 7,
        hasOpenCheckouts: true,
        nextDeliveryAt: baseTime + 5,
      };
      const find = (announcedSince: number, unsettledSince: number) =>
        store.findWork({ announcedSince, unsettledSince });
      const first = { announcedAt: baseTime - 5, unsettledSince: baseTime - 4 };
      expect(await find(0, 0)).toEqual({ ...common, ...first });
      expect(await find(baseTime - 5, baseTime - 4)).toEqual({ ...common, ...first });
      const { announcedAt } = first;
      expect(await find(0, baseTime - 3)).toEqual({
        ...common,
        announcedAt,
        unsettledSince: baseTime - 3,
      });
      expect(await find(0, baseTime - 2)).toEqual({ ...common, announcedAt });
      expect(await find(baseTime - 4, baseTime - 2)).toEqual(common);
    });

    it('run one at a time, also after a failure', async () => {
      const store = await open();
      let finish = () => {};
      let first: Promise<boolean> | undefined;
      await new Promise<void>((begin) => {
        first = store.withSyncLease(() => {
          begin();
          return new Promise<void>((done) => (finish = done));
        });
      });
      expect(await store.withSyncLease(async () => {})).toBe(false);
      finish();
      expect(await first).toBe(true);
      await expect(store.withSyncLease(() => Promise.reject(new Error('no')))).rejects.toThrow(
        'no',
      );
      let hasLease: boolean | undefined;
      await store.withSyncLease(async (isHeld) => {
        hasLease = isHeld();
      });
      expect(hasLease).toBe(true);
      expect(await store.withSyncLease(async () => {})).toBe(true);
    });
  });
}
