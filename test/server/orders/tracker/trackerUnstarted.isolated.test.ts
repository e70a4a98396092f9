import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import type { OrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { announceOrder } from '../../../support/server/announceOrder.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, make } = setUpTrackers();

describe('createOrderTracker in functions', () => {
  it('syncs for a webhook and a scheduled job without timers, and without advice to start it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { tracker } = make({ isServerless: true });
    tracker.checkoutGranted();
    await tracker.requestSync();
    expect(await tracker.sync()).toMatchObject({ ran: true });
    expect(warn).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses start()', () => {
    expect(() => make({ isServerless: true }).tracker.start()).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(/^ramp\.start\(\) is for a process.*route \/sync/),
      }),
    );
  });
});

describe('createOrderTracker without start()', () => {
  it('syncs when a sync is requested, and resolves after the order is delivered', async () => {
    const { tracker, store, delivered } = make();
    await store.saveCheckout(onRampCheckout());
    shared.api.orders = [onRampOrder()];
    await tracker.requestSync();
    expect(delivered.map(({ key }) => key)).toEqual(['o1:deliver']);
  });

  it('marks a checkout as unconfirmed if its announced order is not in the list', async () => {
    const { tracker, store } = make();
    await store.saveCheckout(onRampCheckout());
    await announceOrder(store, 'r1', baseTime);
    await tracker.requestSync();
    expect((await store.findCheckout('r1'))?.outcome).toBe('unconfirmed');
  });

  it('runs one sync for the first of concurrent requests, and one that the others share', async () => {
    const { tracker } = make();
    await tracker.sync();
    shared.api.ranges = [];
    await Promise.all(Array.from({ length: 100 }, () => tracker.requestSync()));
    expect(shared.api.ranges).toHaveLength(2);
  });

  it('reports a failure to onError, and syncs at the next requestSync', async () => {
    const { tracker, errors } = make();
    shared.api.orders = [onRampOrder()];
    shared.api.failAfter = 0;
    await tracker.requestSync();
    expect(errors).toEqual([new Error('the service is down')]);
    shared.api.failAfter = 1;
    await tracker.requestSync();
    expect(errors).toHaveLength(1);
    expect((await tracker.status()).syncedAt).toBe(baseTime);
  });

  it('syncs after another instance, which may have read past the order', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryOrderStore();
    const { tracker } = make({ store });
    let end = () => {};
    const other = store.withSyncLease(
      () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    );
    const requested = tracker.requestSync();
    await vi.advanceTimersByTimeAsync(3000);
    expect(shared.api.ranges).toEqual([]);
    end();
    await other;
    await vi.advanceTimersByTimeAsync(2000);
    await requested;
    expect((await tracker.status()).syncedAt).toBe(baseTime);
  });

  it('gives up after six tries while another instance keeps the lease', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const withSyncLease = vi.fn(async () => false);
    const { tracker, errors } = make({ store: { ...memoryOrderStore(), withSyncLease } });
    const requested = tracker.requestSync();
    await vi.advanceTimersByTimeAsync(60_000);
    await requested;
    expect(withSyncLease).toHaveBeenCalledTimes(6);
    expect(errors).toEqual([]);
  });

  it('confirms an announced order once', async () => {
    const store = memoryOrderStore();
    const markUnconfirmed = vi.fn(store.markUnconfirmed);
    const { tracker } = make({ store: { ...store, markUnconfirmed } });
    await store.saveCheckout(onRampCheckout());
    await announceOrder(store, 'r1', baseTime);
    await tracker.requestSync();
    await tracker.requestSync();
    expect(markUnconfirmed.mock.calls).toEqual([[['r1']], [[]]]);
  });

  it('can be started afterwards', async () => {
    const { tracker } = make();
    await tracker.requestSync();
    shared.api.ranges = [];
    tracker.start();
    await vi.waitFor(() => expect(shared.api.ranges).toHaveLength(1), 10_000);
    await tracker.stop();
  });

  it('ignores a requestSync after it is stopped', async () => {
    const { tracker, errors } = make();
    await tracker.requestSync();
    await tracker.stop();
    shared.api.ranges = [];
    await tracker.requestSync();
    expect(shared.api.ranges).toEqual([]);
    expect(errors).toEqual([]);
  });

  describe('on the console', () => {
    /** Reloads the package, as a new process does, because it warns once per process. */
    async function load(mode = 'development') {
      vi.resetModules();
      vi.stubEnv('NODE_ENV', mode);
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      onTestFinished(() => {
        warn.mockRestore();
        vi.unstubAllEnvs();
      });
      const { createOrderTracker } = await import(
        '../../../../src/server/orders/tracker/createOrderTracker.js'
      );
      const { testRuntime } = await import('../../../support/server/testRuntime.js');
      const create = () =>
        createOrderTracker(
          {
            api: shared.api,
            store: memoryOrderStore(),
            deliver() {},
            review() {},
          },
          testRuntime({ now: () => baseTime * 1000 }),
        );
      return { warn, create };
    }

    it.each([
      ['development', 1],
      ['production', 0],
    ])('warns once about a webhook in %s: %i', async (mode, times) => {
      const { warn, create } = await load(mode);
      for (let trackers = 0; trackers < 2; trackers++) await create().requestSync();
      expect(warn.mock.calls).toEqual(
        Array(times).fill([
          expect.stringMatching(/webhook was received.*ramp\.start\(\) was never.*\/sync/),
        ]),
      );
    });

    it('warns once about a checkout, even without a webhook', async () => {
      const { warn, create } = await load();
      const tracker = create();
      tracker.checkoutGranted();
      tracker.checkoutGranted();
      await tracker.requestSync();
      expect(warn.mock.calls).toEqual([
        [expect.stringMatching(/checkout was signed but ramp\.start\(\) was never.*\/sync/)],
      ]);
    });

    it.each<[string, (tracker: OrderTracker) => unknown]>([
      ['is started', (tracker) => tracker.start()],
      ['was stopped', (tracker) => tracker.stop()],
    ])('does not warn about a checkout of a tracker that %s', async (_, use) => {
      const { warn, create } = await load();
      const tracker = create();
      await use(tracker);
      tracker.checkoutGranted();
      await tracker.stop();
      expect(warn).not.toHaveBeenCalled();
    });
  });
});
