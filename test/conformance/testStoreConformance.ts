import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import { baseTime, onRampIntent } from '../support/server/orderFixtures.js';
import { testChangeConformance } from './testChangeConformance.js';
import { testCheckoutListConformance } from './testCheckoutListConformance.js';
import { testErasureConformance } from './testErasureConformance.js';
import { testIntentConformance } from './testIntentConformance.js';
import { testListingConformance } from './testListingConformance.js';
import { testMatchingConformance } from './testMatchingConformance.js';
import { testOrderConformance } from './testOrderConformance.js';
import { testPurgeConformance } from './testPurgeConformance.js';
import { testSupportConformance } from './testSupportConformance.js';

/**
 * Tests the behaviour that every OrderStore must have.
 *
 * @param open - Opens an empty store. Called at least once for each test.
 */
export function testStoreConformance(open: () => Promise<OrderStore> | OrderStore): void {
  testIntentConformance(open);
  testCheckoutListConformance(open);
  testPurgeConformance(open);
  testOrderConformance(open);
  testMatchingConformance(open);
  testListingConformance(open);
  testChangeConformance(open);
  testErasureConformance(open);
  testSupportConformance(open);

  describe('syncs', () => {
    it('have a watermark', async () => {
      const store = await open();
      expect(await store.readWatermark()).toBeUndefined();
      await store.writeWatermark(baseTime);
      await store.writeWatermark(baseTime + 1);
      expect(await store.readWatermark()).toBe(baseTime + 1);
    });

    it('have a memory, which a write replaces only at the revision that it has read', async () => {
      const store = await open();
      const first = await store.readSyncState();
      expect(first).toEqual({ revision: 0, watermark: undefined, memory: undefined });
      expect(await store.writeSyncState({ ...first, memory: '{"a":"ü\\u0000"}' })).toBe(true);
      expect(await store.writeSyncState({ ...first, watermark: baseTime, memory: 'b' })).toBe(
        false,
      );
      const second = { revision: 1, watermark: undefined, memory: '{"a":"ü\\u0000"}' };
      expect(await store.readSyncState()).toEqual(second);
      expect(await store.writeSyncState({ ...second, watermark: baseTime })).toBe(true);
      expect(await store.readWatermark()).toBe(baseTime);
      await store.writeWatermark(baseTime + 1);
      expect(await store.readSyncState()).toEqual({
        ...second,
        revision: 2,
        watermark: baseTime + 1,
      });
      await store.writeWatermark(baseTime + 2, 'c');
      const last = { revision: 3, watermark: baseTime + 2, memory: 'c' };
      expect(await store.readSyncState()).toEqual(last);
    });

    it('let one of several concurrent writes of a revision succeed', async () => {
      const store = await open();
      const state = await store.readSyncState();
      const written = await Promise.all(
        ['a', 'b', 'c'].map((memory) => store.writeSyncState({ ...state, memory })),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
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

    it('know when the newest checkout was created', async () => {
      const store = await open();
      expect(await store.findNewestCheckout()).toBeUndefined();
      await store.saveIntent(onRampIntent({ createdAt: baseTime }));
      await store.saveIntent(onRampIntent({ reference: 'r2', createdAt: baseTime + 7 }));
      expect(await store.findNewestCheckout()).toBe(baseTime + 7);
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

  describe('replays', () => {
    it('are claimed once, also by concurrent calls, until they are purged', async () => {
      const store = await open();
      const claims = await Promise.all(
        Array.from({ length: 20 }, () => store.claimReplay('h', baseTime + 600, baseTime)),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await store.claimReplay('other', baseTime + 600, baseTime)).toBe(true);
      expect(await store.claimReplay('h', baseTime + 600, baseTime + 599)).toBe(false);
      expect(await store.claimReplay('h', baseTime + 1200, baseTime + 600)).toBe(true);
      expect(await store.claimReplay('h', baseTime + 1200, baseTime + 601)).toBe(false);
    });

    it('survive a purge before their time ends', async () => {
      const store = await open();
      await store.claimReplay('recent', baseTime + 600, baseTime);
      await store.purge(baseTime);
      expect(await store.claimReplay('recent', baseTime + 600, baseTime + 1)).toBe(false);
    });
  });
}
