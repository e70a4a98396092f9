import { describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { onRampIntent } from '../../../support/server/orderFixtures.js';
import { fakeApi, setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make, started, pass } = setUpStartedTrackers();

/** Creates an API client whose first read of the list hangs until it is aborted. */
function createHangingApi() {
  const api = fakeApi();
  let calls = 0;
  return {
    ...api,
    async *eachOrder(
      range: { startTime: number; endTime: number },
      { signal }: { signal?: AbortSignal } = {},
    ) {
      if (calls++ === 0)
        await new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      yield* api.eachOrder(range);
    },
  };
}

describe('createOrderTracker', () => {
  it('syncs again when it is started after a stop that aborted a sync', async () => {
    const api = createHangingApi();
    const { tracker, errors } = started({ api: api as never });
    await pass(1);
    await tracker.stop();
    tracker.start();
    await pass(1);
    expect(api.ranges).toHaveLength(1);
    expect(errors).toEqual([]);
    await tracker.stop();
  });

  it('syncs once more for a request that arrives during a sync of an unstarted tracker', async () => {
    const { tracker } = make();
    const running = tracker.sync();
    await Promise.all([running, tracker.requestSync()]);
    expect(shared.api.ranges).toHaveLength(2);
  });

  it('confirms an announced order once', async () => {
    const store = memoryOrderStore();
    const recordOutcome = vi.fn(store.recordOutcome);
    const { tracker } = make({ store: { ...store, recordOutcome } });
    await store.saveIntent(onRampIntent());
    await tracker.requestSync('r1');
    await tracker.requestSync();
    const unconfirmed = recordOutcome.mock.calls.filter(([, outcome]) => outcome === 'unconfirmed');
    expect(unconfirmed).toHaveLength(1);
  });
});
