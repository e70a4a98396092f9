import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { baseTime, nftOrder, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make } = setUpTrackers();
const DAY = 86_400;

describe('createListReader', () => {
  it('reads the whole lookback once, even if a second sync follows in the same second', async () => {
    const { tracker } = make();
    await tracker.sync();
    await tracker.sync();
    expect(shared.api.ranges.map(({ startTime }) => startTime)).toEqual([
      baseTime - 7 * DAY,
      baseTime - 7200,
    ]);
  });

  it('reads an NFT order again each hour, not at every sync', async () => {
    const { tracker } = make();
    const finishTime = baseTime - 5 * DAY;
    shared.api.orders = [nftOrder('finished', { finishTime })];
    for (let i = 0; i < 3; i++) {
      await tracker.sync();
      shared.clock += 1800;
    }
    const starts = shared.api.ranges.map(({ startTime }) => startTime);
    expect(starts).toEqual([baseTime - 7 * DAY, baseTime - 7200, finishTime]);
  });

  it('reads the whole lookback if the store has no watermark', async () => {
    const readWatermark = async () => undefined;
    const { tracker } = make({ store: { ...memoryOrderStore(), readWatermark } });
    await tracker.sync();
    shared.clock += 60;
    await tracker.sync();
    const starts = shared.api.ranges.map(({ startTime }) => startTime);
    expect(starts).toEqual([baseTime - 7 * DAY, baseTime + 60 - 7 * DAY]);
  });

  it('purges data older than its retention, only in the daily sync', async () => {
    const store = memoryOrderStore();
    const purge = vi.fn(store.purge);
    const { tracker } = make({ store: { ...store, purge } });
    await tracker.sync();
    shared.clock += 60;
    await tracker.sync();
    expect(purge.mock.calls).toEqual([[baseTime - 35 * DAY, baseTime - 7 * DAY]]);
  });

  it('has no report of a sync that failed before it began to read', async () => {
    const readWatermark = () => Promise.reject(new Error('pg: down'));
    const { tracker } = make({ store: { ...memoryOrderStore(), readWatermark } });
    await expect(tracker.sync()).rejects.toThrow('pg: down');
    expect(tracker.report).toBeUndefined();
  });

  it('delivers on a store that does not report whether it has the lease', async () => {
    const store = memoryOrderStore();
    const { tracker, delivered } = make({
      store: {
        ...store,
        withSyncLease: async (sync) => {
          await (sync as () => Promise<void>)();
          return true;
        },
      },
    });
    shared.api.orders = [onRampOrder()];
    expect(await tracker.sync()).toBe(true);
    expect(delivered).toHaveLength(1);
  });
});
