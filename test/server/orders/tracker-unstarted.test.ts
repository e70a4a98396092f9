import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../src/server/index.js';
import { at, onRampIntent, onRampOrder } from '../../support/orders.js';
import { trackers } from '../../support/tracker.js';

const { shared, make } = trackers();

describe('A tracker that was never started', () => {
  it('syncs when it is nudged, and resolves once the order has been delivered', async () => {
    const { tracker, store, delivered } = make();
    await store.saveIntent(onRampIntent());
    shared.api.orders = [onRampOrder()];
    await tracker.nudge('r1');
    expect(delivered.map(({ record }) => record.standing)).toEqual(['matched']);
    expect(shared.api.asked).toHaveLength(1);
  });

  it('marks a checkout whose announced order is not in the list', async () => {
    const { tracker, store } = make();
    await store.saveIntent(onRampIntent());
    await tracker.nudge('r1');
    expect((await store.findCheckout('r1'))?.mark).toBe('unconfirmed');
  });

  it('makes one sync of nudges at once, and another of those that come meanwhile', async () => {
    const { tracker } = make();
    const first = Array.from({ length: 100 }, () => tracker.nudge());
    await vi.waitFor(() => expect(shared.api.asked).toHaveLength(1));
    await Promise.all([...first, ...Array.from({ length: 100 }, () => tracker.nudge())]);
    expect(shared.api.asked).toHaveLength(2);
  });

  it('reports a failure to onError, and syncs at the next nudge', async () => {
    const { tracker, errors } = make();
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    await tracker.nudge();
    expect(errors).toEqual([new Error('the service is down')]);
    shared.api.failAfter = 1;
    await tracker.nudge();
    expect(errors).toHaveLength(1);
    expect(shared.api.asked).toHaveLength(2);
  });

  it('syncs after another instance, which may have read past the order', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryOrderStore();
    const { tracker } = make({ store });
    let end = () => {};
    const other = store.runAlone(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    const nudged = tracker.nudge();
    await vi.advanceTimersByTimeAsync(3000);
    expect(shared.api.asked).toEqual([]);
    end();
    await other;
    await vi.advanceTimersByTimeAsync(2000);
    await nudged;
    expect(shared.api.asked).toHaveLength(1);
  });

  it('can be started afterwards', async () => {
    const { tracker } = make();
    await tracker.nudge();
    tracker.start();
    await vi.waitFor(() => expect(shared.api.asked).toHaveLength(2));
    await tracker.stop();
  });

  it('does nothing at a nudge after it is stopped', async () => {
    const { tracker, errors } = make();
    await tracker.nudge();
    await tracker.stop();
    await tracker.nudge('r1');
    expect(shared.api.asked).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it.each([
    ['development', 1],
    ['production', 0],
  ])('warns once in %s: %i', async (mode, times) => {
    vi.resetModules();
    vi.stubEnv('NODE_ENV', mode);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => {
      warn.mockRestore();
      vi.unstubAllEnvs();
    });
    const { createOrderTracker } = await import('../../../src/server/index.js');
    const options = { api: shared.api, store: memoryOrderStore(), now: () => at * 1000 };
    for (let trackers = 0; trackers < 2; trackers++) await createOrderTracker(options).nudge();
    expect(warn.mock.calls).toEqual(
      Array(times).fill([expect.stringMatching(/tracker\.start\(\) was never called.*sweep\(\)/)]),
    );
  });
});
