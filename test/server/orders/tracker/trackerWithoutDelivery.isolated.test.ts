import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { baseTime, onRampIntent, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { shared, started, pass } = setUpStartedTrackers();

describe('createOrderTracker without onOrderChange', () => {
  it('leaves a paid order to a tracker that syncs later', async () => {
    const store = memoryOrderStore();
    await store.saveIntent(onRampIntent());
    shared.api.orders = [onRampOrder()];
    const first = started({ store, onOrderChange: undefined });
    await pass(1);
    await first.tracker.stop();
    const second = started({ store });
    await pass(1);
    expect(second.delivered.map(({ key }) => key)).toEqual(['o1:finished']);
    await second.tracker.stop();
  });

  it('does not poll for the changes that it leaves', async () => {
    shared.api.orders = [onRampOrder()];
    const { tracker, store } = started({ onOrderChange: undefined });
    await pass(3600);
    expect(await store.listPendingChanges(baseTime, 10)).toHaveLength(1);
    expect(shared.api.ranges).toHaveLength(1);
    await tracker.stop();
  });
});

describe('the start of createOrderTracker', () => {
  /** Reloads the package, as a new process does. `reports` has the messages that its trackers passed to onError. */
  async function load(mode: string) {
    vi.resetModules();
    vi.stubEnv('NODE_ENV', mode);
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await import('../../../../src/server/index.js');
    const reports: string[] = [];
    const create = (options: object) =>
      server.createOrderTracker({
        api: shared.api,
        store: { ...memoryOrderStore() },
        onError: (error) => reports.push((error as Error).message),
        ...options,
      });
    return { ...server, reports, create };
  }

  it.each(['development', 'production'])(
    'reports in %s that the tracker delivers nothing',
    async (mode) => {
      const { create, reports } = await load(mode);
      create({});
      expect(reports).toEqual([
        expect.stringMatching(
          /^createOrderTracker has no onOrderChange.*changes wait.*every process, or null if/,
        ),
      ]);
    },
  );

  it('reports once that several trackers deliver nothing', async () => {
    const { create, reports } = await load('production');
    create({});
    create({});
    expect(reports).toHaveLength(1);
  });

  it.each([
    ['a function', () => {}],
    ['null', null],
  ])('reports nothing if onOrderChange is %s', async (_, onOrderChange) => {
    const { create, reports } = await load('production');
    create({ onOrderChange });
    expect(reports).toEqual([]);
  });

  it('reports a memory store in production, once for the tracker and the handler', async () => {
    const { create, reports, memoryOrderStore, createRampHandler, createWidgetSigner } =
      await load('production');
    const store = memoryOrderStore();
    const tracker = create({ store, onOrderChange: null });
    createRampHandler({
      signer: createWidgetSigner({ partnerId: 'p1', secretKey: 'k' }),
      allowedOrigins: ['https://shop.example'],
      policy: () => ({ params: { walletAddress: '0xF0' }, subject: 'u1' }),
      onError: (error) => reports.push((error as Error).message),
      store,
      tracker,
    });
    expect(reports).toEqual([
      expect.stringMatching(/^createOrderTracker has a memoryOrderStore\(\).*sqlOrderStore\(\)/),
    ]);
  });

  it('does not report a memory store in development', async () => {
    const { create, reports, memoryOrderStore } = await load('development');
    create({ store: memoryOrderStore(), onOrderChange: null });
    expect(reports).toEqual([]);
  });
});

describe('createOrderTracker with timers: false', () => {
  it('syncs for a webhook and a scheduled job without advice to start it', async () => {
    vi.resetModules();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { createOrderTracker } = await import('../../../../src/server/index.js');
    const tracker = createOrderTracker({
      api: shared.api,
      store: memoryOrderStore(),
      onOrderChange: null,
      timers: false,
    });
    tracker.checkoutGranted();
    await tracker.requestSync();
    expect(await tracker.sync()).toBe(true);
    expect(shared.api.ranges).toHaveLength(2);
    expect(warn).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses start()', () => {
    const { tracker } = started({ timers: true });
    void tracker.stop();
    expect(() => started({ timers: false })).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(/^tracker\.start\(\) needs timers.*route \/sync/),
      }),
    );
  });
});
