import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../src/server/index.js';
import type { Runtime } from '../../src/server/internal/runtime.js';
import type { SqlOrderStore } from '../../src/server/sql/index.js';
import { baseTime } from '../support/server/orderFixtures.js';
import { purgeBefore } from '../support/server/purgeBefore.js';
import { testChangeConformance } from './testChangeConformance.js';
import { testCheckoutConformance } from './testCheckoutConformance.js';
import { testCheckoutListConformance } from './testCheckoutListConformance.js';
import { testErasureConformance } from './testErasureConformance.js';
import { testListingConformance } from './testListingConformance.js';
import { testMatchingConformance } from './testMatchingConformance.js';
import { testOrderConformance } from './testOrderConformance.js';
import { testPurgeConformance } from './testPurgeConformance.js';
import { testSupportConformance } from './testSupportConformance.js';
import { testSyncConformance } from './testSyncConformance.js';

/**
 * Tests the behaviour that every OrderStore must have.
 *
 * @param open - Opens an empty store. Called at least once for each test.
 */
export function testStoreConformance(open: () => Promise<OrderStore> | OrderStore): void {
  testCheckoutConformance(open);
  testCheckoutListConformance(open);
  testPurgeConformance(open);
  testOrderConformance(open);
  testMatchingConformance(open);
  testChangeConformance(open);
  testSyncConformance(open);

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
      await purgeBefore(store, baseTime);
      expect(await store.claimReplay('recent', baseTime + 600, baseTime + 1)).toBe(false);
    });
  });
}

/**
 * Tests the behaviour that every SQL store must have, beyond that of an OrderStore.
 *
 * @param open - Opens an empty store. `parts` replace parts of its runtime, such as `now`.
 */
export function testSqlStoreConformance(
  open: (parts?: Partial<Runtime>) => Promise<SqlOrderStore>,
): void {
  testStoreConformance(open);
  testListingConformance(open);
  testSupportConformance(open);
  testErasureConformance(open);
}
